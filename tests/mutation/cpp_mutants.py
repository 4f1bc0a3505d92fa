"""The list of mutants of a C++ file: what is changed, one thing at a time.

A file is read statement by statement, without types. The style of the code is enough for that:
clang-format puts blanks around a binary `<`, `*` or `&`, and none around those of a type. What is
not C++ once it is changed, a compiler finds out later (`mutate_judges`).

cpp_tokens.py takes it apart. A mutant is a change of the text; schemata.py writes them into a copy of the file.
"""
import collections
import dataclasses
import re

import cpp_tokens


ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<=", ">>=")
BINARY = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
          "<=>": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11}
LOGICAL = ("||", "&&", "==", "!=", "<", "<=", ">", ">=")
SWAPS = {"==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&"], "^": ["|"],
         "+": ["-"], "-": ["+"], "<": [">=", "<="], ">=": ["<", ">"], ">": ["<=", ">="], "<=": [">", "<"],
         "<<": [">>"], ">>": ["<<"], "/": ["*"]}
ONE_SIDE = {"&&": "both", "||": "both", "&": "both", "|": "both", "*": "both", "%": "left"}
OTHER_CALL = {"std::max": "std::min", "std::min": "std::max", "front": "back", "back": "front",
              "any_of": "all_of", "all_of": "any_of", "std::ranges::any_of": "std::ranges::all_of",
              "std::ranges::all_of": "std::ranges::any_of", "lower_bound": "upper_bound",
              "upper_bound": "lower_bound", "std::floor": "std::ceil", "std::ceil": "std::floor"}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
DECLARES = {"const", "auto", "unsigned", "signed", "int", "bool", "double", "float", "char", "long", "short",
            "thread_local", "volatile"}
IGNORES = {"using", "typedef", "static_assert", "friend", "struct", "class", "enum", "union", "template",
           "static", "constexpr", "constinit", "extern", "public", "private", "protected"}

# Not mutated: file, statement (both regular expressions), why.
EXCLUDED = [
    (r"", r"\breserve\(", "saves time"),
    (r"", r"prefetch\(", "saves time"),
    (r"node_trees", r"\bmix\(|\bhash\b", "a hash: with any other one the same is found"),
    (r"node_trees", r"\bmerged_\b", "what is remembered of merges saves time"),
]


@dataclasses.dataclass
class Mutant:
    file: str
    kind: str         # "expression", "statement", "loop"
    begin: int        # part of the file's text to replace ...
    end: int
    by: list          # ... by the first of these that compiles
    statement: tuple  # span of the statement, for people
    place: tuple = ()  # span around which the switch is placed
    number: int = 0
    again: str = ""   # number of the same change of the same words: " #2", " #3" ...

    def line(self, text):
        return text.count("\n", 0, self.begin) + 1

    def change(self, text):
        """What it does, for people and for the list of equivalents."""
        begin, end = self.statement
        before = " ".join(text[begin:end].split())
        if self.kind == "loop":
            return f"{before} -> {self.by[0]}{self.again}"
        after = " ".join((text[begin:self.begin] + self.by[0] + text[self.end:end]).split())
        return f"{before} -> {after}{self.again}"


def other_numbers(word):
    match = re.fullmatch(r"(0[xX][\da-fA-F']+|0[bB][01']+|[\d']+)([uUlLzZ]*)", word)
    if not match:
        return []
    digits = match.group(1).replace("'", "")
    value = int(digits, 8 if re.match(r"0\d", digits) else 0)
    return [str(n) + match.group(2) for n in ([value + 1] + ([value - 1] if value else []))]


