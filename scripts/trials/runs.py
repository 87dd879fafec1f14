"""Runs of what was built, in turns, and whether they say the same."""

import math
import os
import re
import resource
import statistics
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field
from itertools import zip_longest

import programs
from trials import trees

NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?|[-+]?\b(?:nan|inf)\b)", re.IGNORECASE)
# A run may take so many times plain clang's first one, and at least so many seconds, before it counts as hanging.
PATIENCE, LEAST_PATIENCE = 10, 60
# What is shown of a line that differs.
WIDTH = 120
# Lines in which test programs of make say how each test ended.
VERDICT = re.compile(r"^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): .*$", re.MULTILINE)


@dataclass
class Outcome:
    """What a run said: how it ended, the texts that are compared by name, and seconds: on the clock, of processors, and by test."""

    trouble: str
    texts: dict
    seconds: float
    processor: float = 0.0
    tests: dict = field(default_factory=dict)


class Command:
    """A command of the user, in a folder of each copy."""

    def __init__(self, line, place=".", outputs=()):
        self.line, self.place, self.outputs = line, place, outputs

    def run(self, build, environment, seconds):
        folder = build.place / self.place
        if not folder.is_dir():
            raise trees.Failed(f"{folder} is not there to run the command in")
        ended = programs.ended(["sh", "-c", build.words(self.line)], seconds, environment, folder)
        texts = {"output": ended.output.replace(str(build.root), "")}
        for pattern in self.outputs:
            for path in sorted(folder.glob(pattern)):
                texts[str(path.relative_to(folder))] = path.read_text(errors="replace")
        trouble = ended.trouble.split(":")[0]
        return Outcome(trouble, texts, ended.seconds)


class Tests:
    """The tree's own tests: ctest's, or those of make."""

    def __init__(self, system, target):
        self.system, self.target = system, target

    def run(self, build, environment, seconds):
        report = build.root / "tests.xml"
        commands = {
            "cmake": ["ctest", "--output-junit", report, "--timeout", str(math.ceil(seconds))],
            "make": ["make", self.target],
        }
        ended = programs.ended(commands[self.system], seconds, {**build.environment(), **environment}, build.place)
        if self.system == "make":
            return Outcome(ended.trouble.split(":")[0], {"verdicts": "\n".join(m[0] for m in VERDICT.finditer(ended.output))}, ended.seconds)
        cases = list(xml.parse(report).getroot().iter("testcase")) if report.exists() else []
        verdicts = [f"{case.get('name')}: {case.get('status')}" for case in cases]
        tests = {case.get("name"): float(case.get("time") or 0) for case in cases}
        trouble = "" if cases else ended.trouble or "ctest ran no test"
        return Outcome(trouble, {"verdicts": "\n".join(sorted(verdicts))}, sum(tests.values()), tests=tests)


def tests_of(build):
    """The tests that a built tree has; `None` if it has none."""
    if build.settings.system == "cmake":
        listed = programs.ended(["ctest", "-N"], LEAST_PATIENCE, None, build.place)
        count = re.search(r"Total Tests: (\d+)", listed.output)
        return Tests("cmake", "") if count and int(count[1]) > 0 else None
    if build.settings.system == "make":
        for target in ("check", "test"):
            if not programs.ended(["make", "-n", target], LEAST_PATIENCE, None, build.place).trouble:
                return Tests("make", target)
    return None


class Contestant:
    """A build on a number of threads: its runs so far, and what was wrong with them."""

    def __init__(self, build, threads):
        self.build, self.threads = build, threads
        self.name = f"{build.mode.name}, {threads} thread{'s' if threads > 1 else ''}" if build.mode.is_parallel else build.mode.name
        self.outcomes, self.trouble = [], ""

    def environment(self):
        return {"OMP_NUM_THREADS": str(self.threads), "OMP_DYNAMIC": "false"}

    def run(self, what, seconds):
        before = processor_seconds()
        outcome = what.run(self.build, self.environment(), seconds)
        outcome.processor = processor_seconds() - before
        self.outcomes.append(outcome)
        return outcome

    def median(self):
        return statistics.median(outcome.seconds for outcome in self.outcomes)

    def processor_median(self):
        return statistics.median(outcome.processor for outcome in self.outcomes)

    def test_medians(self):
        names = self.outcomes[0].tests
        return {name: statistics.median(outcome.tests.get(name, math.nan) for outcome in self.outcomes) for name in names}


