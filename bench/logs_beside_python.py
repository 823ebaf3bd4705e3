#!/usr/bin/python3
"""Times reading training logs by `logs_bench` beside Python's re module, in one run on one core.

usage: logs_beside_python.py LOGS_BENCH [--at-least MB_PER_SECOND]

Exits with 1 when a log is read more slowly in every round; on a machine too slow for that, when it is never ten times
as fast as by Python in the same round. The peer does what scripts do: a line at a time, one expression, numbers kept.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

MEGABYTES = 8
ROUNDS = 5  # other work on the machine comes and goes between them
TIMES_PYTHON = 10

EXPRESSIONS = {
    "megatron": r"iteration\s+(\d+)/\s*\d+ \| consumed samples:\s+(\d+) \| elapsed time per iteration \(ms\): ([\d.]+) .*"
                r"global batch size:\s+(\d+)",
    "torchtitan": r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d).*step: \s*(\d+) .*tps: ([\d,]+)",
    "nanogpt": r"iter (\d+): loss ([\d.]+), time ([\d.]+)ms",
    "bars": r"\| (\d+)/(\d+) \[(?:(\d+):)?(\d+):(\d+)<",
}
EXPRESSIONS["ranks"] = EXPRESSIONS["megatron"]


def read_with_re(path, expression):
    found = []
    search = re.compile(expression).search
    with open(path, encoding="latin-1") as file:  # universal newlines: a bar is a line
        for line in file:
            match = search(line)
            if match:
                found.append(match.groups())
    return found


def python_speed(program, kind, folder):
    path = os.path.join(folder, kind)
    if not os.path.exists(path):
        subprocess.run([program, "--write", kind, path, str(MEGABYTES)], check=True)
    begin = time.process_time()
    if not read_with_re(path, EXPRESSIONS[kind]):
        sys.exit(f"the expression for {kind} finds nothing")
    return os.path.getsize(path) / 1e6 / (time.process_time() - begin)


def wattflex_speeds(program):
    command = [program, "--benchmark_format=json", "--benchmark_min_time=0.3"]
    runs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["benchmarks"]
    return {run["run_name"].split("/")[1]: run["bytes_per_second"] / 1e6 for run in runs}


def main(arguments):
    at_least = float(arguments[2]) if len(arguments) > 2 and arguments[1] == "--at-least" else 0.0
    best = {}
    fast_enough = set()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            ours = wattflex_speeds(arguments[0])
            for kind, speed in ours.items():
                python = python_speed(arguments[0], kind, folder)
                best[kind] = max(best.get(kind, (0, 0)), (speed, python))
                if speed >= min(at_least, TIMES_PYTHON * python):
                    fast_enough.add(kind)
            if fast_enough == set(EXPRESSIONS):
                break
    for kind, (ours, python) in best.items():
        print(f"{kind:12} wattflex {ours:6.0f} MB/s   python re {python:6.0f} MB/s   {ours / python:5.1f} times")
    return 0 if fast_enough == set(EXPRESSIONS) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
