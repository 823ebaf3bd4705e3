// What doctor asks of the machine around the GPUs: privileges of this process, programs that run, and whether
// an exporter answers. Reads only.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/diagnosis.h"

namespace wattflex::device {

Privileges own_privileges();
// Programs by the name the kernel shows; `folder` is /proc.
std::vector<RunningProgram> running_programs(const std::string& folder = "/proc");
// `address` is HOST:PORT; fails when it is written wrongly.
Result<ExporterFact> probe_exporter(const std::string& address, std::chrono::milliseconds patience);

}  // namespace wattflex::device
