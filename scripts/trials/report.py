"""What `scripts/try` says, as tables and as data."""

import math
import sys

from trials import nests

# A file is slow to compile if it takes more than so many times plain clang's time and so many seconds more.
SLOW_FACTOR, SLOW_SECONDS = 2.0, 0.3
# Tests of a shorter time say nothing about speed.
WORTH_TIMING = 0.1
# What is less than so many times as fast as plain clang's is listed.
SLOWER = 0.97


class Report:
    """Prints as things become known, and keeps all of it in `data`; `wrong` is what makes the trial fail."""

    def __init__(self, tree, system, arguments):
        self.top = arguments.top
        self.runs = arguments.runs
        self.wrong = []
        self.data = {"tree": str(tree), "system": system, "modes": arguments.modes, "flags": arguments.flags}
        print(f"{tree.name}: {system}, {', '.join(arguments.modes)}", flush=True)

    def note(self, text):
        print(f"note: {text}", flush=True)

    def progress(self, number, count, name):
        if sys.stderr.isatty():
            print(f"\r\033[K{number}/{count} {name}"[:100], end="\n" if number == count else "", file=sys.stderr, flush=True)

    def section(self, title):
        print(f"\n{title}", flush=True)

    def rows(self, rows):
        """Columns: the first to the left, the others to the right, a last one of text to the left."""
        widths = [max((len(row[column]) for row in rows if column < len(row)), default=0) for column in range(max(map(len, rows)))]
        for row in rows:
            cells = [cell.ljust(widths[0]) if column == 0 else cell.rjust(widths[column]) for column, cell in enumerate(row)]
            print("  " + "  ".join(cells).rstrip())
        sys.stdout.flush()

    def shortened(self, count):
        if count > self.top:
            print(f"  ... and {count - self.top} more (--top, --json)")

    def compile_times(self, builds):
        plain = builds[0].files()
        self.section("compile time: user seconds of the compilers")
        rows, table, slower = [["", "seconds", "times plain", f"files over {SLOW_FACTOR:g} times + {SLOW_SECONDS:g} s"]], {}, []
        for build in builds:
            times = {name: seconds for name, seconds in build.files().items() if name in plain}
            over = [name for name, seconds in times.items() if seconds > SLOW_FACTOR * plain[name] + SLOW_SECONDS]
            total, base = sum(times.values()), sum(plain[name] for name in times)
            rows.append([build.mode.name, f"{total:.2f}", f"{ratio(total, base):.2f}", f"{len(over)} of {len(times)}"])
            table[build.mode.name] = {"seconds": total, "over_plain": ratio(total, base), "files": times, "over": over}
            if build is not builds[0]:
                slower += [(seconds - plain[name], name, build.mode.name, seconds) for name, seconds in times.items()]
        self.rows(rows)
        self.data["compile"] = table
        self.section("slowest files to compile: user seconds over plain clang's")
        rows = [["", "plain", "plugin", "times"]]
        for _, name, mode, seconds in sorted(slower, reverse=True)[: self.top]:
            rows.append([f"{name} ({mode})", f"{plain[name]:.2f}", f"{seconds:.2f}", f"{ratio(seconds, plain[name]):.1f}"])
        self.rows(rows)

    def speed(self, field):
        plain = field[0].median()
        self.section(f"speed: median of {self.runs}, in turns")
        rows, table = [["", "seconds", "speed-up", "processor seconds", ""]], []
        for one in field:
            median, up, mark = one.median(), ratio(plain, one.median()), "DIFFERS" if one.trouble and one is not field[0] else ""
            rows.append([one.name, f"{median:.3f}", f"{up:.2f}", f"{one.processor_median():.3f}", mark])
            runs = {"seconds": [run.seconds for run in one.outcomes], "processor": [run.processor for run in one.outcomes]}
            table.append({"name": one.name, "median": median, "speedup": up, "trouble": one.trouble, **runs})
        self.rows(rows)
        self.data["speed"] = table
        for one in field:
            self.judged(one.name, one.trouble, one is field[0])
        if field[0].outcomes[0].trouble:
            self.note(f"plain clang's ends so too: {field[0].outcomes[0].trouble}")
        self.tests(field)

    def judged(self, name, trouble, is_plain):
        if trouble and is_plain:
            self.note(f"plain clang's output {trouble}")
        elif trouble:
            self.wrong.append(f"{name}: {trouble}")

    def tests(self, field):
        medians = {contestant.name: contestant.test_medians() for contestant in field}
        base = medians[field[0].name]
        if not base:
            return
        self.data["tests"] = medians
        timed = [name for name in base if base[name] >= WORTH_TIMING]
        print(f"  {len(base)} tests, {len(timed)} of {WORTH_TIMING:g} s or more")
        self.programs({name: {who: medians[who].get(name, math.nan) for who in medians} for name in timed}, field)

    def programs(self, seconds, field):
        """Speed-ups of programs or tests: the mean for each contestant, and the worst and best."""
        rows = [["", "geomean", "worst", "best", ""]]
        base = field[0].name
        for name in (contestant.name for contestant in field[1:]):
            pairs = {program: (times[base], times[name]) for program, times in seconds.items() if name in times}
            ups = {program: ratio(*pair) for program, pair in pairs.items() if not math.isnan(pair[1])}
            if ups:
                worst, best = min(ups, key=ups.get), max(ups, key=ups.get)
                mean = math.exp(sum(map(math.log, ups.values())) / len(ups))
                rows.append([name, f"{mean:.2f}", f"{ups[worst]:.2f}", f"{ups[best]:.2f}", f"({worst}; {best})"])
        if len(rows) > 1:
            self.rows(rows)
            pairs = [(ratio(times[base], times[who]), program, who) for program, times in seconds.items() for who in times]
            slower = [[program, who, f"{up:.2f}"] for up, program, who in sorted(pairs) if up < SLOWER]
            if slower:
                print(f"  slower than {SLOWER:g} times:")
                self.rows(slower[: self.top])
                self.shortened(len(slower))

    def each(self, tally, field):
        counts = {
            "right": tally.right,
            "wrong": len(tally.wrong),
            "skipped": len(tally.skipped),
            "builds whose code is plain clang's": tally.unchanged,
            "plain clang's output is the reference": tally.as_reference,
            "plain clang's output is not the reference": len(tally.not_as_reference),
            "output changes from run to run": len(tally.unstable),
        }
        self.section("programs")
        self.rows([[what, str(count)] for what, count in counts.items()])
        self.data["each"] = {**vars(tally), "counts": counts}
        if tally.seconds:
            self.section(f"speed of programs of {WORTH_TIMING:g} s or more: median of {self.runs}, in turns")
            self.programs(tally.seconds, field)
        self.wrong += [f"{program}: {who}: {trouble}" for program, all_ in tally.wrong.items() for who, trouble in all_.items()]

    def nests(self, found, modes, elsewhere):
        every = list(found.by_place.values())
        self.data["nests"] = [vars(nest) for nest in every]
        self.data["outside_of_nests"] = elsewhere
        self.section(f"loop nests: {len(every)}")
        for mode in (mode for mode in modes if mode.words):
            done = sum(mode.name in nest.done for nest in every)
            missed = found.reasons(mode.name)
            print(f"  {mode.name}: {done} done, {sum(missed.values())} missed, {len(every) - done - sum(missed.values())} not seen")
            for reason, count in missed.most_common(self.top):
                print(f"  {count:6}  {reason}")
            self.shortened(len(missed))
        self.times_of_nests(every, modes, elsewhere)
        self.wrong += found.broken
        for trouble in found.trouble:
            self.note(trouble)

    def times_of_nests(self, every, modes, elsewhere):
        names = list(elsewhere)
        plugged = [mode.name for mode in modes if mode.words]
        known = [nest for nest in every if nest.measured or nest.predicted]
        known.sort(key=lambda nest: (-max(nest.measured.values(), default=0.0), nest.place()))
        if not known:
            return
        self.section("nests: predicted speed-up, and measured seconds" if names else "nests: predicted speed-up")
        rows = [["", *(f"predicted, {name}" for name in plugged), *names, ""]]
        for nest in known[: self.top]:
            predicted = [f"{ratio(*nest.predicted[name]):.2f}" if name in nest.predicted else "-" for name in plugged]
            measured = [f"{nest.measured.get(name, 0.0):.3f}" for name in names]
            rows.append([f"{nest.place()} {nest.function}", *predicted, *measured, verdict(nest, plugged)])
        if names:
            rows.append(["outside of nests", *("" for _ in plugged), *(f"{elsewhere[name]:.3f}" for name in names), ""])
        self.rows_with_text(rows)
        self.shortened(len(known))

    def rows_with_text(self, rows):
        """As `rows`, but the last column, long text, behind the others to the left."""
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
        for row in rows:
            cells = [cell.ljust(widths[0]) if column == 0 else cell.rjust(widths[column]) for column, cell in enumerate(row[:-1])]
            print(("  " + "  ".join(cells) + "  " + row[-1]).rstrip())
        sys.stdout.flush()

    def finish(self):
        self.data["wrong"] = self.wrong
        if self.wrong:
            self.section("wrong")
            for line in self.wrong:
                print(f"  {line}")
        else:
            print("\nnothing differs")


def verdict(nest, modes):
    """What became of a nest, in short."""
    done = [mode for mode in modes if mode in nest.done]
    if done:
        return ("done: " if len(done) == len(modes) else f"done ({', '.join(done)}): ") + nest.done[done[-1]][:100]
    return next((f"missed: {nests.general(nest.missed[mode])[:100]}" for mode in modes if mode in nest.missed), "")


def ratio(a, b):
    """How many times; a time of zero is taken as the clock's step."""
    return max(a, 1e-6) / max(b, 1e-6)
