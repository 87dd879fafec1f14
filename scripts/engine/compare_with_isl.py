#!/usr/bin/env python3
"""Checks the answers of `scripts/engine/operations.rs` (mode `answers`) against isl, and sums up the times.

    compare_with_isl.py OPERATIONS.tsv OUTPUT.tsv [ISL_TIMES.tsv]

Results are compared as sets, never as text. Needs islpy (PyPI). Prints each disagreement, then per operation: how many lines, how many of
them wrong, too hard, or in panic, more pieces than isl's, total time and, with isl's times, the geometric mean of the ratios.
"""
import math
import sys
from collections import defaultdict

import islpy as isl

KIND = {1: isl.dim_type.param, 2: isl.dim_type.in_, 3: isl.dim_type.out}
# isl's own count of operations, after which a line stays open: a few comparisons take it for ever.
MOST_OPERATIONS = 3_000_000
SUPERSET = {"simple_hull", "unshifted_simple_hull", "affine_hull"}


def read(ctx, text):
    """A set, or else a relation: a list may call an operation on sets by its name for relations."""
    try:
        return isl.Set.read_from_str(ctx, text)
    except isl.Error:
        return isl.Map.read_from_str(ctx, text)


def expected(ctx, line):
    fields = line.rstrip("\n").split("\t")
    op, args = fields[0], fields[1:]
    name = op.removeprefix("basic_").removeprefix("map_").removeprefix("set_")
    dims = None
    if args and "{" not in args[0]:
        dims = [int(x) for x in args.pop(0).split(",")]
    a, b = (*(read(ctx, text) for text in args), None)[:2]
    context = b if name == "gist" else None
    if dims:
        result = getattr(a, name)(KIND[dims[0]], dims[1], dims[2])
    elif name == "partial_lexmax":
        result = a.partial_lexmax(b)[0]
    elif b is not None:
        result = getattr(a, name)(b)
    else:
        result = getattr(a, name)()
    return name, a, context, result


def agrees(ctx, name, context, want, text):
    if isinstance(want, bool):
        return text == str(want).lower()
    is_set = isinstance(want, (isl.Set, isl.BasicSet))
    want = isl.Set(str(want)) if isinstance(want, isl.BasicSet) else isl.Map(str(want)) if isinstance(want, isl.BasicMap) else want
    got = (isl.Set if is_set else isl.Map).read_from_str(ctx, text)
    if context is not None:
        return got.intersect(context).is_equal(want.intersect(context))
    if name in SUPERSET:
        return want.is_equal(got) or ("tighter" if got.is_subset(want) else "looser")
    return want.is_equal(got)


def main():
    ops = open(sys.argv[1]).read().split("\n")
    times = {}
    if len(sys.argv) > 3:
        for row in open(sys.argv[3]):
            cells = row.split("\t")
            if len(cells) > 2 and cells[2].strip().isdigit():
                times[int(cells[0])] = int(cells[2])
    ctx = isl.DEFAULT_CONTEXT
    ctx.set_max_operations(MOST_OPERATIONS)
    stats = defaultdict(lambda: defaultdict(float))
    for row in open(sys.argv[2]):
        cells = row.rstrip("\n").split("\t")
        line, op = int(cells[0]), cells[1]
        s = stats[op]
        s["lines"] += 1
        if len(cells) < 5:
            s[cells[2].split(" ")[0].lower()[:5]] += 1
            if cells[2] not in ("SKIP",):
                print(line, op, *cells[2:])
            continue
        ns, size, text = int(cells[2]), int(cells[3]), cells[4]
        s["ms"] += ns / 1e6
        if line in times:
            s["isl_ms"] += times[line] / 1e6
            s["log"] += math.log((ns + 50) / (times[line] + 50))
            s["timed"] += 1
        ctx.reset_operations()
        try:
            name, a, context, want = expected(ctx, ops[line - 1])
            verdict = agrees(ctx, name, context, want, text)
        except isl.Error as e:
            s["islerr"] += 1
            print(line, op, "isl:", str(e)[:100], text[:200])
            continue
        if verdict is not True:
            s["wrong" if verdict is False else verdict] += 1
            if verdict is not False and verdict == "tighter":
                continue
            print(line, op, "WRONG" if verdict is False else verdict, "got", text[:300], "want", str(want)[:300])
        elif not isinstance(want, bool) and hasattr(want, "n_basic_set" if hasattr(want, "n_basic_set") else "n_basic_map"):
            n = want.n_basic_set() if hasattr(want, "n_basic_set") else want.n_basic_map()
            if size > n:
                s["more"] += 1
    keys = ["lines", "wrong", "loose", "looser", "tighter", "panic", "too", "skip", "islerr", "more"]
    print("%-26s" % "op", *["%7s" % k for k in keys], "       ms   isl_ms  geomean")
    for op, s in sorted(stats.items()):
        mean = math.exp(s["log"] / s["timed"]) if s["timed"] else 0
        print("%-26s" % op, *["%7d" % s[k] for k in keys], "%9.1f %8.1f %8.2f" % (s["ms"], s["isl_ms"], mean))


if __name__ == "__main__":
    main()
