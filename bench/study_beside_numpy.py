#!/usr/bin/python3
"""Times `study_bench` beside a numpy version of the same study, vectorised over workloads and jobs, in one run
on one core: 500 workloads of 100 jobs, 21 cuts, six policies, two mixes.

usage: study_beside_numpy.py STUDY_BENCH [TABLE] [--at-most SECONDS]

Without a table: 25 invented groups. The numpy oracle fills the concave envelopes only: it is an upper bound
without a division that reaches it, so its work is a part of ours. Exits with 1 when the time is missed or
four times the workloads take more than six times as long; 77 without numpy.
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
    print("skipped: no numpy")
    sys.exit(77)

WORKLOADS, JOBS = 500, 100
CUTS = np.arange(0, 41, 2) / 100


def invented_table(folder):
    path = os.path.join(folder, "invented.csv")
    random = np.random.default_rng(1)
    with open(path, "w", encoding="ascii") as out:
        out.write("group,arch,task,gpus,cap_w,power_w,throughput,dram_active,mem_copy_util\n")
        for g in range(25):
            gpus, arch, task = (8, 16, 32)[g % 3], ("dense", "moe")[g % 2], ("pretraining", "fine-tuning")[g // 2 % 2]
            for cap in range(700, 100, -100):
                share = cap / 700
                throughput = 1e4 * gpus * share ** random.uniform(0.3, 0.6)
                out.write(f"g{g},{arch},{task},{gpus},{cap},{0.95 * cap * gpus},{throughput},{0.3 + g / 60},{0.4}\n")
    return path


def read(path):
    groups = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            groups.setdefault(row["group"], []).append(row)
    curves = []
    for rows in groups.values():
        rows.sort(key=lambda row: float(row["power_w"]))
        power = np.array([float(row["power_w"]) for row in rows])
        # The monotone envelope: a point no faster than one that draws less is left out.
        throughput = np.array([float(row["throughput"]) for row in rows])
        keep = np.append(True, throughput[1:] > np.maximum.accumulate(throughput)[:-1])
        curves.append((power[keep], throughput[keep], rows[-1]))
    return curves


class Catalogue:
    """Every group as arrays of equal length: curves padded at the lower end by points of no width."""

    def __init__(self, curves):
        points = max(len(power) for power, _, _ in curves)
        pad = lambda a: np.concatenate([np.full(points - len(a), a[0]), a])
        self.power = np.array([pad(power) for power, _, _ in curves])
        self.kept = np.array([pad(throughput / throughput[-1]) for _, throughput, _ in curves])
        top = np.array([throughput[-1] for _, throughput, _ in curves])
        rows = [row for _, _, row in curves]
        self.gpus = np.array([float(row["gpus"]) for row in rows])
        self.fine_tuning = np.array([row["task"] == "fine-tuning" for row in rows])
        self.pmax = self.power[:, -1]
        favoured = self.fine_tuning & np.array([row["arch"] == "moe" for row in rows])
        pfi = np.array([np.mean((1 - p[:-1] / p[-1]) / (1 - t[:-1] / t[-1])) for p, t, _ in curves])
        dram = np.array([float(row["dram_active"]) * float(row["mem_copy_util"]) for row in rows])
        joules = self.pmax / top
        self.weights = {"equal": self.pmax, "moe-ft": self.pmax * (1 + favoured), "pfi": joules * pfi,
                        "pfi-scaled": self.pmax * joules * pfi, "dram": dram}


def share(room, weight, cut):
    """min(room, level * weight) adding up to `cut` in every row (workload)."""
    level = room / weight
    order = np.argsort(level, axis=1)
    level = np.take_along_axis(level, order, 1)
    sorted_room = np.take_along_axis(room, order, 1)
    sorted_weight = np.take_along_axis(weight, order, 1)
    exhausted = np.cumsum(sorted_room, axis=1) - sorted_room
    open_weight = np.cumsum(sorted_weight[:, ::-1], axis=1)[:, ::-1]
    first = np.minimum((exhausted + open_weight * level < cut[:, None]).sum(axis=1), room.shape[1] - 1)[:, None]
    found = (cut[:, None] - np.take_along_axis(exhausted, first, 1)) / np.take_along_axis(open_weight, first, 1)
    return np.minimum(room, found * weight)


def kept_at(draw, power, kept):
    """Interpolates every job's own curve; all arrays are workloads x jobs (x points)."""
    right = np.clip((power < draw[..., None]).sum(axis=-1), 1, power.shape[-1] - 1)[..., None]
    at = lambda a, k: np.take_along_axis(a, k, -1)[..., 0]
    p0, p1, k0, k1 = at(power, right - 1), at(power, right), at(kept, right - 1), at(kept, right)
    width = np.where(p1 > p0, p1 - p0, 1)
    return k0 + np.clip((draw - p0) / width, 0, 1) * (k1 - k0)


