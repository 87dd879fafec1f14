"""Source trees: which build system they have, and building copies of them with compilers that are watched."""

import json
import os
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import programs

NAMES = {"cc": ["cc", "gcc", "clang", "clang-22"], "cxx": ["c++", "g++", "clang++", "clang++-22"]}
MAKEFILES = ["GNUmakefile", "makefile", "Makefile"]
BUILD_SECONDS = 4 * 3600


class Failed(Exception):
    """What cannot be done, as a sentence for the user."""


@dataclass(frozen=True)
class Mode:
    """A way to build: flags added to every compilation, how the plugin is asked for its passes, and flags to link with."""

    name: str
    compile: tuple = ()
    link: tuple = ()
    # Words for the passes of `opt`; `None` without the plugin.
    words: str | None = None
    is_parallel: bool = False


def modes(plugin):
    """Every way to build, by name."""
    load, openmp = f"-fpass-plugin={plugin}", "-fopenmp"
    told = ("-mllvm", "-loopwright-parallel")
    every = [
        Mode("plain"),
        Mode("sequential", (load,), (), "no-parallel"),
        Mode("parallel", (load, openmp), (openmp,), "parallel", True),
        Mode("threads", (load, *told), (openmp,), "parallel", True),
        Mode("pragmas", (openmp,), (openmp,), None, True),
    ]
    return {mode.name: mode for mode in every}


def system_of(tree):
    """The tree's build system: cmake, make or commands."""
    if (tree / "CMakeLists.txt").exists():
        return "cmake"
    if any((tree / name).exists() for name in MAKEFILES):
        return "make"
    if (tree / "compile_commands.json").exists():
        return "commands"
    known = "CMakeLists.txt, Makefile or compile_commands.json"
    hint = "; programs of one file each are tried with --each" if any(tree.glob("**/*.c")) or any(tree.glob("**/*.cpp")) else ""
    raise Failed(f"no build system found: {tree} has no {known}{hint}")


@dataclass
class Settings:
    """What all builds of a tree share."""

    tree: Path
    work: Path
    system: str
    flags: list
    jobs: int = 1
    cmake: list = field(default_factory=list)
    make: list = field(default_factory=list)
    prepare: str = ""
    compile_seconds: float = 300


