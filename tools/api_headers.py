# SPDX-License-Identifier: MIT
"""Which names a C or C++ header declares. A light reader, made for API headers: it needs no compiler and
no include paths, so headers of any release can be read."""
import pathlib
import re

# Together: a comment may hold a quote, and a text may hold what looks like a comment.
COMMENT_OR_STRING = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*\"""", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)[ \t]*(.*)$", re.M)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
TOKEN = re.compile(r"[A-Za-z_]\w*|[{}();,=<>:*\[\]]")
# Words that stand before '(' and declare nothing.
NO_NAMES = set("if for while switch return sizeof alignas __attribute__ __declspec decltype defined noexcept "
               "operator asm __asm__ static_assert __align__ alignof throw catch".split())


def code_of(text):
    """The text without comments, strings and line continuations."""
    text = text.replace("\\\n", " ")
    return COMMENT_OR_STRING.sub(lambda match: '""' if match[0][0] == '"' else " ", text)


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")


def tokens_of(text):
    """Every identifier that stands in code or is defined; conditions of the preprocessor do not count."""
    names = set()

    def directive(match):
        if match[1] == "define":
            names.update(IDENTIFIER.findall(match[2]))
        return ""

    rest = DIRECTIVE.sub(directive, code_of(text))
    names.update(IDENTIFIER.findall(rest))
    # Constants of generated bindings carry their type in front: hipError_t_hipSuccess.
    for name in list(names):
        for match in re.finditer(r"_(?=hip[A-Z]|HIP|hiprtc|HIPRTC)", name):
            names.add(name[match.end():])
    return names


def names_of(text):
    """{name: kind} of what the text declares at the outermost level: function, type, enumerator, macro."""
    names = {}

    def directive(match):
        if match[1] == "define":
            name = IDENTIFIER.match(match[2])
            if name:
                names.setdefault(name[0], "macro")
        return ""

    tokens = TOKEN.findall(DIRECTIVE.sub(directive, code_of(text)))
    declared = {}
    Walk(tokens, declared).run()
    # What is declared and also defined (#define cudaMemcpy cudaMemcpy_ptds) is what it is declared as.
    return names | declared


def bound_names(text):
    """The same of machine-made bindings: pub fn, pub type, pub struct, pub const TYPE_name."""
    kinds = {"fn": "function", "type": "type", "struct": "type", "union": "type", "const": "enumerator"}
    names = {}
    for word, name in re.findall(r"^\s*pub (fn|type|struct|union|const) (\w+)", text, re.M):
        names[name] = kinds[word]
        for match in re.finditer(r"_(?=hip[A-Z]|HIP)", name):
            names[name[match.end():]] = kinds[word]
    return names


def aliases_of(text):
    """{new: old} of lines such as #define cublasSgemm cublasSgemm_v2"""
    result = {}
    for match in DIRECTIVE.finditer(code_of(text)):
        alias = re.fullmatch(r"(\w+)\s+(\w+)\s*", match[2])
        if match[1] == "define" and alias:
            result[alias[1]] = alias[2]
    return result


class Walk:
    """One pass over the tokens. Braces of namespaces and of extern "C" do not count as depth."""

    def __init__(self, tokens, names):
        self.tokens, self.names = tokens, names
        self.depth = 0
        self.open = []  # for every brace: does it count?

    def run(self):
        tokens, i, parens, typedef = self.tokens, 0, 0, False
        transparent = False
        while i < len(tokens):
            token = tokens[i]
            if token == "namespace" or token == "extern":
                transparent = True
            elif token == "enum":
                i = self.enum(i)
                continue
            elif token == "typedef" and self.depth == 0:
                typedef = True
            elif token in ("struct", "union", "class"):
                self.tag(i)
            elif token == "using" and tokens[i + 2:i + 3] == ["="]:
                self.names.setdefault(tokens[i + 1], "type")
            elif token == "{":
                counts = not (transparent and parens == 0)
                self.open.append(counts)
                self.depth += counts
                transparent = False
            elif token == "}":
                if self.open:
                    self.depth -= self.open.pop()
            elif token == "(":
                before = tokens[i - 1] if i else ""
                if self.depth == 0 and parens == 0:
                    # typedef void (*name)( or (CALLBACK *name)(
                    star = next((k for k in (i + 1, i + 2) if tokens[k:k + 1] == ["*"]), None)
                    if typedef and star:
                        self.names.setdefault(tokens[star + 1], "type")
                        typedef = False
                    elif not typedef and IDENTIFIER.fullmatch(before) and before not in NO_NAMES:
                        self.names.setdefault(before, "function")
                parens += 1
            elif token == ")":
                parens = max(0, parens - 1)
            elif token == ";":
                if typedef and self.depth == 0:
                    self.typedef_names(i)
                    typedef = False
                transparent = False
                parens = 0 if self.depth == 0 else parens
            i += 1

    def typedef_names(self, end):
        """typedef struct {…} A, *B;"""
        i = end - 1
        while i >= 0 and self.tokens[i] not in ("}", ";", "typedef"):
            if IDENTIFIER.fullmatch(self.tokens[i]) and self.tokens[i + 1] in (";", ",", "["):
                self.names.setdefault(self.tokens[i], "type")
            i -= 1

    def tag(self, i):
        """struct [attributes] Name { or ; or :"""
        j = i + 1
        while j + 1 < len(self.tokens) and j < i + 12:
            if self.tokens[j] in ("{", ";", ")", "*", "=", ">"):
                return
            if IDENTIFIER.fullmatch(self.tokens[j]) and self.tokens[j + 1] in ("{", ";", ":", "*") \
                    or self.tokens[j + 1] == "final":
                self.names.setdefault(self.tokens[j], "type")
                return
            j += 1

    def enum(self, i):
        """Takes the whole enum; returns the index behind its brace."""
        j = i + 1
        while j < len(self.tokens) and self.tokens[j] not in ("{", ";", ")", ",", "*", ">"):
            if IDENTIFIER.fullmatch(self.tokens[j]) and self.tokens[j] not in ("class", "struct") \
                    and self.tokens[j + 1:j + 2] in (["{"], [":"], [";"]):
                self.names.setdefault(self.tokens[j], "type")
            j += 1
        if j >= len(self.tokens) or self.tokens[j] != "{":
            return j
        expects, nested = True, 0
        j += 1
        while j < len(self.tokens) and self.tokens[j] != "}":
            token = self.tokens[j]
            if token == "(":
                nested += 1
            elif token == ")":
                nested -= 1
            elif token == "," and nested == 0:
                expects = True
            elif expects and IDENTIFIER.fullmatch(token):
                self.names.setdefault(token, "enumerator")
                expects = False
            j += 1
        return j + 1
