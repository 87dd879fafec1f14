"""All mutants of a part of the project in one copy of it, each behind a condition: mutant schemata (Untch, Offutt, Harrold 1993).

cargo-mutants says which mutants there are. The second one of

    fn before(a: u32, b: u32) -> bool {
        a < b
    }

has `==` where `<` stands. In the copy the function is

    fn before(a: u32, b: u32) -> bool { if crate::mutant(1) { return true; }
        (if crate::mutant(2) { (a == b) } else { (a < b) })
    }

so that thousands of mutants take one build and not thousands. What of that does not compile is not viable: the compiler says where, and the mutant is
left out of the next try. What such a condition cannot say (`const fn`, a value for `impl Trait`, parts of macros) is left out, and counted.
"""

import hashlib
import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import faults

# A file to which is written which mutants were reached.
REACHED = "LOOPWRIGHT_REACHED"

# Each thread notes a mutant once: with one test per thread, as in cargo's tests, that says which test reaches what.
MUTANT = f"""
/// Whether the mutant of this number is wanted. That it was reached, and on which thread, is noted in a file if one is named.
pub fn mutant(number: u32) -> bool {{
    static WANTED: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    static NOTED: std::sync::OnceLock<Option<std::path::PathBuf>> = std::sync::OnceLock::new();
    if let Some(file) = NOTED.get_or_init(|| std::env::var_os("{REACHED}").map(Into::into)) {{
        note(number, file);
    }}
    *WANTED.get_or_init(|| std::env::var("{faults.WANTED}").ok().and_then(|text| text.parse().ok()).unwrap_or(0)) == number
}}

fn note(number: u32, file: &std::path::Path) {{
    thread_local! {{
        static SEEN: std::cell::RefCell<std::collections::HashSet<u32>> = Default::default();
    }}
    let is_new = SEEN.try_with(|seen| seen.borrow_mut().insert(number)).unwrap_or(false);
    if is_new {{
        let line = format!("{{number}} {{}}\\n", std::thread::current().name().unwrap_or("?"));
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
        let _ = opened.and_then(|mut file| std::io::Write::write_all(&mut file, line.as_bytes()));
    }}
}}
"""


@dataclass
class Mutant:
    """A change of one function. `name` says which, in words that stay true when lines move; `of` changes with the function's text."""

    number: int
    name: str
    file: str
    function: str
    change: str
    line: int
    text: str
    of: str
    left_out: str = ""


@dataclass
class Choice:
    """A piece of the text, and what stands there instead, or before it, while a mutant is wanted."""

    start: int
    end: int
    variants: list = field(default_factory=list)
    conditions: list = field(default_factory=list)
    inserted: list = field(default_factory=list)


def grammar():
    try:
        import tree_sitter
        import tree_sitter_rust
    except ImportError:
        raise SystemExit("tree-sitter is not there: run scripts/setup --mutants")
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))


def listed(patterns):
    """What cargo-mutants finds in the files of these patterns."""
    command = ["cargo", "mutants", "--list", "--json", *(word for pattern in patterns for word in ("-f", pattern))]
    ended = subprocess.run(command, cwd=faults.ROOT, capture_output=True, text=True)
    if ended.returncode != 0:
        raise SystemExit(f"cargo mutants: {ended.stderr.strip()[-300:]}\nIs it there? scripts/setup --mutants installs it.")
    return json.loads(ended.stdout)


