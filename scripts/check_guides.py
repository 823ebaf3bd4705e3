#!/usr/bin/python3
"""Runs every `$ command` of the guides and compares what it prints with what the guide shows, line by line.

usage: scripts/check_guides.py [--fix] [--program PROGRAM] [GUIDE...]

Without guides: all of docs/verbs. The commands of a guide run in the order of the page, in one scratch folder that holds
the repository's `examples`. A line `...` in the output stands for any lines left out; messages on standard error count
where the guide shows some, and stand first. --fix writes what the commands print into the page; what stands between two
`...` is looked for in the new output by its likeness to the old.
"""
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"^```\n(\$ .*?\n)```$", re.MULTILINE | re.DOTALL)
OMITTED = "..."
TIME_LIMIT_S = 300  # the longest takes seconds; a sanitizer's or a busy machine's takes longer


def lines_of(output):
    text = output.decode().rstrip("\n")
    return [line.rstrip() for line in text.split("\n")] if text else []


def printed_by(command, folder, program):
    """Lines on standard error and on standard output."""
    path = os.path.dirname(os.path.abspath(program)) + os.pathsep + os.environ["PATH"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("WATTFLEX_")}
    environment.update(PATH=path, LC_ALL="C.UTF-8")
    ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=TIME_LIMIT_S, check=False)
    return lines_of(ran.stderr), lines_of(ran.stdout)


def pieces_of(lines):
    """Runs of lines between `...`."""
    pieces = [[]]
    for line in lines:
        if line == OMITTED:
            pieces.append([])
        else:
            pieces[-1].append(line)
    return pieces


def places(pieces, actual, likeness):
    """Where each piece stands in the output: the first at its start, the last at its end, the others in order and
    where `likeness` (of a piece and as many lines) is greatest. None where a piece has no place."""
    starts = []
    at = 0
    for i, piece in enumerate(pieces):
        last = len(actual) - len(piece)
        if last < at:
            return None
        if i == 0:
            start = 0
        elif i == len(pieces) - 1:
            start = last
        else:
            start = max(range(at, last + 1), key=lambda s, p=piece: likeness(p, actual[s:s + len(p)]))
        starts.append(start)
        at = start + len(piece)
    return starts


def shows(shown, actual):
    if OMITTED not in shown:
        return shown == actual
    pieces = pieces_of(shown)
    starts = places(pieces, actual, lambda a, b: a == b)
    return starts is not None and all(actual[s:s + len(p)] == p for s, p in zip(starts, pieces))


def refreshed(shown, actual):
    if OMITTED not in shown:
        return actual
    pieces = pieces_of(shown)
    starts = places(pieces, actual, lambda a, b: difflib.SequenceMatcher(None, "\n".join(a), "\n".join(b)).ratio())
    if starts is None:
        return actual
    fresh = []
    for start, piece in zip(starts, pieces):
        fresh += [OMITTED] + actual[start:start + len(piece)]
    return fresh[1:]


def steps_of(block):
    """(command, lines shown after it) of a block."""
    steps = []
    for line in block.rstrip("\n").split("\n"):
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
    return steps


def check(guide, program, fix):
    """The number of examples that differ; with fix, of those mended."""
    with open(guide, encoding="utf-8") as file:
        text = file.read()
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))

        def rerun(match):
            nonlocal differing
            lines = []
            for command, shown in steps_of(match.group(1)):
                messages, actual = printed_by(command, folder, program)
                if any(line.startswith("wattflex: ") for line in shown):
                    actual = messages + actual
                lines.append("$ " + command)
                if shows(shown, actual):
                    lines += shown
                    continue
                differing += 1
                lines += refreshed(shown, actual)
                if not fix:
                    print(f"{os.path.relpath(guide, ROOT)}: $ {command}")
                    print("\n".join(difflib.unified_diff(shown, actual, "guide", "printed", lineterm="", n=0)))
            return "```\n" + "\n".join(lines) + "\n```"

        text = BLOCK.sub(rerun, text)
    if fix and differing:
        with open(guide, "w", encoding="utf-8") as file:
            file.write(text)
    return differing


def main(arguments):
    fix = "--fix" in arguments
    program = os.path.join(ROOT, "build/release/apps/wattflex/wattflex")
    if "--program" in arguments:
        at = arguments.index("--program")
        program = arguments[at + 1]
        del arguments[at:at + 2]
    guides = [argument for argument in arguments if argument != "--fix"]
    guides = guides or sorted(glob.glob(os.path.join(ROOT, "docs/verbs/*.md")))
    if not os.access(program, os.X_OK):
        print(f"{program} is not there; build it with scripts/build.sh release wattflex", file=sys.stderr)
        return 2
    differing = sum(check(guide, program, fix) for guide in guides)
    if differing and not fix:
        print(f"{differing} examples are not what the program prints; run scripts/check_guides.py --fix and read "
              "what changed: the words around an example may need it too", file=sys.stderr)
    return 1 if differing and not fix else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
