#include "device/pci_gpus.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace wattflex::device {
namespace {

namespace fs = std::filesystem;

class Bus {
 public:
  Bus() : folder_(fs::path(testing::TempDir()) / "wattflex-pci") { fs::remove_all(folder_); }
  ~Bus() { fs::remove_all(folder_); }
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;
  void add(const std::string& address, const std::string& vendor, const std::string& kind) {
    fs::create_directories(folder_ / address);
    std::ofstream(folder_ / address / "vendor") << vendor << '\n';
    std::ofstream(folder_ / address / "class") << kind << '\n';
  }
  std::string folder() const { return folder_; }

 private:
  fs::path folder_;
};

// CAP-14: NVIDIA's switches (0x0680) and sound functions (0x0403) are no GPUs.
TEST(PciGpus, CountNvidiasDisplayControllersAlone) {
  Bus bus;
  bus.add("0000:18:00.0", "0x10de", "0x030200");
  bus.add("0000:2a:00.0", "0x10de", "0x030000");
  bus.add("0000:2a:00.1", "0x10de", "0x040300");
  bus.add("0000:05:00.0", "0x10de", "0x068000");
  bus.add("0000:02:00.0", "0x1a03", "0x030000");
  EXPECT_EQ(pci_gpus(bus.folder()), 2U);
}

TEST(PciGpus, AreUnknownWithoutABus) {
  EXPECT_EQ(pci_gpus("/nowhere"), std::nullopt);
}

}  // namespace
}  // namespace wattflex::device
