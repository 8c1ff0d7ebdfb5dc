#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a test looks at the clock: a busy machine would decide what it says.

What a unit test or a command-line test asserts about cost is a count of work: evaluations, steps, allocations, kernels, instructions
(benchmarks/costs). Files that are run by a CTest test with the label `timed` may look at the clock; such a test also says RUN_SERIAL, so that
no other runs alongside, and there are at most FEW of them. A limit on how long a test may hang (timeout=…) asserts nothing.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CMAKE = "tests/program.cmake"  # lists the tests of the whole program
FEW = 3
CLOCKS = {
    ".cpp": r"<(chrono|ctime|sys/time\.h|sys/resource\.h)>|base/clock\.h|\b\w+_clock\b|\bclock_t\b|\bclock\s*\(|\bClock::now\b|\bseconds_since\b"
            r"|\bclock_gettime\b|\bgettimeofday\b|\bgetrusage\b|\b__rdtsc\b|\b(report|statistics|statistics\(\)|timing)\.seconds\w*"
            r"|(EXPECT|ASSERT)_\w+\([^;]*\bseconds(_\w+)?\b",
    ".py": r"\btime\.(time|monotonic|perf_counter|process_time|thread_time)(_ns)?\b|\bfrom time import|\bdatetime\b.*\bnow\(|\btimeit\b|\bgetrusage\b"
           r"|\[\s*[\"'](timing|cost|seconds\w*|simulations)[\"']\s*\]",
    ".sh": r"\bSECONDS\b|\bdate \+|/usr/bin/time\b|^\s*time\s",
    ".test": r"\b(cost\.(seconds|simulations?)|simulations|timing|seconds(_\w+)?)\b|\$SECONDS\b|\bdate \+|/usr/bin/time\b|\btime\.(time|monotonic|perf_counter)\b",
}
CLOCKS[".h"] = CLOCKS[".c"] = CLOCKS[".cpp"]
EXEMPT = {"tests/corpora"}  # their tables list seconds, nothing compares them


def timed(errors):
    """Paths, from the root, that tests labelled `timed` run and others do not."""
    text = (ROOT / CMAKE).read_text(encoding="utf8")
    text = re.sub(r"#[^\n]*", "", text)
    commands = {name: command for name, command in re.findall(r"add_test\(\s*NAME\s+(\S+)\s+COMMAND\s+((?:[^()]|\([^()]*\))*)\)", text)}
    names = set()
    for listed, properties in re.findall(r"set_tests_properties\(([^()]*?)\bPROPERTIES\b([^()]*)\)", text):
        if not re.search(r"\bLABELS\s+\"?[\w;]*\btimed\b", properties):
            continue
        names |= set(listed.split())
        if not re.search(r"\bRUN_SERIAL\s+(TRUE|ON|1)\b", properties):
            errors.append(f"{CMAKE}: {listed.strip()} is `timed` and must be RUN_SERIAL")
    if len(names) > FEW:
        errors.append(f"{CMAKE}: {len(names)} tests are `timed`, at most {FEW} may be: {', '.join(sorted(names))}")
    runs = {name: set(re.findall(r"[\w./]+\.(?:test|py|sh)\b", command.replace("${CMAKE_CURRENT_SOURCE_DIR}", "tests").replace("${PROJECT_SOURCE_DIR}/", "")))
            for name, command in commands.items()}
    others = {path for name, paths in runs.items() if name not in names for path in paths}
    found = set()
    for name in names:
        own = runs.get(name, set()) - others
        if not own:
            errors.append(f"{CMAKE}: the timed test {name} runs no file of its own")
        found |= own
    return found


def check(file, errors):
    pattern = re.compile(CLOCKS[file.suffix])
    comment = "//" if file.suffix in (".cpp", ".h", ".c") else "#"
    for number, line in enumerate(file.read_text(encoding="utf8").splitlines(), 1):
        code = line if line.lstrip().startswith("#include") else "" if line.lstrip().startswith(comment) else line
        if file.suffix == ".test" and not line.startswith(("$ ", "check ", "let ")):
            code = ""
        match = pattern.search(code)
        if match:
            errors.append(f"{file.relative_to(ROOT)}:{number}: `{match.group(0)}`: a test counts work, or is labelled `timed` ({CMAKE})")


def main():
    errors = []
    may = timed(errors)
    files = [file for file in sorted((ROOT / "tests").rglob("*")) if file.suffix in CLOCKS and file.is_file()]
    files = [file for file in files if file.relative_to(ROOT).as_posix() not in may and
             not any(file.relative_to(ROOT).as_posix().startswith(folder + "/") for folder in EXEMPT)]
    for file in files:
        check(file, errors)
    print("\n".join(errors) if errors else f"{len(files)} files of tests do not look at the clock")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