class Build:
    """A copy of the tree, built in one mode."""

    def __init__(self, settings, mode, name, more=()):
        self.settings, self.mode, self.name = settings, mode, name
        self.root = settings.work / name
        self.tree, self.bin = self.root / "tree", self.root / "bin"
        self.place = self.root / "build" if settings.system == "cmake" else self.tree
        self.front = [*settings.flags, *more]
        self.log = self.root / "compilers.jsonl"

    def make(self):
        """Copies and builds. Raises `Failed` with the first file that did not compile, or else with the log's place."""
        emptied(self.root)
        (self.root / "logs").mkdir()
        self.put_wrapper()
        if self.settings.system == "commands":
            return self.compile_commands()
        work = self.settings.work
        skip = lambda folder, names: [n for n in names if n == ".git" or (Path(folder) / n).resolve() == work.resolve()]
        shutil.copytree(self.settings.tree, self.tree, symlinks=True, ignore=skip)
        if self.settings.prepare:
            self.step("prepare", ["sh", "-c", self.words(self.settings.prepare)], self.tree)
        if self.settings.system == "cmake":
            self.step("configure", self.configuration(), self.root)
            self.step("build", ["cmake", "--build", self.place, "-j", str(self.settings.jobs)], self.root)
        else:
            words = [f"CC={self.compiler('cc')}", f"CXX={self.compiler('cxx')}", f"-j{self.settings.jobs}"]
            self.step("build", ["make", *words, *map(self.words, self.settings.make)], self.tree)

    def compiler(self, kind):
        return self.bin / NAMES[kind][0]

    def words(self, text):
        """A text of the user with the compilers' places in it."""
        return text.replace("{cc}", str(self.compiler("cc"))).replace("{cxx}", str(self.compiler("cxx")))

    def configuration(self):
        compilers = [f"-DCMAKE_C_COMPILER={self.compiler('cc')}", f"-DCMAKE_CXX_COMPILER={self.compiler('cxx')}"]
        release = "-DCMAKE_BUILD_TYPE=Release"
        return ["cmake", "-S", self.tree, "-B", self.place, *compilers, release, *map(self.words, self.settings.cmake)]

    def put_wrapper(self):
        self.bin.mkdir()
        for name in (name for names in NAMES.values() for name in names):
            (self.bin / name).symlink_to(Path(__file__).resolve().parent / "wrapper.py")
        drivers = programs.COMPILERS["clang"]
        wanted = {
            "cc": found(drivers[".c"]),
            "cxx": found(drivers[".cpp"]),
            "compile": [*self.front, *self.mode.compile],
            "link": list(self.mode.link),
            "log": str(self.log),
            "logs": str(self.root / "logs"),
            "seconds": self.settings.compile_seconds,
        }
        (self.bin / "wrapper.json").write_text(json.dumps(wanted))

    def environment(self):
        compilers = {"CC": str(self.compiler("cc")), "CXX": str(self.compiler("cxx"))}
        return {**compilers, "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}"}

    def step(self, name, command, place):
        if shutil.which(str(command[0])) is None:
            raise Failed(f"{command[0]} is not there: install it")
        ended = programs.ended(command, BUILD_SECONDS, self.environment(), place)
        log = self.root / "logs" / f"{name}.txt"
        log.write_text(shlex.join(map(str, command)) + "\n" + ended.output + ended.errors)
        if ended.trouble:
            self.complain(f"{self.name}: {name} failed ({ended.trouble.split(':')[0]})", log)

    def complain(self, what, log):
        broken = [entry for entry in self.entries() if entry["code"] != 0]
        if broken:
            first = broken[0]
            what = f"{self.name}: the compiler failed on {', '.join(first['sources']) or 'linking'} in {first['directory']}"
            what += reason(Path(first["log"]))
            log = first["log"]
        raise Failed(f"{what}; log: {log}")

    def compile_commands(self):
        """Compiles what the list says, beside the tree: nothing is linked, and nothing can run."""
        database = self.settings.tree / "compile_commands.json"
        try:
            entries = json.loads(database.read_text())
        except ValueError as problem:
            raise Failed(f"{database} cannot be read: {problem}") from problem
        for number, entry in enumerate(entries):
            arguments = entry.get("arguments") or shlex.split(entry["command"])
            kind = "cxx" if re.search(r"\+\+", Path(arguments[0]).name) else "cc"
            words = [self.compiler(kind), *only_compiling(arguments[1:]), "-o", self.root / f"{number}.o"]
            ended = programs.ended(words, BUILD_SECONDS, self.environment(), entry["directory"])
            if ended.trouble:
                self.complain(f"{self.name}: {entry['file']} failed", self.root / "logs")

    def entries(self):
        """What the compilers wrote down."""
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def files(self):
        """User seconds of the compilers by source, its place being told from the copy."""
        times = {}
        for entry in self.entries():
            if entry["compiles"]:
                name = " ".join(self.relative(entry, source) for source in entry["sources"])
                times[name] = times.get(name, 0.0) + entry["user"]
        return times

    def relative(self, entry, source):
        path = os.path.normpath(os.path.join(entry["directory"], source))
        for root in (self.tree, self.root, self.settings.tree):
            if Path(path).is_relative_to(root):
                return str(Path(path).relative_to(root))
        return path


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def found(driver):
    path = shutil.which(driver)
    if path is None:
        raise Failed(f"{driver} is not there: run scripts/setup")
    return path


def only_compiling(arguments):
    """The words of a compiler's call without what it links, where its output goes, and files of dependences; with `-c`."""
    kept, skip = [], False
    for word in arguments:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT", "-MQ", "-MJ"):
            skip = True
        elif word not in ("-c", "-S", "-MD", "-MMD", "-MP", "-MG") and not re.match(r"-o.|-(MF|MT|MQ).|-l.|-Wl,", word):
            kept.append(word)
    return [*kept, "-c"]


def reason(log):
    line = programs.telling_line(log.read_text(errors="replace")) if log.exists() else ""
    return line and f" ({line.removeprefix(': ')})"

