"""The loop nests of a tree: where they are, what became of them, and what they take, by the model and by looks at the running program.

Where: clang notes the first and the last line of each loop in its IR; a nest is a loop in no other loop of its function. What became of it:
remarks of the plugin, run by `opt` on that IR. The model's time: its printer of schedules, which calls statements by their lines.
"""

import os
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import programs
from trials import trees

OPT_SECONDS = 600
SYMBOLIZER = "llvm-symbolizer-22"
SAMPLES = Path(__file__).resolve().parent / "samples.c"

LOOP = re.compile(r"!llvm\.loop !(\d+)")
NODE = re.compile(r"^!(\d+) = (?:distinct )?!(\w+)?[({](.*)[)}]$", re.MULTILINE)
FIELD = re.compile(r"(\w+): (?:!(\d+)|\"([^\"]*)\"|(\d+))")
REMARK = re.compile(r"^remark: (.*?):(\d+):(\d+): (.*)$", re.MULTILINE)
SCHEDULE = re.compile(r"^# predicted time: (\d+) \(the program's own order: (\d+)\)\n(?:# pays: .*\n)?(domain: .*)$", re.MULTILINE)
STATEMENT = re.compile(r"\bS(\d+)[a-z]*\[")
LEFT, IN_ORDER, BROKEN = "loop nest left as it was: ", " runs in order: ", "internal error"


@dataclass
class Nest:
    """An outermost loop nest of the source, and what is known of it by mode."""

    file: str
    first: int
    last: int
    function: str
    done: dict = field(default_factory=dict)
    missed: dict = field(default_factory=dict)
    # The model's times: of the program's own order, and of what is done.
    predicted: dict = field(default_factory=dict)
    # Seconds by looks at the running program.
    measured: dict = field(default_factory=dict)

    def place(self):
        return f"{self.file}:{self.first}"

    def holds(self, file, line):
        return file == self.file and self.first <= line <= self.last


