"""A folder of programs of one file each, as in a test suite: each is built, run and compared by itself."""

from dataclasses import dataclass, field

import programs
from trials import runs, trees

LIBRARIES = ["-lm", "-pthread"]
# Where plain clang's first run takes less, one run is enough: its time says nothing.
WORTH_TIMING = 0.1


def sources(tree):
    return sorted(path for suffix in programs.COMPILERS["clang"] for path in tree.rglob(f"*{suffix}"))


class EachBuild(trees.Build):
    """Every program of a folder, compiled where it lies, in one mode."""

    def make(self):
        self.failed = {}
        trees.emptied(self.root)
        (self.root / "logs").mkdir()
        self.put_wrapper()

    def binary(self, source):
        return self.root / "programs" / source.relative_to(self.settings.tree)

    def object(self, source):
        binary = self.binary(source)
        return binary.with_name(binary.name + ".o")

    def compile(self, source):
        """Compiles and links one program: what went wrong, or nothing."""
        binary, compiler = self.binary(source), self.compiler("cc" if source.suffix == ".c" else "cxx")
        binary.parent.mkdir(parents=True, exist_ok=True)
        compiling = [compiler, "-c", source, "-o", self.object(source)]
        for step in (compiling, [compiler, self.object(source), "-o", binary, *LIBRARIES]):
            ended = programs.ended(step, trees.BUILD_SECONDS, None, source.parent)
            if ended.trouble:
                return ended.trouble
        return ""


class Program:
    """Runs one program of a build in an empty folder, by the same name in each mode."""

    def __init__(self, source):
        self.source = source

    def run(self, build, environment, seconds):
        place = trees.emptied(build.settings.work / "run")
        (place / self.source.stem).symlink_to(build.binary(self.source))
        ended = programs.ended([f"./{self.source.stem}"], seconds, environment, place)
        return runs.Outcome(ended.trouble.split(":")[0], {"output": ended.output, "errors": ended.errors}, ended.seconds)


@dataclass
class Tally:
    """What became of the programs: how many came out right, and which did not, with the reason."""

    right: int = 0
    unchanged: int = 0
    as_reference: int = 0
    skipped: dict = field(default_factory=dict)
    not_as_reference: dict = field(default_factory=dict)
    unstable: dict = field(default_factory=dict)
    wrong: dict = field(default_factory=dict)
    # Medians by program and contestant, where they say anything.
    seconds: dict = field(default_factory=dict)


def differs_from_reference(source, outcome, comparison):
    """How plain clang's output differs from the reference output beside the source, which may end in the exit code; `None` without one."""
    path = source.with_suffix(".reference_output")
    if not path.exists():
        return None
    expected, got = path.read_text(errors="replace").rstrip(), outcome.texts["output"].rstrip()
    code = outcome.trouble.removeprefix("exit code ") or "0"
    with_code = f"{got}\nexit {code}".lstrip("\n")
    return comparison.of_texts(expected, with_code) and comparison.of_texts(expected, got)


def attempt(source, contestants, comparison, limits, tally):
    """Builds, runs and judges one program. `limits` is (seconds for a run of plain clang's program, runs where time counts)."""
    name = str(source.relative_to(contestants[0].build.settings.tree))
    limit, count = limits
    plain = contestants[0]
    plain.outcomes = []
    trouble = plain.build.compile(source)
    if trouble:
        tally.skipped[name] = f"does not compile: {trouble}"
        return
    program = Program(source)
    expected = plain.run(program, limit)
    if expected.trouble and not expected.trouble.startswith("exit code"):
        tally.skipped[name] = expected.trouble
        return
    told = differs_from_reference(source, expected, comparison)
    tally.as_reference += told == ""
    if told:
        tally.not_as_reference[name] = told
    built, wrong = [], {}
    for build in dict.fromkeys(contestant.build for contestant in contestants[1:]):
        trouble = build.compile(source)
        if trouble:
            wrong[build.mode.name] = f"does not compile: {trouble}"
        elif build.object(source).read_bytes() == plain.build.object(source).read_bytes():
            tally.unchanged += 1
        else:
            built.append(build)
    rivals = [contestant for contestant in contestants[1:] if contestant.build in built]
    for rival in rivals:
        rival.outcomes = []
    is_timed = expected.seconds >= WORTH_TIMING
    if rivals:
        # Plain clang's program has run once; that it runs once more tells whether its output is always the same.
        runs.in_turns(program, [plain, *rivals], count if is_timed else 1, limit)
    runs.judge([plain, *rivals], comparison)
    if plain.trouble:
        tally.unstable[name] = plain.trouble
    wrong |= {rival.name: rival.trouble for rival in rivals if rival.trouble}
    tally.right += not wrong
    if wrong:
        tally.wrong[name] = wrong
    if is_timed and rivals:
        tally.seconds[name] = {contestant.name: contestant.median() for contestant in (plain, *rivals)}
