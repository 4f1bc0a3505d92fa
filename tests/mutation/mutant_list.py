"""The list of mutants: what is changed in the RTL, one thing at a time.

A file is read statement by statement (no types: the plain style of rtl/ is enough).
Each expression on the right of an assignment, in a condition or at an instance's port is parsed for
its operators, and each place yields its mutants (`of_expression`); assignments are dropped and loops
end one pass early (`of_statements`). Left alone is what is no logic: indices (they name a wire),
generate conditions and loops (they choose what is built), declarations, and what EXCLUDED names.

A mutant can be had in two forms: as text (`apply`), which the proofs read, and switchable at run time
(`schemata`), all mutants of a file at once, chosen by mutant_pkg::mutant; number 0 is none of them.
"""
import dataclasses
import re

TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z_$][\w$]*(?:::\w+)?)|(?P<number>(?:\d+)?'[bdho]?[0-9a-fA-F_]+|\d+)|"
                   r"(?P<op>\+:|::|===|!==|<<=|>>=|\|=|&=|<=|>=|==|!=|&&|\|\||<<|>>|->|\+\+|--|\^=|.))", re.S)

BINARY = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "===": 6, "!==": 6, "<": 7, "<=": 7, ">": 7,
          ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
SWAPS = {"==": ["!="], "!=": ["=="], "===": ["!=="], "!==": ["==="], "&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&"], "^": ["|"],
         "+": ["-"], "-": ["+"], "<": [">=", "<="], ">=": ["<", ">"], ">": ["<=", ">="], "<=": [">", "<"],
         "<<": [">>"], ">>": ["<<"]}
CONSTANTS = {"1'b0": "1'b1", "1'b1": "1'b0", "'0": "'1", "'1": "'0"}

# What is not logic: file, statement (both regular expressions), why.
EXCLUDED = [
    (r"link_", r"^(assign |if \()(drives|hears|waits|receives|expects|streams)\b|^state ",
     "the state's name, for waveforms"),
    (r"link_half", r"\bhear_q\b", "seen in waveforms alone"),
    (r"sequencer\.", r"^assign cycle =", "for waveforms"),
    (r"", r"^assign unused", "keeps lint quiet"),
]


@dataclasses.dataclass
class Mutant:
    file: str
    begin: int      # what of the file's text is replaced ...
    end: int
    by: str         # ... by this
    place: tuple    # kind ("expression", "drop", "loop") and the span that a switch goes around
    statement: tuple  # span of the statement, for people
    number: int = 0

    def line(self, text):
        return text.count("\n", 0, self.begin) + 1

    def apply(self, text):
        return text[:self.begin] + self.by + text[self.end:]

    def change(self, text):
        """What it does, for people."""
        return f"{self.before(text)} -> {self.after(text)}"

    def before(self, text):
        return " ".join(text[slice(*self.statement)].split())

    def after(self, text):
        begin, end = self.statement
        return " ".join((text[begin:self.begin] + self.by + text[self.end:end]).split())


