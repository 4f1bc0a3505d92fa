"""C++ as tokens, and a cursor that walks over them: all that reading a file needs to know below its statements."""
import bisect
import collections
import re

TOKEN = re.compile(
    r"(?P<string>(?:u8|[uUL])?R\"(?P<delimiter>[^(\s]*)\((?:.|\n)*?\)(?P=delimiter)\"|(?:u8|[uUL])?\"(?:\\.|[^\"\\\n])*\"|"
    r"'(?:\\.|[^'\\\n])+')|"
    r"(?P<number>\.?\d(?:[eEpP][+-]|[\w.]|'(?=\w))*)|"
    r"(?P<name>(?:::)?[A-Za-z_]\w*(?:::~?[A-Za-z_]\w*)*)|"
    r"(?P<op><=>|\.\*|<<=|>>=|->\*|\.\.\.|\[\[|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|\^=|&=|\|=|\S)")

Token = collections.namedtuple("Token", "text begin end kind")


def blanked(text):
    """The text with comments as spaces."""
    out, at = [], 0
    literal = re.compile(r"R\"(?P<d>[^(\s]*)\((?:.|\n)*?\)(?P=d)\"|\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])+'|"
                         r"(?P<comment>//[^\n]*|/\*(?:.|\n)*?\*/)")
    for match in literal.finditer(text):
        if match.group("comment"):
            out += [text[at:match.start()], re.sub(r"[^\n]", " ", match.group())]
            at = match.end()
    return "".join(out) + text[at:]


def tokens_of(text):
    """Of a text without comments."""
    tokens, at = [], 0
    directives = [m.span() for m in re.finditer(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", text, re.M)]
    starts = [d[0] for d in directives]
    while True:
        at = re.compile(r"\s*").match(text, at).end()
        if at >= len(text):
            return tokens
        before = bisect.bisect_right(starts, at) - 1
        if before >= 0 and at < directives[before][1]:
            at = directives[before][1]
            continue
        if text[at] == "#":  # its blanks were skipped
            at = next(end for begin, end in directives if begin <= at < end)
            continue
        match = TOKEN.match(text, at)
        tokens.append(Token(match.group(), match.start(), match.end(),
                            next(k for k in ("string", "number", "name", "op") if match.group(k))))
        at = match.end()


class Cursor:
    """A place among the tokens of a file."""

    def __init__(self, name, text):
        self.name, self.text = name, blanked(text)
        self.tokens = tokens_of(self.text)
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead].text if self.at + ahead < len(self.tokens) else ""

    def kind(self, ahead=0):
        return self.tokens[self.at + ahead].kind if self.at + ahead < len(self.tokens) else ""

    def here(self):
        return self.tokens[self.at].begin if self.at < len(self.tokens) else len(self.text)

    def behind(self):
        return self.tokens[self.at - 1].end

    def take(self, wanted=None):
        if wanted is not None and self.peek() != wanted:
            raise SyntaxError(f"{self.name}:{self.text.count(chr(10), 0, self.here()) + 1}: "
                              f"{wanted} expected, not {self.peek()}")
        self.at += 1
        return self.tokens[self.at - 1]

    def spaced(self, ahead=0):
        """Blanks before and after, as around a binary operator."""
        token = self.tokens[self.at + ahead]
        return self.text[token.begin - 1].isspace() and self.text[token.end:token.end + 1].isspace()

    def adjacent(self):
        """Is there no blank before the next token?"""
        return self.at < len(self.tokens) and self.tokens[self.at].begin == self.tokens[self.at - 1].end

    def skip_pair(self):
        """Over a bracket to behind its partner."""
        depth = 0
        while True:
            word = self.take().text
            depth += (word in ("(", "[", "{")) + 2 * (word == "[[") - (word in (")", "]", "}"))
            if depth == 0:
                return

    def skip_angles(self):
        """Over template arguments."""
        depth = 0
        while True:
            if self.peek() in ("(", "[", "{"):
                self.skip_pair()
                continue
            word = self.take().text
            depth += (word == "<") - (word == ">") - 2 * (word == ">>")
            if depth <= 0:
                return

    def skip_to(self, *stops):
        while self.peek() not in stops:
            if self.at >= len(self.tokens):
                raise SyntaxError(f"{self.name} ends where {' or '.join(stops)} should come")
            if self.peek() in ("(", "[", "{", "[["):
                self.skip_pair()
            else:
                self.take()
