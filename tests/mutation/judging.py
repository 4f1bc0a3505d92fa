"""What `make mutate` and `make mutate-judges` share: which mutants are judged, and how the result is printed.

A mutant has a `number`, a `file`, a line in it (`at_line`) and what it changes, in words (`says`). A
result is a mutant and what noticed it: the name of a killer, or those of several with + between
them, "equivalent", None if nothing did, or something else, which is an error.
"""
import os
import pathlib
import random
import sys


def add_options(parser):
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--files", nargs="+", help="mutate files with these words in their names alone")
    parser.add_argument("--sample", type=int, default=0, help="so many mutants, 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", help="judge only what survives in this report of an earlier run")
    parser.add_argument("--report", help="write a line a mutant to this file")


def chosen(mutants, options):
    if options.files:
        mutants = [m for m in mutants if any(name in m.file for name in options.files)]
    if options.again:
        lines = pathlib.Path(options.again).read_text(encoding="utf-8").split("\n")
        survived = [line.split("\t") for line in lines if line.startswith("SURVIVES")]
        survived = {(where.rsplit(":", 1)[0], says) for _, where, says in survived}
        mutants = [m for m in mutants if (m.file, m.says) in survived]
    if options.sample and options.sample < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.sample)
    return mutants


def equivalents(path):
    """File and change of the mutants that change nothing, one a line: file | change | why."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return {tuple(line.rsplit(" | ", 1)[0].split(" | ", 1)) for line in lines if line and not line.startswith("#")}


def verdict(mutant, killer, listed):
    if (mutant.file, mutant.says) not in listed:
        return killer
    return f"{killer}, but listed as equivalent" if killer else "equivalent"


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text} ", end="", file=sys.stderr, flush=True)


def collect(results, count, options):
    """Takes the results as they come, and writes each into the report."""
    all_of_them = []
    with open(options.report or os.devnull, "w", encoding="utf-8") as report:
        for mutant, killer in results:
            all_of_them.append((mutant, killer))
            print(killer or "SURVIVES", f"{mutant.file}:{mutant.at_line}", mutant.says, sep="\t", file=report,
                  flush=True)
            progress(f"{len(all_of_them)} of {count}")
    return all_of_them


def tell(results, files, killers, needed=None):
    """A table, and the survivors: what nothing notices, or not the killer that is `needed`. Returns
    the exit status: what is listed as equivalent must be so."""
    columns = [*killers, "equivalent", "survive"]
    shown = [killers[0], *([needed] if needed else [])]
    width = max(map(len, files)) + 2
    print(f"{'file':{width}}{'mutants':>8}" + "".join(f"{c:>12}" for c in columns) + f"{'noticed':>11}" +
          "".join(f"{'by ' + k:>16}" for k in shown))
    for name in [*files, "all"]:
        of = [(killer or "survive").split("+") for mutant, killer in results if name in ("all", mutant.file)]
        if of:
            count = {c: sum(c in noticed for noticed in of) for c in columns}
            share = 100 / max(len(of) - count["equivalent"], 1)
            print(f"{name:{width}}{len(of):8}" + "".join(f"{count[c]:12}" for c in columns) +
                  f"{share * sum(bool({*killers} & {*noticed}) for noticed in of):9.1f} %" +
                  "".join(f"{share * count[k]:14.1f} %" for k in shown))
    sound = lambda killer: killer in ("equivalent", None) or {*killer.split("+")} <= {*killers}
    for mutant, killer in sorted(results, key=lambda r: r[0].number):
        if killer is None or not sound(killer) or needed and killer != "equivalent" and needed not in killer.split("+"):
            print(f"{killer or 'survives'}: {mutant.file}:{mutant.at_line}: {mutant.says}")
    return 0 if all(sound(killer) for _, killer in results) else 1