def processor_seconds():
    """What all commands that ended so far took of processors: other programs on the machine disturb it less than the clock."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Comparison:
    """When two texts say the same: exactly, or as far as their numbers are as near as this."""

    def __init__(self, tolerance, ignored):
        self.tolerance = tolerance
        self.ignored = [re.compile(pattern) for pattern in ignored]

    def lines(self, text):
        return [line for line in text.splitlines() if not any(pattern.search(line) for pattern in self.ignored)]

    def difference(self, expected, got):
        """The first difference of two outcomes, as a sentence; empty if there is none."""
        ends = self.of_ends(expected, got)
        if ends:
            return ends
        for name in sorted({*expected.texts, *got.texts}):
            if name not in got.texts or name not in expected.texts:
                return f"{name} is there only {'without' if name in expected.texts else 'with'} the plugin"
            told = self.of_texts(expected.texts[name], got.texts[name])
            if told:
                return f"{name}, {told}"
        return ""

    @staticmethod
    def of_ends(expected, got):
        same = expected.trouble == got.trouble
        return "" if same else f"{got.trouble or 'ended well'}, and not: {expected.trouble or 'ended well'}"

    def of_texts(self, expected, got):
        for number, (a, b) in enumerate(zip_longest(self.lines(expected), self.lines(got)), 1):
            if a is None or b is None or not self.alike(a, b):
                shown = ["(end)" if line is None else repr(line[:WIDTH]) for line in (b, a)]
                return f"line {number}: {shown[0]} and not {shown[1]}"
        return ""

    def alike(self, a, b):
        if a == b or self.tolerance is None:
            return a == b
        a, b = NUMBER.split(a), NUMBER.split(b)
        return len(a) == len(b) and all(self.near(*pair) if at % 2 else pair[0] == pair[1] for at, pair in enumerate(zip(a, b)))

    def near(self, a, b):
        a, b = (float(text.lower().replace("d", "e")) for text in (a, b))
        return a == b or math.isnan(a) and math.isnan(b) or abs(a - b) <= self.tolerance * max(1.0, abs(a), abs(b))


def in_turns(what, contestants, runs, limit):
    """Runs all, A B A B; the first is plain clang, whose trouble is everybody's."""
    plain = contestants[0]
    for _ in range(runs):
        for contestant in contestants:
            seconds = limit if contestant is plain else max(LEAST_PATIENCE, PATIENCE * plain.outcomes[0].seconds)
            contestant.run(what, seconds)


def judge(contestants, comparison):
    """Notes for each contestant how it differs from plain clang's; only in how it ended, if that differs from run to run itself."""
    plain = contestants[0]
    expected = plain.outcomes[0]
    own = next(filter(None, (comparison.difference(expected, outcome) for outcome in plain.outcomes[1:])), "")
    plain.trouble = f"changes from run to run (see --ignore, --tolerance): {own}" if own else ""
    difference = comparison.of_ends if own else comparison.difference
    for contestant in contestants[1:]:
        contestant.trouble = next(filter(None, (difference(expected, outcome) for outcome in contestant.outcomes)), "")


def sampled(what, contestant, library, folder, seconds):
    """Runs once with the sampler."""
    trees.emptied(folder)
    preload = os.pathsep.join(filter(None, [str(library), os.environ.get("LD_PRELOAD", "")]))
    watched = {"LD_PRELOAD": preload, "LOOPWRIGHT_SAMPLES": str(folder), "LOOPWRIGHT_SAMPLES_BELOW": str(contestant.build.root)}
    return what.run(contestant.build, {**contestant.environment(), **watched}, seconds)