class Nests:
    """All nests of a tree, from every source file and mode; headers that several files include count once."""

    def __init__(self):
        self.by_place = {}
        self.trouble = []
        self.broken = []

    def nest(self, file, first, last, function):
        key = (file, first)
        known = self.by_place.get(key)
        if known is None:
            known = self.by_place[key] = Nest(file, first, last, function)
        known.last = max(known.last, last)
        return known

    def at(self, file, line):
        """The nest around a line: the smallest, should there be several."""
        around = [nest for nest in self.by_place.values() if nest.holds(file, line)]
        return min(around, key=lambda nest: nest.last - nest.first, default=None)

    def examine(self, build, mode, words, plugin):
        """Adds what the plugin says of all files of a build, as it would in another mode."""
        folder = build.root / "nests"
        folder.mkdir(exist_ok=True)
        seen = set()
        for entry in build.entries():
            for source in entry["sources"] if entry["compiles"] and entry["code"] == 0 else []:
                key = (os.path.join(entry["directory"], source), tuple(entry["arguments"]))
                if key not in seen:
                    seen.add(key)
                    self.examine_file(build, mode, words, plugin, entry, source, folder / "unoptimized.ll")

    def examine_file(self, build, mode, words, plugin, entry, source, ir):
        name = build.relative(entry, source)
        others = {other for other in entry["sources"] if other != source}
        arguments = [word for word in trees.only_compiling(entry["arguments"]) if word not in others and word != "-c"]
        unoptimized = ["-w", "-g", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-Qunused-arguments", "-o", ir]
        # Of the mode's flags this one says what the source means; the others are for the plugin.
        flags = [word for word in mode.compile if word == "-fopenmp"]
        command = [entry["driver"], *arguments, *build.front, *flags, *unoptimized]
        made = programs.ended(command, OPT_SECONDS, None, entry["directory"])
        if made.trouble:
            return self.trouble.append(f"{name}: cannot be written as IR: {made.trouble}")
        module = Module(ir.read_text(errors="replace"))
        for file, first, last, function in module.loops():
            self.nest(build.relative(entry, file), first, last, function)
        passes = f"print<loopwright-schedule;{words}>,loopwright<{words}>"
        say = [f"-pass-remarks{kind}=loopwright" for kind in ("", "-missed")]
        told = programs.ended(["opt-22", f"-load-pass-plugin={plugin}", f"-passes={passes}", *say, "-disable-output", ir], OPT_SECONDS)
        if told.trouble:
            self.trouble.append(f"{name}: {mode.name}: {told.trouble}")
        self.read(mode.name, name, told.errors, lambda file: build.relative(entry, module.path(file)))

    def read(self, mode, source, text, path):
        """Takes in remarks and printed schedules of one file; `path` tells which file a remark means."""
        for file, line, _, said in REMARK.findall(text):
            if BROKEN in said:
                self.broken.append(f"{source}: {mode}: {said}")
            if IN_ORDER in said:
                continue
            nest = self.nest(path(file), int(line), int(line), "")
            if said.startswith(LEFT):
                nest.missed[mode] = said.removeprefix(LEFT)
            else:
                nest.done[mode] = said
        for after, before, domain in SCHEDULE.findall(text):
            lines = sorted({int(line) for line in STATEMENT.findall(domain)})
            nests = {id(nest): nest for nest in (self.at(source, line) for line in lines) if nest}
            for nest in nests.values():
                old_before, old_after = nest.predicted.get(mode, (0, 0))
                nest.predicted[mode] = (old_before + int(before), old_after + int(after))

    def measure(self, name, build, folder):
        """Adds what looks at the runs of a build say; the seconds outside of all nests come back."""
        elsewhere = 0.0
        for seconds, frames in looks(folder):
            nest = next(filter(None, (self.at(self.of_copy(build, file), line) for file, line in frames)), None)
            if nest is None:
                elsewhere += seconds
            else:
                nest.measured[name] = nest.measured.get(name, 0.0) + seconds
        return elsewhere

    @staticmethod
    def of_copy(build, file):
        return build.relative({"directory": str(build.tree)}, file)

    def reasons(self, mode):
        """How many nests are missed, by reason."""
        return Counter(general(nest.missed[mode]) for nest in self.by_place.values() if mode in nest.missed and mode not in nest.done)


def general(reason):
    """A reason without names, numbers and places, so that alike ones are counted together."""
    reason = re.sub(r" \(at [^)]*\)", "", reason)
    reason = re.sub(r"'[^']*'", "'...'", reason)
    return re.sub(r"\b\d+(:\d+)?\b", "N", reason)[:160]


class Module:
    """What the text of a module says about places in the source."""

    def __init__(self, ir):
        self.loop_nodes = LOOP.findall(ir)
        self.nodes = {number: (kind, body) for number, kind, body in NODE.findall(ir)}
        self.known = {}
        files = [self.fields(number) for number, (kind, _) in self.nodes.items() if kind == "DIFile"]
        self.files = {file.get("filename", ""): self.joined(file) for file in files}

    @staticmethod
    def joined(file):
        return os.path.join(file.get("directory", ""), file.get("filename", ""))

    def path(self, name):
        """The whole path of a file that is called so in remarks."""
        return self.files.get(name, name)

    def fields(self, number):
        if number not in self.known:
            self.known[number] = {key: ref or text or value for key, ref, text, value in FIELD.findall(self.nodes.get(number, ("", ""))[1])}
        return self.known[number]

    def kind(self, number):
        return self.nodes.get(number, ("", ""))[0]

    def home(self, scope):
        """The function around a scope, and the scope's file."""
        file = self.fields(scope).get("file", "")
        while self.kind(scope).startswith("DILexicalBlock"):
            scope = self.fields(scope).get("scope", "")
            file = file or self.fields(scope).get("file", "")
        return self.fields(scope).get("name", ""), self.joined(self.fields(file))

    def loops(self):
        """The outermost loops of each function: (file, first line, last line, function)."""
        found = set()
        for number in self.loop_nodes:
            places = [place for place in re.findall(r"!(\d+)", self.nodes.get(number, ("", ""))[1]) if self.kind(place) == "DILocation"]
            if len(places) >= 2:
                first, last = (int(self.fields(place).get("line", 0)) for place in places[:2])
                function, file = self.home(self.fields(places[0]).get("scope", ""))
                found.add((file, first, max(first, last), function))
        around = lambda a, b: a != b and a[0] == b[0] and a[3] == b[3] and b[1] <= a[1] and a[2] <= b[2]
        return sorted(a for a in found if not any(around(a, b) for b in found))


def sampler(work):
    """The preloaded library that looks at programs, built; raises `Failed`."""
    library = work / "samples.so"
    built = programs.ended(["clang-22", "-O2", "-fPIC", "-shared", SAMPLES, "-o", library, "-lgcc_s"], programs.BUILD_SECONDS)
    if built.trouble:
        raise trees.Failed(f"the sampler does not compile: {built.trouble}")
    return library


def looks(folder):
    """Each kind of look at the programs that ran: (seconds, lines from the innermost outwards)."""
    counts, period = Counter(), 0.0
    for path in sorted(Path(folder).glob("*.txt")):
        objects = {}
        for line in path.read_text().splitlines():
            words = line.split(" ", 2)
            if words[0] == "period":
                period = int(words[1]) / 1e9
            elif words[0] == "object":
                objects[words[1]] = words[2]
            else:
                places = [frame.split(":") for frame in line.split()[1:]]
                counts[tuple((objects[number], offset) for number, offset in places)] += int(words[0])
    lines = symbols({frame for frames in counts for frame in frames})
    for frames, count in counts.items():
        yield count * period, [place for frame in frames for place in lines[frame]]


def symbols(frames):
    """Source lines of addresses, what is inlined first: {(object, address): [(file, line)]}."""
    asked = sorted(frames)
    text = "".join(f'"{path}" 0x{offset}\n' for path, offset in asked)
    answer = subprocess.run([SYMBOLIZER, "--output-style=LLVM", "--no-demangle"], input=text, capture_output=True, text=True, check=True)
    blocks = answer.stdout.split("\n\n")
    return {frame: places(block) for frame, block in zip(asked, blocks)}


def places(block):
    found = []
    for line in block.splitlines():
        match = re.fullmatch(r"(/.*):(\d+):\d+", line)
        if match and int(match[2]) > 0:
            found.append((match[1], int(match[2])))
    return found