class Source:
    """A file, its syntax, and where mutants go in it."""

    def __init__(self, path, parser):
        self.path = path
        self.bytes = (faults.ROOT / path).read_bytes()
        self.lines = self.bytes.split(b"\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.root = parser.parse(self.bytes).root_node
        self.choices = {}

    def offset(self, place):
        line = self.lines[place["line"] - 1].decode()
        return self.starts[place["line"] - 1] + len(line[: place["column"] - 1].encode())

    def node(self, start, end, *kinds):
        """The smallest node of these kinds around a piece of text."""
        node = self.root.descendant_for_byte_range(start, end)
        while node and node.type not in kinds:
            node = node.parent
        return node

    def text(self, node):
        return self.bytes[node.start_byte : node.end_byte].decode()

    def around(self, start, end):
        """What an operator belongs to, whose token may be longer or shorter than the operator."""
        node = self.root.descendant_for_byte_range(start, end)
        return node.parent if node.child_count == 0 else node

    def at(self, start, end):
        return self.choices.setdefault((start, end), Choice(start, end))

    def function(self, start, end):
        """The function around a piece of text, not one that is inside of it."""
        return self.node(start, end, "function_item")

    def put(self, number, found):
        """Puts a mutant into the text; what cannot be said by a condition is said by the result."""
        start, end = self.offset(found["span"]["start"]), self.offset(found["span"]["end"])
        function = self.function(start, end)
        if function is None:
            return "not an expression"
        if any(child.type == "function_modifiers" and b"const" in child.text for child in function.children):
            return "const fn"
        return getattr(self, "put_" + found["genre"])(number, found, function, start, end)

    def put_FnValue(self, number, found, function, start, end):
        returned = function.child_by_field_name("return_type")
        if returned is not None and re.search(r"\bimpl\b", self.text(returned)):
            return "impl Trait"
        body = function.child_by_field_name("body").start_byte + 1
        self.at(body, body).inserted.append((number, f" if crate::mutant({number}) {{ return {found['replacement']}; }}"))

    def put_BinaryOperator(self, number, found, function, start, end):
        node = self.around(start, end)
        if node.type == "let_chain":
            return "a condition with let"
        if node.type not in ("binary_expression", "compound_assignment_expr"):
            return "not an expression"
        sides = [self.operand(node.child_by_field_name(side)) for side in ("left", "right")]
        self.at(node.start_byte, node.end_byte).variants.append((number, f"{sides[0]} {found['replacement']} {sides[1]}"))

    def operand(self, node):
        return f"({self.text(node)})" if node.type == "binary_expression" else self.text(node)

    def put_UnaryOperator(self, number, found, function, start, end):
        node = self.around(start, end)
        if node.type != "unary_expression":
            return "not an expression"
        self.at(node.start_byte, node.end_byte).variants.append((number, self.bytes[end : node.end_byte].decode()))

    def put_MatchArmGuard(self, number, found, function, start, end):
        self.at(start, end).variants.append((number, found["replacement"]))

    def put_MatchArm(self, number, found, function, start, end):
        pattern = self.node(start, start + 1, "match_arm").child_by_field_name("pattern")
        condition = pattern.child_by_field_name("condition")
        if condition is None:
            self.at(pattern.end_byte, pattern.end_byte).inserted.append((number, f" if !crate::mutant({number})"))
        else:
            self.at(condition.start_byte, condition.end_byte).conditions.append((number, f"!crate::mutant({number}) && "))

    def put_StructField(self, number, found, function, start, end):
        node = self.node(start, start + 1, "struct_expression")
        member = self.node(start, start + 1, "field_initializer", "shorthand_field_initializer")
        if node is None or member is None or member.start_byte != start:
            return "not an expression"
        behind = self.bytes[member.end_byte : node.end_byte].decode().lstrip().removeprefix(",")
        self.at(node.start_byte, node.end_byte).variants.append((number, self.bytes[node.start_byte : start].decode() + behind))

    def written(self, dropped):
        """The text with all mutants but those, and where in it each mutant stands: (start, end, number), in bytes."""
        wanted = sorted(self.choices.values(), key=lambda choice: (choice.start, -choice.end))
        writer = Writer(self.bytes, dropped)
        writer.write(0, len(self.bytes), wanted)
        return b"".join(writer.parts).decode(), writer.places


class Writer:
    def __init__(self, source, dropped):
        self.source, self.dropped = source, dropped
        self.parts, self.places, self.length = [], [], 0

    def emit(self, text, number=None):
        text = text if isinstance(text, bytes) else text.encode()
        if number is not None:
            self.places.append((self.length, self.length + len(text), number))
        self.parts.append(text)
        self.length += len(text)

    def write(self, start, end, choices):
        while choices:
            choice, choices = choices[0], choices[1:]
            inside = [c for c in choices if c.end <= choice.end and c.start < choice.end]
            choices = choices[len(inside) :]
            self.emit(self.source[start : choice.start])
            self.choose(choice, inside)
            start = choice.end
        self.emit(self.source[start:end])

    def choose(self, choice, inside):
        for number, text in choice.inserted:
            if number not in self.dropped:
                self.emit(text, number)
        for number, text in choice.conditions:
            if number not in self.dropped:
                self.emit(text, number)
        variants = [(number, text) for number, text in choice.variants if number not in self.dropped]
        is_wrapped = variants or choice.conditions
        self.emit("(" if is_wrapped else "")
        for number, text in variants:
            self.emit(f"if crate::mutant({number}) {{ ({text}) }} else ", number)
        self.emit("{ (" if variants else "")
        self.write(choice.start, choice.end, inside)
        self.emit(") }" if variants else "")
        self.emit(")" if is_wrapped else "")


def mutants(patterns):
    """All mutants of these files, numbered from 1, and the files' texts with places for them."""
    parser, sources, found_mutants, names = grammar(), {}, [], {}
    for number, found in enumerate(listed(patterns), 1):
        file = found["file"]
        source = sources.setdefault(file, Source(file, parser))
        change = re.sub(r"^\S+:\d+:\d+: ", "", found["name"])
        function = found["function"]["function_name"] if found["function"] else ""
        key = f"{file}: {change}"
        names[key] = names.get(key, 0) + 1
        line = found["span"]["start"]["line"]
        whole = source.function(source.offset(found["span"]["start"]), source.offset(found["span"]["end"]))
        of = hashlib.sha1(whole.text if whole else b"").hexdigest()[:12]
        mutant = Mutant(number, f"{key} #{names[key]}", file, function, change, line, source.lines[line - 1].decode().strip(), of)
        mutant.left_out = source.put(number, found) or ""
        found_mutants.append(mutant)
    return found_mutants, sources


def to_blame(message, places, sources):
    """The mutants that an error of the compiler is about."""
    for spans in ([s for s in message["spans"] if s["is_primary"]], message["spans"]):
        blamed = set()
        for span in spans:
            blamed |= {n for start, end, n in places.get(span["file_name"], []) if start <= span["byte_start"] < end}
        if blamed:
            return blamed
    return set()


def nearest(message, texts, places, parser):
    """The mutants of the innermost `match`, or of the function, that an error is in which is at none of them."""
    for span in message["spans"]:
        text = texts.get(span["file_name"])
        if text is None:
            continue
        node = parser.parse(text.encode()).root_node.descendant_for_byte_range(span["byte_start"], span["byte_end"])
        while node:
            if node.type in ("match_expression", "function_item"):
                inside = {n for start, end, n in places[span["file_name"]] if node.start_byte <= start and end <= node.end_byte}
                if inside:
                    return inside
            node = node.parent
    return set()


def errors(output):
    for line in output.splitlines():
        if line.startswith("{"):
            message = json.loads(line)
            if message.get("reason") == "compiler-message" and message["message"]["level"] == "error" and message["message"]["spans"]:
                yield message["message"]


def viable(tree, sources, others, dropped, check):
    """Writes the copy with the mutants that compile; `dropped` grows by those that do not. `check` gives what cargo says, as JSON. A copy that once
    compiled is not checked again."""
    parser, checked = grammar(), tree.with_suffix(".checked")
    while True:
        written = {file: source.written(dropped) for file, source in sources.items()}
        texts = {file: text for file, (text, _) in written.items()}
        places = {file: found for file, (_, found) in written.items()}
        faults.write(tree, {**others, **{Path(file): text for file, text in texts.items()}})
        rest = {str(file): text for file, text in others.items() if file.suffix in (".rs", ".toml")}
        state = hashlib.sha1(json.dumps({**rest, **texts}, sort_keys=True).encode()).hexdigest()
        if checked.exists() and checked.read_text() == state:
            return
        ended = check()
        if ended.returncode == 0:
            checked.write_text(state)
            return
        found = set()
        for message in errors(ended.stdout):
            found |= to_blame(message, places, sources) or nearest(message, texts, places, parser)
        if not found - dropped:
            raise SystemExit(f"the copy does not build, and no mutant is to blame:\n{ended.stderr[-3000:]}")
        print(f"mutate: {len(found - dropped)} mutants do not compile", flush=True)
        dropped |= found
