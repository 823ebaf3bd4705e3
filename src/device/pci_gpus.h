// How many NVIDIA GPUs sit on the PCI bus, whatever the driver says: more than it shows means that one fell
// off (CAP-14).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace wattflex::device {

// Nothing where the folder can't be read: containers often have no such view.
std::optional<std::size_t> pci_gpus(const std::string& folder = "/sys/bus/pci/devices");

}  // namespace wattflex::device
