#!/usr/bin/python3
"""Times reading a sweep table by `csv_bench` beside Python's csv module and numpy.loadtxt, in one run on one core.

usage: csv_beside_python.py CSV_BENCH [--at-least MB_PER_SECOND]

Exits with 1 when the speed is missed. The peers only turn cells into floats; csv_bench also checks every row.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    np = None

MEGABYTES = 16
NUMBERS = (3, 4, 5, 6)  # gpus, cap_w, power_w, throughput


def read_with_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        next(rows)
        return [(row[0], row[1], *(float(row[i]) for i in NUMBERS)) for row in rows]


def read_with_numpy(path):
    return np.loadtxt(path, delimiter=",", skiprows=1, usecols=NUMBERS)


def speed(read, path):
    begin = time.process_time()
    read(path)
    return os.path.getsize(path) / 1e6 / (time.process_time() - begin)


def wattflex_speeds(program):
    command = [program, "--benchmark_repetitions=5", "--benchmark_format=json"]
    runs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["benchmarks"]
    best = {}
    for run in runs:
        if run["run_type"] == "iteration":
            name = run["run_name"]
            best[name] = max(best.get(name, 0), run["bytes_per_second"] / 1e6)
    return best


def main(arguments):
    at_least = float(arguments[2]) if len(arguments) > 2 and arguments[1] == "--at-least" else 0.0
    speeds = wattflex_speeds(arguments[0])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        subprocess.run([arguments[0], "--write", path, str(MEGABYTES)], check=True)
        peers = {"python csv": speed(read_with_csv, path)}
        if np is not None:
            peers[f"numpy {np.__version__} loadtxt"] = speed(read_with_numpy, path)
    for name, value in {**speeds, **peers}.items():
        print(f"{name:28} {value:7.0f} MB/s")
    return 0 if speeds["check/plain"] >= at_least else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