def blanked(text):
    """The text with comments, directives, strings, attributes and assertions as spaces."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r"^  (if \(simulation_pkg::ASSERTIONS\)|always @).*?^  end$", blank, text, flags=re.S | re.M)
    text = re.sub(r"//[^\n]*|/\*.*?\*/|`[^\n]*", blank, text, flags=re.S)
    text = re.sub(r"\"[^\"\n]*\"", lambda m: '"' + " " * (len(m.group()) - 2) + '"', text)
    return re.sub(r"\(\*(?!\)).*?\*\)", blank, text)


def tokens_of(text):
    tokens, at = [], 0
    while match := TOKEN.match(text, at):
        kind = match.lastgroup
        if kind:
            tokens.append((match.group(kind), match.start(kind), match.end(kind), kind))
        at = match.end()
        if at >= len(text.rstrip()):
            break
    return tokens


class Expression:
    """Parses the tokens of one expression; `edits` are the changes that it yields: (begin, end, by)."""

    def __init__(self, tokens, text):
        self.tokens, self.text, self.at, self.edits = tokens, text, 0, []
        self.ternary()
        if self.at != len(tokens):
            raise SyntaxError(f"cannot read: {text[tokens[0][1]:tokens[-1][2]]}")

    def peek(self):
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.tokens[self.at]
        if wanted and token[0] != wanted:
            raise SyntaxError(f"{wanted} is missing in {self.text[self.tokens[0][1]:self.tokens[-1][2]]}")
        self.at += 1
        return token

    def edit(self, begin, end, by):
        self.edits.append((begin, end, by))

    def ternary(self):
        begin, end = self.binary(0)
        if self.peek() == "?":
            self.take()
            self.edit(begin, end, "1'b1")
            self.edit(begin, end, "1'b0")
            self.ternary()
            self.take(":")
            end = self.ternary()[1]
        return begin, end

    def binary(self, least):
        begin, end = self.unary()
        while self.peek() in BINARY and BINARY[self.peek()] > least:
            op = self.take()
            right = self.binary(BINARY[op[0]])
            for by in SWAPS.get(op[0], []):
                self.edit(op[1], op[2], by)
            if op[0] in ("&&", "||", "&", "|"):  # an operand forgotten
                self.edit(begin, right[1], self.text[begin:end])
                self.edit(begin, right[1], self.text[slice(*right)])
            end = right[1]
        return begin, end

    def unary(self):
        token = self.tokens[self.at]
        if token[0] in ("!", "~", "|", "&", "^", "-"):
            self.take()
            if token[0] in "!~":
                self.edit(token[1], token[2], "")
            if token[0] in "|&":
                self.edit(token[1], token[2], "&" if token[0] == "|" else "|")
            return token[1], self.unary()[1]
        return self.primary()

    def primary(self):
        token = self.take()
        end = token[2]
        if token[0] == "(":
            self.ternary()
            end = self.take(")")[2]
        elif token[0] == "{":
            end = self.concatenation()
        elif token[3] == "number":
            if token[0] in CONSTANTS:
                self.edit(token[1], token[2], CONSTANTS[token[0]])
            elif re.fullmatch(r"\d+", token[0]) and self.peek() != "'":
                self.edit(token[1], token[2], str(int(token[0]) + 1))
        elif token[3] != "name" and token[0] != '"':
            raise SyntaxError(f"{token[0]} in {self.text[self.tokens[0][1]:self.tokens[-1][2]]}")
        while self.peek() in ("[", "'", ".", "(") and self.peek():
            if self.peek() == "[":
                end = self.index()
            elif self.peek() == "'":  # a cast
                self.take()
                self.take("(")
                self.ternary()
                end = self.take(")")[2]
            elif self.peek() == ".":
                self.take()
                end = self.take()[2]
            elif token[0].startswith("$"):
                self.take()
                self.ternary()
                end = self.take(")")[2]
            else:
                break
        return token[1], end

    def index(self):
        """What stands in brackets says which wire it is, and stays."""
        depth = 0
        while True:
            token = self.take()
            depth += (token[0] == "[") - (token[0] == "]")
            if depth == 0:
                return token[2]

    def concatenation(self):
        self.ternary()
        while True:
            token = self.take()
            if token[0] == "}":
                return token[2]
            if token[0] == "{":
                self.edits = [e for e in self.edits if e[1] < self.tokens[self.at - 2][1]]  # how often
                self.concatenation()
            else:
                self.ternary()


class Reader:
    """Walks through a file and collects its mutants."""

    def __init__(self, name, text):
        self.name, self.text = name, text
        self.tokens = tokens_of(blanked(text))
        self.at, self.found = 0, []
        while self.at < len(self.tokens):
            if self.peek() == "module":
                self.module()
            else:
                self.at += 1

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def until(self, stops):
        """Tokens up to the first of `stops` outside all brackets, which is left standing."""
        begin, depth = self.at, 0
        while depth > 0 or self.peek() not in stops:
            if self.at == len(self.tokens):
                raise SyntaxError(f"{self.name} ends where {' or '.join(stops)} should come")
            if self.peek() in ("(", "[", "{"):
                depth += 1
            if self.peek() in (")", "]", "}"):
                depth -= 1
            self.at += 1
        return self.tokens[begin:self.at]

    def parenthesis(self):
        self.take()
        inside = self.until((")",))
        self.take()
        return inside

    def excluded(self, span):
        statement = " ".join(self.text[slice(*span)].split())
        return any(re.match(file, self.name) and re.search(what, statement) for file, what, _ in EXCLUDED)

    def expression(self, tokens, statement, condition=False):
        if not tokens or self.excluded(statement):
            return
        begin, end = tokens[0][1], tokens[-1][2]
        edits = Expression(tokens, self.text).edits
        if condition:
            edits += [(begin, end, "1'b1"), (begin, end, "1'b0")]
        for edit in dict.fromkeys(edits):
            self.found.append(Mutant(self.name, *edit, ("expression", begin, end), statement))

    # ---- What stands in a module, outside of processes.
    def module(self):
        self.until((";",))
        while self.peek() != "endmodule":
            self.item()

    def item(self):
        word = self.peek()
        if word == "assign":
            begin = self.take()[1]
            self.until(("=",))
            self.take()
            value = self.until((";",))
            self.expression(value, (begin, self.take()[2]))
        elif word in ("always_ff", "always_comb"):
            self.take()
            if self.peek() == "@":
                self.take()
                self.parenthesis()
            self.statement(word == "always_comb", 0)
        elif word in ("for", "if"):
            self.take()
            self.parenthesis()
            self.item()
            if self.peek() == "else":
                self.take()
                self.item()
        elif word == "begin":
            self.block(self.item)
        elif word == "initial":
            self.until((";",))
            self.take()
        elif self.tokens[self.at][3] == "name" and (self.peek(1) == "#" or self.peek(2) == "("):
            self.instance()
        else:  # a declaration
            self.until((";",))
            self.take()

    def block(self, inside):
        self.take()
        if self.peek() == ":":
            self.take()
            self.take()
        while self.peek() != "end":
            inside()
        self.take()

    def instance(self):
        self.take()
        if self.peek() == "#":
            self.take()
            self.parenthesis()
        self.take()
        for_ports = self.parenthesis()
        self.take()  # ;
        after, self.at = self.at, self.at - len(for_ports) - 2
        while self.at < after - 2:
            if self.peek() == "." and self.peek(2) == "(":
                begin = self.take()[1]
                self.take()
                value = self.parenthesis()
                if any(t[0] in BINARY or t[0] in ("!", "~", "?") for t in value):
                    self.expression(value, (begin, self.tokens[self.at - 1][2]))
            else:
                self.at += 1
        self.at = after

    # ---- Processes.
    def statement(self, combinational, depth):
        word = self.peek()
        if word == "begin":
            self.block(lambda: self.statement(combinational, depth))
        elif word == "if":
            begin = self.take()[1]
            condition = self.parenthesis()
            ahead = 0  # what it decides, so that one can tell it from others
            while self.peek(ahead) not in (";", "begin"):
                ahead += 1
            self.expression(condition, (begin, self.tokens[self.at + ahead][2]), condition=True)
            self.statement(combinational, depth + 1)
            if self.peek() == "else":
                self.take()
                self.statement(combinational, depth + 1)
        elif word == "for":
            self.loop(combinational, depth)
        elif word == "case":
            self.take()
            self.parenthesis()
            while self.peek() != "endcase":
                self.until((":",))
                self.take()
                self.statement(combinational, depth + 1)
            self.take()
        elif word in ("logic", "int", "automatic"):
            self.until((";",))
            self.take()
        elif word == ";":
            self.take()
        else:
            self.assignment(combinational, depth)

    def assignment(self, combinational, depth):
        begin = self.tokens[self.at][1]
        self.until(("=", "<=", "|=", "&=", "<<=", ">>=", ";"))
        if self.take()[0] == ";":
            raise SyntaxError(f"{self.name} line {self.text.count(chr(10), 0, begin) + 1}: no assignment that is known here")
        value = self.until((";",))
        statement = (begin, self.take()[2])
        self.expression(value, statement)
        # Without a default of a combinational value there would be a latch: that is another circuit.
        if (not combinational or depth > 0) and not self.excluded(statement):
            self.found.append(Mutant(self.name, *statement, ";", ("drop", *statement), statement))

    def loop(self, combinational, depth):
        begin = self.take()[1]
        self.parenthesis()
        end = self.tokens[self.at - 1][2]
        bound = re.search(r";\s*(\w+)\s*(<)\s*(\w+)\s*;", self.text[begin:end])
        if bound:
            at = begin + bound.end(3)
            last = f"{bound.group(1)} == {bound.group(3)} - 1"
            self.found.append(Mutant(self.name, at, at, " - 1", ("loop", end, last), (begin, end)))
        self.statement(combinational, depth + 1)


def mutants_of(name, text):
    """All mutants of a file, in the order of its text; two that read the same are one."""
    seen = {}
    for mutant in Reader(name, text).found:
        seen.setdefault(mutant.apply(text), mutant)
    seen.pop(text, None)
    return sorted(seen.values(), key=lambda m: m.begin)


def schemata(text, mutants):
    """The file with all its mutants in it, each behind its number."""
    inserts = []  # position, order, text; or a span replaced
    expressions = {}
    for m in mutants:
        if m.place[0] == "expression":
            expressions.setdefault(m.place[1:], []).append(m)
        elif m.place[0] == "drop":
            inserts.append((m.place[1], m.place[1], f"begin if (mutant_pkg::mutant != {m.number}) "))
            inserts.append((m.place[2], m.place[2], " end"))
        else:
            inserts.append((m.place[1], m.place[1],
                            f" if (!(mutant_pkg::mutant == {m.number} && {m.place[2]}))"))
    for (begin, end), those in expressions.items():
        changed = "".join(f"(mutant_pkg::mutant == {m.number}) ? ({text[begin:m.begin]}{m.by}{text[m.end:end]}) : "
                          for m in those)
        inserts.append((begin, end, f"({changed}({text[begin:end]}))"))
    for begin, end, by in sorted(inserts, reverse=True):
        text = text[:begin] + by + text[end:]
    return text
