"""NVIDIA's own Python bindings on the twin: what they read is what the twin is, and a limit set here is seen outside."""
import subprocess
import sys

import pynvml

PROGRAM = sys.argv[1]


def expect(what, is_true):
    if not is_true:
        sys.exit(f"pynvml: {what}")


pynvml.nvmlInit()
expect("counts 4 GPUs", pynvml.nvmlDeviceGetCount() == 4)
gpu = pynvml.nvmlDeviceGetHandleByIndex(1)
uuid = pynvml.nvmlDeviceGetUUID(gpu)
expect("finds a GPU by its UUID", pynvml.nvmlDeviceGetIndex(pynvml.nvmlDeviceGetHandleByUUID(uuid)) == 1)
expect("knows the board", pynvml.nvmlDeviceGetName(gpu) == "NVIDIA H200")
expect("has the limits of the board", pynvml.nvmlDeviceGetPowerManagementLimitConstraints(gpu) == [200000, 700000])
# 76 W when idle, a gain of 2 % (one deviation) and less scatter.
expect("draws what an idle board draws", 69_000 < pynvml.nvmlDeviceGetPowerUsage(gpu) < 83_000)
instant, average = pynvml.nvmlDeviceGetFieldValues(gpu, [pynvml.NVML_FI_DEV_POWER_INSTANT, pynvml.NVML_FI_DEV_POWER_AVERAGE])
expect("has the power fields", instant.nvmlReturn == average.nvmlReturn == 0 and instant.value.uiVal > 69_000)
before = pynvml.nvmlDeviceGetTotalEnergyConsumption(gpu)
expect("counts energy", before > 0 and pynvml.nvmlDeviceGetTotalEnergyConsumption(gpu) >= before)
expect("has memory", pynvml.nvmlDeviceGetMemoryInfo(gpu).total > 140e9)
pynvml.nvmlDeviceSetPowerManagementLimit(gpu, 400_000)
expect("reads its own limit back", pynvml.nvmlDeviceGetEnforcedPowerLimit(gpu) == 400_000)
status = subprocess.run([PROGRAM, "twin", "status", "-o", "csv"], capture_output=True, text=True, check=True).stdout
expect(f"is seen by another process: {status}", status.splitlines()[2].startswith("1,400,400,"))
try:
    pynvml.nvmlDeviceSetPowerManagementLimit(gpu, 900_000)
    sys.exit("pynvml: a limit above the board's was taken")
except pynvml.NVMLError_InvalidArgument:
    pass
pynvml.nvmlShutdown()