def envelopes(catalogue):
    """Slopes (kept per watt) and widths of every group's concave envelope."""
    slopes, widths = np.zeros_like(catalogue.power[:, 1:]), np.zeros_like(catalogue.power[:, 1:])
    for g, (power, kept) in enumerate(zip(catalogue.power, catalogue.kept)):
        hull = []
        for point in zip(power, kept):
            if hull and point[0] == hull[-1][0]:
                continue
            while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (point[0] - hull[-1][0]) <= (
                    point[1] - hull[-1][1]) * (hull[-1][0] - hull[-2][0]):
                hull.pop()
            hull.append(point)
        for i, (left, right) in enumerate(zip(hull, hull[1:])):
            widths[g, i] = right[0] - left[0]
            slopes[g, i] = (right[1] - left[1]) / widths[g, i]
    return slopes, widths


def study(catalogue, groups):
    """Mean share of throughput kept, by policy and cut; `groups` are workloads x jobs."""
    weight = catalogue.gpus[groups] / catalogue.gpus[groups].sum(axis=1, keepdims=True)
    pmax, room = catalogue.pmax[groups], (catalogue.pmax - catalogue.power[:, 0])[groups]
    power, kept = catalogue.power[groups], catalogue.kept[groups]
    result = {}
    for name, by_group in catalogue.weights.items():
        result[name] = [(weight * kept_at(pmax - share(room, by_group[groups], cut * pmax.sum(axis=1)), power, kept))
                        .sum(axis=1).mean() for cut in CUTS]
    slopes, widths = envelopes(catalogue)
    slope = (slopes[groups] * weight[..., None]).reshape(len(groups), -1)
    order = np.argsort(-slope, axis=1)
    slope = np.take_along_axis(slope, order, 1)
    width = np.take_along_axis(widths[groups].reshape(len(groups), -1), order, 1)
    filled = np.cumsum(width, axis=1) - width
    least, lowest = power[..., 0].sum(axis=1), (weight * kept[..., 0]).sum(axis=1)
    result["oracle"] = [(lowest + (slope * np.clip((1 - cut) * pmax.sum(axis=1)[:, None] - least[:, None] - filled, 0,
                                                   width)).sum(axis=1)).mean() for cut in CUTS]
    return result


def run_numpy(catalogue):
    random = np.random.default_rng(1)
    tuning, other = np.flatnonzero(catalogue.fine_tuning), np.flatnonzero(~catalogue.fine_tuning)
    uniform = random.integers(len(catalogue.pmax), size=(WORKLOADS, JOBS))
    production = np.where(random.random((WORKLOADS, JOBS)) < 0.943, random.choice(tuning, (WORKLOADS, JOBS)),
                          random.choice(other, (WORKLOADS, JOBS)))
    return [study(catalogue, groups) for groups in (uniform, production)]


def main(arguments):
    at_most = float("inf")
    if "--at-most" in arguments:
        at = arguments.index("--at-most")
        at_most = float(arguments[at + 1])
        del arguments[at:at + 2]
    program, *tables = arguments
    with tempfile.TemporaryDirectory() as folder:
        table = tables[0] if tables else invented_table(folder)
        catalogue = Catalogue(read(table))
        begin = time.process_time()
        run_numpy(catalogue)
        numpy_s = time.process_time() - begin
        output = subprocess.run([program, table, "--benchmark_format=json"], check=True, capture_output=True, text=True)
    runs = {run["name"]: run["cpu_time"] / 1e3 for run in json.loads(output.stdout)["benchmarks"]
            if run["run_type"] == "iteration"}
    growth = runs["study/1000"] / runs["study/250"]
    print(f"{len(catalogue.pmax)} groups, {WORKLOADS} x {JOBS} jobs x {len(CUTS)} cuts x 6 policies x 2 mixes, one core")
    print(f"numpy {np.__version__}: {numpy_s:.2f} s   wattflex: {runs['study/500']:.2f} s   "
          f"ratio {numpy_s / runs['study/500']:.1f}   four times the workloads: {growth:.2f} times the time")
    return 0 if runs["study/500"] <= at_most and growth <= 6 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
