"""The copy of a C++ file that all its mutants stand in (cpp_mutants.py finds them).

Each is behind its number: gossamer_mutants::at(17) says whether number 17 was asked for (mutant.hpp). An
alternative has lines of its own, so that a compiler's complaint tells which it is about.
"""
import collections


def one_line(text):
    return " ".join(text.split("\n"))


def schemata(reader, mutants):
    """The file with these mutants in it, and which lines of it are about which of them: a list of
    (first line, last line, mutants), the innermost last."""
    text = reader.text
    original = {}  # pieces come from here
    places = collections.defaultdict(list)
    for mutant in mutants:
        places[mutant.kind in ("statement", "never", "loop"), mutant.place, mutant.kind].append(mutant)

    # Insertions: (position, order, text, mutants or None). Outer ones open first and close last.
    opens, closes = collections.defaultdict(list), collections.defaultdict(list)

    def at(mutant, first):
        return f"gossamer_mutants::{'at' if first else 'is'}({mutant.number})"

    for (_, place, kind), those in places.items():
        begin, end = place[:2]
        size = end - begin
        if kind == "loop":
            # One counter for both; the head's declaration comes first, at its own place.
            head, body, body_end, has_init = place
            counter = f"mutant_{those[0].number}"
            skip = [m for m in those if m.by[0] == "not the first"]
            stop = [m for m in those if m.by[0] == "only the first"]
            if has_init:
                continue  # for (x; y : z): no place for the counter
            opens[head].append((1 << 60, [(f"bool {counter} = true;", those)]))
            lines = [("{", those)]
            for number, m in enumerate(skip):
                lines += [(f"if ({at(m, True)} && {counter}) {{ {counter} = false; continue; }}", [m])]
            for m in stop:
                lines += [(f"if ({at(m, True)} && !{counter}) break;", [m])]
            lines += [(f"{counter} = false;", those)]
            opens[body].append((body_end - body + 1, lines))
            closes[body_end].append((body_end - body + 1, [("}", those)]))
            continue
        if kind == "never":
            opens[begin].append((1 << 60, [(f"if ({at(those[0], True)}) {{}} else", those)]))
            continue
        if kind == "statement":
            lines = [("{", those)]
            for i, m in enumerate(those):
                changed = one_line(text[begin:m.begin] + m.by[0] + text[m.end:end])
                lines += [(f"if ({at(m, i == 0)}) {{ {changed} }} else", [m])]
            opens[begin].append((size + 0.5, lines))
            closes[end].append((size + 0.5, [("}", those)]))
            continue
        lines = [("(", those)]
        for i, m in enumerate(those):
            changed = one_line(text[begin:m.begin] + m.by[0] + text[m.end:end])
            lines += [(f"{at(m, i == 0)} ? ({changed}) :", [m])]
        lines += [("(", those)]
        opens[begin].append((size, lines))
        closes[end].append((size, [("))", those)]))

    for begin, end in reader.inline:
        original[begin] = (end, "inline")

    out, line, blames = [], 1, []

    def put(piece):
        nonlocal line
        out.append(piece)
        line += piece.count("\n")

    def put_lines(lines):
        for piece, about in lines:
            put("\n")
            blames.append((line, about))
            put(piece)
        put("\n")

    at_position = 0
    stops = sorted(set(opens) | set(closes) | set(original))
    for stop in stops:
        if stop > at_position:
            put(text[at_position:stop])
            at_position = stop
        for _, lines in sorted(closes[stop], key=lambda c: c[0]):
            put_lines(lines)
        for _, lines in sorted(opens[stop], key=lambda o: -o[0]):
            put_lines(lines)
        if stop in original:
            end, by = original[stop]
            put(by)
            at_position = end
    put(text[at_position:])
    return "".join(out), blames