class Reader(cpp_tokens.Cursor):
    """Walks through a file and collects its mutants."""

    def __init__(self, name, text):
        super().__init__(name, text)
        self.found, self.unread, self.inline = [], [], []
        self.statement_span = (0, 0)
        self.scope(len(self.tokens))

    # ---- Mutants.
    def excluded(self):
        statement = self.text[slice(*self.statement_span)]
        return any(re.search(file, self.name) and re.search(what, statement) for file, what, _ in EXCLUDED)

    def edit(self, begin, end, by, place=None, kind="expression"):
        by = by if isinstance(by, list) else [by]
        if kind != "loop" and self.excluded():
            return
        self.found.append(Mutant(self.name, kind, begin, end, by, self.statement_span, place or (begin, end)))

    def decide(self, begin, end, forms):
        """The value of a decision, once and for all; its opposite then tells no more."""
        self.found = [m for m in self.found if m.place != (begin, end) or
                      OPPOSITE.get(self.text[m.begin:m.end]) != m.by[0]]
        for form in forms:
            self.edit(begin, end, form)

    # ---- Code outside functions.
    def scope(self, end):
        while self.at < end and self.peek() != "}":
            self.declaration()

    def declaration(self):
        """One of a namespace or class: a scope, a function, or something else up to its `;`."""
        begin, head = self.at, []  # words of the head, outside brackets
        if self.peek() == ";":
            self.take()
            return
        if self.peek() in ("public", "private", "protected") and self.peek(1) == ":":
            self.at += 2
            return
        while True:
            word = self.peek()
            if word == "template":
                self.take()
                self.skip_angles()
            elif word == "[[" or word == "[":
                self.skip_pair()
            elif word == "(":
                head.append("()")
                self.skip_pair()
            elif word == "<" and not self.spaced() and self.adjacent() and "operator" not in head[-1:]:
                self.skip_angles()
            elif word == ";":
                self.take()
                return
            elif word == "=" and "operator" not in head[-1:]:
                self.take()
                return self.initializer(head)
            elif word == ":" and "()" in head:
                self.take()
                self.constructor_initializers()
                return self.body(begin)
            elif word == "{":
                if head[:1] == ["namespace"] or head[:1] == ["extern"]:
                    self.take()
                    self.scope(len(self.tokens))
                    self.take("}")
                    return
                if "enum" in head:
                    self.skip_pair()
                elif head and head[0] in ("struct", "class", "union") and "()" not in head:
                    self.take()
                    self.scope(len(self.tokens))
                    self.take("}")
                elif "()" in head:
                    return self.body(begin)
                else:
                    self.skip_pair()  # a variable's value
            else:
                head.append(self.take().text)
                if head[-1].endswith("operator") and self.peek() == "(":
                    self.at += 2

    def initializer(self, head):
        """Of a member, or of a variable, which may be a constant."""
        if self.peek() in ("default", "delete", "0") and "()" in head or {"constexpr", "static", "using"} & set(head):
            self.skip_to(";")
        else:
            self.statement_span = (self.here(), self.here())
            start = self.at
            self.skip_to(";")
            self.statement_span = (self.tokens[start - 2].begin, self.tokens[self.at].end)
            self.at = start
            while True:
                self.expression()
                if self.peek() != ",":
                    break
                self.take()  # the next variable
                self.skip_to("=", ";")
                if self.peek() == ";":
                    break
                self.take()
        self.take(";")

    def constructor_initializers(self):
        while True:
            begin = self.here()
            self.take()  # the name
            if self.peek() == "<":
                self.skip_angles()
            start = self.at
            self.skip_pair()
            self.statement_span = (begin, self.behind())
            after, self.at = self.at, start
            self.arguments(elements=False)
            assert self.at == after
            if self.peek() == ",":
                self.take()
                continue
            return

    def body(self, begin):
        """A function's body; it may no longer be constexpr. What gives a constant its value must be, and is left
        as it is."""
        head = self.tokens[begin:self.at]
        for token, after in zip(head, head[1:]):
            if token.kind == "name" and after.text == "(":
                if re.search(rf"constexpr [^;{{}}()]*=[^;]*\b{token.text}\(", self.text):
                    return self.skip_pair()
                break
        for token in head:
            if token.text == "constexpr":
                self.inline.append((token.begin, token.end))
        self.block()

    # ---- Statements.
    def block(self):
        self.take("{")
        while self.peek() != "}":
            self.statement()
        self.take("}")

    def statement(self, in_loop=False):
        word = self.peek()
        if word == "{":
            self.block()
        elif word == ";":
            self.take()
        elif word == "[[":
            self.skip_pair()
            self.statement()
        elif word == "if":
            self.if_statement()
        elif word == "for":
            self.for_statement()
        elif word == "while":
            begin = self.here()
            self.take()
            self.condition(begin, forms=["false"])
            self.loop_body()
        elif word == "do":
            begin = self.here()
            self.take()
            self.loop_body()
            self.take("while")
            self.condition(begin, forms=["false"])
            self.take(";")
        elif word == "switch":
            begin = self.here()
            self.take()
            self.condition(begin, forms=[])
            loops, self.in_loop = getattr(self, "in_loop", False), False
            self.block()
            self.in_loop = loops
        elif word == "case":
            self.skip_to(":")
            self.take()
        elif word == "default":
            self.take()
            self.take(":")
        elif word == "try":
            self.take()
            self.block()
            while self.peek() == "catch":
                self.take()
                self.skip_pair()
                self.block()
        elif word in ("break", "continue"):
            begin = self.take().begin
            end = self.take(";").end
            self.statement_span = (begin, end)
            self.edit(begin, end, ";", kind="statement")
            if getattr(self, "in_loop", False):
                self.edit(begin, end, "continue;" if word == "break" else "break;", kind="statement")
        elif word == "return":
            self.return_statement()
        elif word in ("throw", "co_return"):
            self.simple(declares=False)
        elif word in IGNORES:
            self.skip_declaration()
        else:
            self.simple(declares=self.is_declaration())

    def skip_declaration(self):
        self.skip_to(";")
        self.take()

    def is_declaration(self):
        if self.peek() in DECLARES:
            return True
        if self.kind() != "name":
            return False
        start = self.at
        self.take()
        if self.peek() == "<" and self.adjacent():
            self.skip_angles()
            if self.peek().startswith("::"):
                self.take()
        while self.peek() in ("*", "&", "&&") and self.adjacent():
            self.take()
        result = self.kind() == "name" and self.at > start
        self.at = start
        return result

    def simple(self, declares):
        """A declaration, or an expression for its effect."""
        start = self.at
        self.skip_to(";")
        self.take(";")
        span = (self.tokens[start].begin, self.behind())
        after, self.at = self.at, start
        self.statement_span = span
        known = len(self.found)
        if declares:
            self.variables()
        else:
            if self.peek() == "throw":
                self.take()
            if self.peek() != ";":
                self.expression()
            self.edit(*span, ";", kind="statement")
            self.assignments(start, after, span)
        if self.at != after - 1:
            self.unread.append(span)
            del self.found[known:]
            if not declares:
                self.edit(*span, ";", kind="statement")
        self.at = after

    def assignments(self, start, after, span):
        """The same statement with = for += and the like."""
        depth = 0
        for token in self.tokens[start:after]:
            depth += (token.text in "([{") - (token.text in ")]}")
            if depth == 0 and token.text in ("+=", "-=", "*=", "|=", "&=", "^="):
                other = {"-=": ["+="], "+=": ["=", "-="]}.get(token.text, ["="])
                for by in other:
                    self.edit(token.begin, token.end, by, place=span, kind="statement")
                return

    def variables(self):
        """`const Node n = f(x), m = 2;`, `RoundShape shape;`, `std::vector<X> v(n, 0);`, `auto [a, b] = c;`"""
        while self.peek() in DECLARES:
            self.take()
        while self.peek() not in ("=", ";", "(", "{", ","):
            if self.peek() in ("[", "[["):
                self.skip_pair()
            elif self.peek() == "<":
                self.skip_angles()
            else:
                self.take()
        while True:
            if self.peek() == "=":
                self.take()
                self.value()
            elif self.peek() in ("(", "{"):
                self.arguments(elements=self.peek() == "{")
            if self.peek() != ",":
                return
            self.take()
            while self.peek() in ("*", "&"):
                self.take()
            self.take()

    def value(self):
        """What a variable is given; a call's answer may be forgotten."""
        known = len(self.found)
        begin = self.here()
        self.expression()
        end = self.behind()
        if len(self.found) == known and self.text[end - 1] == ")":
            value = self.text[begin:end]
            self.edit(begin, end, f"std::decay_t<decltype({value})>{{}}")

    def return_statement(self):
        start = self.at
        self.skip_to(";")
        self.take(";")
        span = (self.tokens[start].begin, self.behind())
        after, self.at = self.at, start + 1
        self.statement_span = span
        if self.peek() == ";":
            self.edit(*span, ";", kind="statement")
        else:
            known = len(self.found)
            begin = self.here()
            what = self.expression()
            end = self.behind()
            if self.at != after - 1:
                self.unread.append(span)
                del self.found[known:]
            elif what == "logical":
                self.decide(begin, end, ["true", "false"])
            elif not re.fullmatch(r"\{\s*\}|\"\"|[\w:]+|-?\d+|\*this|std::move\(\w+\)", self.text[begin:end]) or \
                    re.fullmatch(r"std::move\(\w+\)", self.text[begin:end]) or \
                    re.fullmatch(r"(?!nullptr|true|false|this|std::nullopt)[a-z]\w*", self.text[begin:end]):
                value = self.text[begin:end]
                self.edit(*span, ["return {};", f"return decltype({value})();"], kind="statement")
        self.at = after

    def if_statement(self):
        begin = self.here()
        self.take()
        if self.peek() == "constexpr":  # it selects what is compiled, not what is decided
            self.take()
            self.skip_pair()
        else:
            self.condition(begin, forms=["true", "false"])
        self.statement()
        if self.peek() == "else":
            self.take()
            self.statement()

    def condition(self, begin, forms):
        """In parentheses, perhaps after a declaration, perhaps one itself."""
        start = self.at
        self.skip_pair()
        after, self.at = self.at, start + 1
        self.statement_span = (begin, self.tokens[after - 1].end)
        inside = self.tokens[start + 1:after - 1]
        depth, semicolon = 0, None
        for i, token in enumerate(inside):
            depth += (token.text in "([{") - (token.text in ")]}")
            if token.text == ";" and depth == 0:
                semicolon = start + 1 + i
        if semicolon is not None:
            known = len(self.found)
            self.variables()
            if self.at != semicolon:
                del self.found[known:]
            self.at = semicolon + 1
        known = len(self.found)
        if self.is_declaration():
            self.variables()
            if forms == ["true", "false"]:  # as if the condition were constant
                self.edit(begin, begin, "if (false) {} else ", kind="never")
        else:
            first = self.here()
            self.expression()
            if self.at == after - 1:
                self.decide(first, self.behind(), forms)
        if self.at != after - 1:
            self.unread.append(self.statement_span)
            del self.found[known:]
        self.at = after

    def loop_body(self):
        loops, self.in_loop = getattr(self, "in_loop", False), True
        self.statement()
        self.in_loop = loops

    def for_statement(self):
        begin = self.here()
        self.take()
        start = self.at
        self.skip_pair()
        after, self.at = self.at, start + 1
        self.statement_span = span = (begin, self.tokens[after - 1].end)
        depth, semicolons, colon = 0, [], None
        for i in range(start + 1, after - 1):
            word = self.tokens[i].text
            depth += (word in "([{") - (word in ")]}")
            if depth == 0 and word == ";":
                semicolons.append(i)
            if depth == 0 and word == ":" and colon is None:
                colon = i
        known = len(self.found)
        if len(semicolons) == 2:
            if self.peek() != ";":
                self.variables() if self.is_declaration() else self.expression()
            if self.at != semicolons[0]:
                self.unread.append(span)
                del self.found[known:]
            self.at = semicolons[0] + 1
            known = len(self.found)
            if self.peek() != ";":
                first = self.here()
                self.expression()
                if self.at != semicolons[1]:
                    self.unread.append(span)
                    del self.found[known:]
                else:
                    self.decide(first, self.behind(), ["false"])
                    condition = self.text[first:self.behind()]
                    bound = re.fullmatch(r"([\w.]+)( <=? )(.+)", condition, re.S)
                    if bound and "&&" not in condition and "||" not in condition:
                        self.edit(first, self.behind(), f"{bound[1]} + 1{bound[2]}{bound[3]}")
        elif colon is not None:
            self.at = colon + 1
            self.expression()
            if self.at != after - 1:
                self.unread.append(span)
                del self.found[known:]
            # The body may have no braces, so the switch is in the head.
            self.edit(self.tokens[colon].end, self.tokens[after - 1].begin, "not the first", kind="loop",
                      place=(self.tokens[start].end, after - 1))
            self.edit(self.tokens[colon].end, self.tokens[after - 1].begin, "only the first", kind="loop",
                      place=(self.tokens[start].end, after - 1))
            loop = self.found[-2:]
            self.at = after
            body = self.here()
            self.loop_body()
            for mutant in loop:
                mutant.place = (self.tokens[start].end, body, self.behind(), len(semicolons))
            return
        self.at = after
        self.loop_body()

    # ---- Expressions: each returns "logical" if it is a truth value, as far as the text shows.
    def expression(self):
        begin = self.here()
        if self.peek() == "throw":
            self.take()
            return self.expression()
        what = self.binary(0)
        if self.peek() == "?":
            self.decide(begin, self.behind(), ["true", "false"])
            self.take()
            self.expression()
            self.take(":")
            self.expression()
            what = ""
        if self.peek() in ASSIGNMENTS:
            self.take()
            self.value()
            what = ""
        return what

    def binary(self, least):
        begin = self.here()
        what = self.unary()
        while BINARY.get(self.peek(), 0) > least and self.spaced():
            end_left = self.behind()
            op = self.take()
            right = self.here()
            self.binary(BINARY[op.text])
            end = self.behind()
            counted = re.fullmatch(r"\d+", self.text[right:end]) and op.text in "+-"  # the number changes
            for by in [] if counted else SWAPS.get(op.text, []):
                self.edit(op.begin, op.end, by, place=(begin, end))
            sides = [self.text[begin:end_left], self.text[right:end]]
            if op.text in ONE_SIDE:
                for side in sides if ONE_SIDE[op.text] == "both" else sides[:1]:
                    self.edit(begin, end, f"static_cast<bool>({side})" if op.text in ("&&", "||") else side)
            what = "logical" if op.text in LOGICAL else ""
        return what

    def unary(self):
        begin = self.here()
        word = self.peek()
        if word in ("!", "~", "-", "+", "*", "&", "++", "--"):
            self.take()
            inside = self.here()
            self.unary()
            end = self.behind()
            value = self.text[inside:end]
            if word == "!":
                self.edit(begin, end, f"static_cast<bool>({value})")
                return "logical"
            if word in ("~", "-"):
                self.edit(begin, end, value)
            return ""
        if word in ("sizeof", "decltype", "alignof", "noexcept", "typeid"):
            self.take()
            if self.peek() == "...":
                self.take()
            self.skip_pair()
            return ""
        if word in ("new", "delete"):
            raise SyntaxError(f"{self.name}: {word}")
        return self.postfix()

    def postfix(self):
        begin = self.here()
        token = self.tokens[self.at]
        what, is_name = "", token.kind == "name"
        if token.text == "(":
            self.take()
            what = self.expression()
            while self.peek() == ",":
                self.take()
                self.expression()
            self.take(")")
        elif token.text == "[":
            self.lambda_expression()
        elif token.text == "{":
            self.arguments(elements=True)
        elif token.kind == "number":
            self.take()
            for by in other_numbers(token.text):
                self.edit(token.begin, token.end, by)
        elif token.kind == "string":
            while self.kind() == "string":
                self.take()
        elif token.text in ("true", "false"):
            self.take()
            self.edit(token.begin, token.end, "false" if token.text == "true" else "true")
        elif is_name:
            self.take()
        else:
            raise SyntaxError(f"{self.name}:{self.text.count(chr(10), 0, begin) + 1}: {token.text}")
        name = token
        while True:
            word = self.peek()
            if word == "<" and is_name and self.adjacent() and not self.spaced():
                self.skip_angles()
                if self.peek().startswith("::") and self.adjacent():
                    self.take()
            elif word == "(" and self.adjacent():
                spans = self.arguments(elements=False)
                if is_name and name.text in OTHER_CALL:
                    self.edit(name.begin, name.end, OTHER_CALL[name.text], place=(begin, self.behind()))
                if is_name and name.text in ("std::max", "std::min") and len(spans) == 2:
                    for span in spans:
                        self.edit(begin, self.behind(), self.text[slice(*span)])
                what = ""
            elif word == "{" and is_name and self.adjacent():
                self.arguments(elements=True)
                what = ""
            elif word == "[" and self.adjacent():
                self.take()
                self.expression()
                self.take("]")
                what = ""
            elif word in (".", "->", ".*", "->*"):
                self.take()
                if self.peek() in ("template", "~"):
                    self.take()
                name = self.take()
                is_name = True
                what = ""
            elif word in ("++", "--") and self.adjacent():
                self.take()
            elif word == "..." and self.adjacent():
                self.take()
            else:
                return what

    def arguments(self, elements):
        """In brackets of any kind. `elements`: each may be forgotten, 0 or empty standing for it."""
        close = {"(": ")", "{": "}"}[self.take().text]
        spans = []
        while self.peek() != close:
            if self.peek() == "." and self.peek(2) == "=":  # .origin = x
                self.at += 3
            begin = self.here()
            known = len(self.found)
            self.expression()
            spans.append((begin, self.behind()))
            value = self.text[begin:self.behind()]
            if elements and len(self.found) == known and not value.startswith(("{", "[", '"', "'", "std::move")) and \
                    not re.fullmatch(r"\d+|\w*nullptr|std::nullopt|true|false", value):
                self.edit(begin, self.behind(), f"std::decay_t<decltype({value})>{{}}")
            if self.peek() != ",":
                break
            self.take()
        self.take(close)
        return spans

    def lambda_expression(self):
        self.skip_pair()
        if self.peek() == "<":
            self.skip_angles()
        if self.peek() == "(":
            self.skip_pair()
        while self.peek() != "{":
            self.take()
        outer, loops = self.statement_span, getattr(self, "in_loop", False)
        self.in_loop = False
        self.block()
        self.statement_span, self.in_loop = outer, loops


def mutants_of(name, text):
    """All mutants of a file, in the order of its text; two that read the same are one. And what is
    constexpr in it, and cannot stay so."""
    reader = Reader(name, text)
    found, seen, times = [], set(), collections.Counter()
    for mutant in reader.found:
        result = (mutant.begin, mutant.end, mutant.by[0])
        if result not in seen and reader.text[mutant.begin:mutant.end] != mutant.by[0]:
            seen.add(result)
            found.append(mutant)
    found.sort(key=lambda m: (m.begin, m.end, m.by[0]))
    for mutant in found:
        what = mutant.change(reader.text)
        times[what] += 1
        if times[what] > 1:
            mutant.again = f" #{times[what]}"
    return found, reader
