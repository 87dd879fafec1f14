"""The C programs of llvm-tests/kernels, and how to build and run them safely.

`scripts/bench` and `scripts/end-to-end` share this file. A build or a run never raises and never hangs: it ends in a
value that says what came out or what went wrong, and whatever it started is ended with it.
"""

import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PLUGIN = TARGET / "release" / "libloopwright.so"
SOURCES = ROOT / "llvm-tests" / "kernels"

OPTIMIZED = ["-O3", "-march=native"]
COMPILERS = {"clang": {".c": "clang-22", ".cpp": "clang++-22"}, "gcc": {".c": "gcc", ".cpp": "g++"}}

# Says how long a command has been at it: `[*PROGRESS, "what is done", "cargo", ...]`.
PROGRESS = [str(ROOT / "scripts" / "progress")]

# Generous: the promise is 10 s for one file, and the machine may be busy.
BUILD_SECONDS = 120


@dataclass(frozen=True, order=True)
class Program:
    """One source file. `group` is kernels, shapes or more."""

    group: str
    name: str
    path: Path

    def nests(self):
        """Lines of the outermost `for` loops of the function `kernel_...`, as clang-format indents them."""
        lines, inside = [], False
        for number, text in enumerate(self.path.read_text().splitlines(), 1):
            if text.startswith("void kernel_"):
                inside = True
            elif text == "}":
                inside = False
            elif inside and text.startswith("  for ("):
                lines.append(number)
        return lines


def every_program():
    found = [Program("kernels", path.stem, path) for path in sorted(SOURCES.glob("*.c"))]
    for group in ("shapes", "more"):
        folder = SOURCES / group
        found += [Program(group, path.stem, path) for path in sorted(folder.glob("*.c")) + sorted(folder.glob("*.cpp"))]
    return found


def chosen(names, groups):
    """The programs of these groups, or of these names; an unknown name ends the script."""
    programs = [program for program in every_program() if program.group in groups]
    unknown = set(names) - {program.name for program in programs}
    if unknown:
        known = ", ".join(program.name for program in programs)
        raise SystemExit(f"no such program: {', '.join(sorted(unknown))}; there are: {known}")
    return [program for program in programs if not names or program.name in names]


@dataclass
class Ended:
    """How a command ended: `trouble` is empty if it ended well."""

    trouble: str
    seconds: float
    output: str
    errors: str


def ended(command, timeout, environment=None, directory=None):
    """Runs a command in a group of its own, with a time limit after which the whole group is ended."""
    started = time.monotonic()
    try:
        child = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
            cwd=directory,
            start_new_session=True,
            text=True,
            errors="replace",
        )
    except OSError as problem:
        return Ended(f"cannot start {command[0]}: {problem.strerror}", 0.0, "", "")
    trouble = ""
    try:
        output, errors = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        output, errors = child.communicate()
        trouble = f"still running after {timeout:g} s"
    seconds = time.monotonic() - started
    if not trouble and child.returncode < 0:
        trouble = f"ended by {signal.Signals(-child.returncode).name}"
    elif not trouble and child.returncode > 0:
        trouble = f"exit code {child.returncode}{telling_line(errors)}"
    return Ended(trouble, seconds, output, errors)


def telling_line(errors):
    """The line of an error output that says most."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    for pattern in (r"panicked at", r"Assertion|UNREACHABLE|LLVM ERROR", r"\berror\b", r"internal compiler error"):
        for line in lines:
            if re.search(pattern, line):
                return ": " + line[:160]
    return ": " + lines[-1][:160] if lines else ""


def build(program, compiler, flags, output, timeout=BUILD_SECONDS, environment=None):
    """Compiles and links one program."""
    driver = COMPILERS[compiler][program.path.suffix]
    output.parent.mkdir(parents=True, exist_ok=True)
    return ended([driver, *OPTIMIZED, *flags, program.path, "-o", output, "-lm"], timeout, environment)


@dataclass
class Ran:
    """One run of a built program; `digest` is empty if there is `trouble`."""

    trouble: str
    digest: str
    seconds: float


def run(binary, threads, timeout, environment=None):
    outcome = ended([binary], timeout, {"OMP_NUM_THREADS": str(threads), "OMP_DYNAMIC": "false", **(environment or {})})
    if outcome.trouble:
        return Ran(outcome.trouble, "", 0.0)
    digest = re.search(r"^digest ([0-9a-f]{16})$", outcome.output, re.MULTILINE)
    seconds = re.search(r"^seconds ([0-9.]+)$", outcome.errors, re.MULTILINE)
    if not digest or not seconds:
        return Ran("printed no digest", "", 0.0)
    return Ran("", digest.group(1), float(seconds.group(1)))


def require_plugin():
    if not PLUGIN.exists():
        raise SystemExit(f"{PLUGIN} is not there: run `cargo build --release` first")
    return f"-fpass-plugin={PLUGIN}"
