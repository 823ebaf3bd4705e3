#!/usr/bin/python3
"""Times `pfi_bench` beside a vectorised numpy version of the same algorithm, in one run on one core.

usage: pfi_beside_numpy.py PFI_BENCH [TABLE...] [--at-least RATIO]

Without tables: those of sweeps/ in the folder of the environment variable WATTFLEX_DATA (../shared beside the checkout
unless given), or, where they are not, an invented set of the same size. Exits with
1 when the ratio is missed and 77 without numpy. Reading is timed on neither side, random draws on both.
"""
import csv
import glob
import json
import os
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

RESAMPLES = 10_000
POWER_CV, THROUGHPUT_CV = 0.004, 0.005


def invented_table(folder):
    """169 groups of 7 or 8 caps, 1305 points in all."""
    path = os.path.join(folder, "invented.csv")
    with open(path, "w", encoding="ascii") as out:
        out.write("group,gpus,cap_w,power_w,throughput\n")
        for group in range(169):
            for i in range(8 if group < 122 else 7):
                share = 1 - i / 12
                noise = 1 + 0.004 * np.sin(7 * group + 3 * i)
                out.write(f"g{group},1,{700 * share},{660 * share * noise},{share ** (0.2 + group / 300) / noise}\n")
    return [path]


def read(paths):
    groups = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                key = path, row["group"], row.get("accelerator")
                groups.setdefault(key, []).append([float(row[c]) for c in ("cap_w", "power_w", "throughput", "gpus")])
    return [np.array(sorted(rows, reverse=True)).T for rows in groups.values()]


def used_points(cap, power, throughput, gpus):
    """Verdict `used` of the capped points (src/elasticity/verdict.h)."""
    p, t = power[1:] / power[0], throughput[1:] / throughput[0]
    cut, loss = 1 - p, 1 - t
    cut_limit, loss_limit = 2 * p * POWER_CV * np.sqrt(2), 2 * t * THROUGHPUT_CV * np.sqrt(2)
    binding = (abs(cut) > cut_limit) | (power[1:] / gpus[1:] > 0.95 * cap[1:])
    return binding & (cut > cut_limit) & (loss > loss_limit)


def interval(values):
    return np.percentile(values, [2.5, 97.5], overwrite_input=True)


def intervals(group, z_power, z_throughput):
    cap, power, throughput, gpus = group
    k = len(cap)
    p = (power[1:] / power[0])[:, None]
    t = (throughput[1:] / throughput[0])[:, None]
    a = 1 + POWER_CV * z_power[0]
    b = 1 + THROUGHPUT_CV * z_throughput[0]
    cut = z_power[1:k] * (-POWER_CV * p)
    cut += a - p
    loss = z_throughput[1:k] * (-THROUGHPUT_CV * t)
    loss += b - t
    scale = b / a
    used = used_points(cap, power, throughput, gpus)
    has_ratio = throughput[1:] != throughput[0]
    everything_used = used.all()
    ratio = cut / loss
    result = [interval((ratio if everything_used else ratio[has_ratio]).mean(axis=0) * scale)]
    if used.sum() >= 2:
        if not everything_used:
            ratio, cut, loss = ratio[used], cut[used], loss[used]
            result.append(interval(ratio.mean(axis=0) * scale))
        result.append(interval(cut.sum(axis=0) / loss.sum(axis=0) * scale))
    return result


def run_numpy(groups):
    longest = max(group.shape[1] for group in groups)
    random = np.random.default_rng(1)
    z_power = random.standard_normal((longest, RESAMPLES))
    z_throughput = random.standard_normal((longest, RESAMPLES))
    return [intervals(group, z_power, z_throughput) for group in groups]


def numpy_milliseconds(groups, repeats=5):
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        run_numpy(groups)
        times.append((time.process_time() - begin) * 1e3)
    return min(times)


def wattflex_milliseconds(program, tables):
    command = [program, *tables, f"--benchmark_filter=pfi/{RESAMPLES}", "--benchmark_repetitions=5",
               "--benchmark_format=json"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return min(run["cpu_time"] for run in json.loads(output)["benchmarks"] if run["run_type"] == "iteration")


def main(arguments):
    at_least = 0.0
    if "--at-least" in arguments:
        at = arguments.index("--at-least")
        at_least = float(arguments[at + 1])
        del arguments[at:at + 2]
    program, *tables = arguments
    data = os.environ.get("WATTFLEX_DATA") or os.path.join(os.path.dirname(__file__), "../../shared")
    tables = tables or sorted(path for path in glob.glob(os.path.join(data, "sweeps/*.csv")) if "expected" not in path)
    with tempfile.TemporaryDirectory() as folder:
        tables = tables or invented_table(folder)
        groups = read(tables)
        with np.errstate(all="ignore"):
            numpy_ms = numpy_milliseconds(groups)
        wattflex_ms = wattflex_milliseconds(program, tables)
    points = sum(group.shape[1] for group in groups)
    print(f"{len(groups)} sweeps, {points} points, {RESAMPLES} resamples, best of 5, one core")
    print(f"numpy {np.__version__}: {numpy_ms:.1f} ms   wattflex: {wattflex_ms:.1f} ms   "
          f"ratio {numpy_ms / wattflex_ms:.1f}")
    return 0 if numpy_ms >= at_least * wattflex_ms else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
