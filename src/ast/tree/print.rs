//! Generated loops as C99.
//!
//! A one-dimensional scan becomes a function that can be compiled as it stands:
//!
//! ```c
//! void S(int64_t, int64_t);
//! void scan(int64_t N)
//! {
//!   for (int64_t c0 = 0; c0 <= N - 1; c0 += 1)
//!     S(c0, 2 * c0);
//! }
//! ```
//!
//! with the definitions of `floord`, `mod`, `min` and `max` before it, as far as they are used. Parallel loops carry the OpenMP pragma
//! (their reductions a comment, for the arrays are not in sight). With [`Options::main`], statements are defined to print
//! themselves and `main` takes the parameters from the command line: running the program lists the instances in order.
//! Names that C does not allow are respelled, never to the name of something else.

use super::expr::Expr;
use super::node::{Ast, For, Node, Steps};
use super::notation::{Notation, write_expr};
use crate::presburger::Id;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

/// How to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Add a driver that prints each statement instance.
    pub main: bool,
}

/// `ast` as a C99 translation unit.
pub fn c99(ast: &Ast, options: Options) -> String {
    let mut statements = BTreeMap::new();
    let (mut names, mut tests) = (vec![], BTreeSet::new());
    collect(&ast.root, (&mut statements, &mut tests), &mut names);
    let mut printer = Printer { spelling: BTreeMap::new(), tests, out: String::new() };
    let mut taken: BTreeSet<String> = RESERVED.iter().map(|word| word.to_string()).collect();
    for name in ast.params.iter().chain(&names).chain(statements.keys()) {
        printer.spell(name, &mut taken);
    }
    printer.unit(ast, &statements, options).expect("writing to a string cannot fail");
    printer.out
}

/// `node` as C99 statements, without the definitions around them.
pub fn fragment(node: &Node) -> String {
    c99_body(node).expect("writing to a string cannot fail")
}

fn c99_body(node: &Node) -> Result<String, fmt::Error> {
    let mut printer = Printer { spelling: BTreeMap::new(), tests: BTreeSet::new(), out: String::new() };
    printer.body(node, 0)?;
    Ok(printer.out)
}

/// Words of C, and names that the printed unit defines itself or takes from headers.
const RESERVED: [&str; 52] = [
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Bool",
    "_Complex",
    "_Imaginary",
    "floord",
    "mod",
    "min",
    "max",
    "scan",
    "main",
    "argc",
    "argv",
    "printf",
    "strtoll",
    "int64_t",
    "PRId64",
    "NULL",
    "exit",
    "abs",
];

/// Definitions by name, in the order in which they are printed.
const DEFINITIONS: [(&str, &str); 4] = [
    ("floord", "static inline int64_t floord(int64_t n, int64_t d) { return n / d - (n % d < 0); }\n"),
    ("mod", "static inline int64_t mod(int64_t n, int64_t d) { return n % d < 0 ? n % d + d : n % d; }\n"),
    ("min", "static inline int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }\n"),
    ("max", "static inline int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }\n"),
];

fn collect(node: &Node, (statements, tests): (&mut BTreeMap<Id, usize>, &mut BTreeSet<Id>), names: &mut Vec<Id>) {
    match node {
        Node::User { statement, arguments } => {
            statements.insert(statement.clone(), arguments.len());
        }
        Node::Test { statement, arguments, .. } => {
            tests.insert(statement.clone());
            statements.insert(statement.clone(), arguments.len());
        }
        Node::For(each) => names.push(each.iterator.clone()),
        Node::Steps(each) => names.push(each.iterator.clone()),
        _ => {}
    }
    node.children().into_iter().for_each(|child| collect(child, (statements, tests), names));
}

struct Printer {
    spelling: BTreeMap<Id, String>,
    /// Statements that say whether a loop goes on.
    tests: BTreeSet<Id>,
    out: String,
}

impl Printer {
    fn spell(&mut self, name: &Id, taken: &mut BTreeSet<String>) {
        if self.spelling.contains_key(name) {
            return;
        }
        let mut spelled = respelled(name);
        while !taken.insert(spelled.clone()) {
            spelled.push('_');
        }
        self.spelling.insert(name.clone(), spelled);
    }

    fn name(&self, name: &Id) -> String {
        self.spelling.get(name).cloned().unwrap_or_else(|| respelled(name))
    }

    fn expr(&self, expr: &Expr) -> String {
        let mut text = String::new();
        let name = |f: &mut String, id: &Id| f.write_str(&self.name(id));
        write_expr(&mut text, expr, &name, Notation::C).expect("writing to a string cannot fail");
        text
    }

    fn unit(&mut self, ast: &Ast, statements: &BTreeMap<Id, usize>, options: Options) -> fmt::Result {
        self.body(&ast.root, 1)?;
        let body = std::mem::take(&mut self.out);
        let headers = if options.main {
            "#include <inttypes.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        } else {
            "#include <stdint.h>\n"
        };
        writeln!(self.out, "{headers}")?;
        for (function, definition) in DEFINITIONS {
            if body.contains(&format!("{function}(")) {
                self.out.push_str(definition);
            }
        }
        if options.main && !self.tests.is_empty() {
            self.out.push_str("static int64_t tests_left;\n");
        }
        for (statement, &n) in statements {
            self.statement(statement, n, options)?;
        }
        let params: Vec<String> = ast.params.iter().map(|p| format!("int64_t {}", self.name(p))).collect();
        let params = if params.is_empty() { "void".to_string() } else { params.join(", ") };
        writeln!(self.out, "\nvoid scan({params})\n{{\n{body}}}")?;
        if options.main { self.driver(ast) } else { Ok(()) }
    }

    fn statement(&mut self, statement: &Id, n: usize, options: Options) -> fmt::Result {
        let name = self.name(statement);
        let list = |one: &dyn Fn(usize) -> String| match n {
            0 => "void".to_string(),
            _ => (0..n).map(one).collect::<Vec<_>>().join(", "),
        };
        if !options.main {
            let kind = if self.tests.contains(statement) { "int" } else { "void" };
            return writeln!(self.out, "{kind} {name}({});", list(&|_| "int64_t".to_string()));
        }
        let written: String = statement.as_str().chars().flat_map(char::escape_default).collect();
        let format = vec!["%\" PRId64 \""; n].join(", ");
        let arguments: String = (0..n).map(|i| format!(", i{i}")).collect();
        let (kind, answer) = match self.tests.contains(statement) {
            true => ("int", " return tests_left-- > 0;"),
            false => ("void", ""),
        };
        writeln!(
            self.out,
            "static {kind} {name}({}) {{ printf(\"%s({format})\\n\", \"{written}\"{arguments});{answer} }}",
            list(&|i| format!("int64_t i{i}"))
        )
    }

    fn driver(&mut self, ast: &Ast) -> fmt::Result {
        let n = ast.params.len();
        let number = |i: usize| format!("strtoll(argv[{i}], NULL, 10)");
        let arguments: Vec<String> = (1..=n).map(number).collect();
        let (n, more, first) = match self.tests.is_empty() {
            true => (n, "", String::new()),
            false => (
                n + 1,
                ", the last one how many tests say that a loop goes on",
                format!("  tests_left = {};\n", number(n + 1)),
            ),
        };
        write!(
            self.out,
            "\nint main(int argc, char **argv)\n{{\n  if (argc != {}) {{\n    fprintf(stderr, \"expected {n} parameters{more}\\n\");\n    \
             return 2;\n  }}\n  (void)argv;\n{first}  scan({});\n  return 0;\n}}\n",
            n + 1,
            arguments.join(", ")
        )
    }

    fn body(&mut self, node: &Node, indent: usize) -> fmt::Result {
        match node {
            Node::Block(parts) => parts.iter().try_for_each(|part| self.body(part, indent)),
            Node::Sections { parts, parallel: true } => self.sections(parts, indent),
            Node::Sections { parts, .. } => {
                writeln!(self.out, "{:width$}// in any order", "", width = 2 * indent)?;
                parts.iter().try_for_each(|part| self.part(part, indent))
            }
            Node::Mark { id, body } => {
                writeln!(self.out, "{:width$}/* {} */", "", id.as_str().replace("*/", "* /"), width = 2 * indent)?;
                self.body(body, indent)
            }
            Node::User { statement, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|a| self.expr(a)).collect();
                writeln!(self.out, "{:w$}{}({});", "", self.name(statement), arguments.join(", "), w = 2 * indent)
            }
            Node::If { condition, then, otherwise } => {
                write!(self.out, "{:width$}if ({}) ", "", self.expr(condition), width = 2 * indent)?;
                self.braced(then, indent)?;
                if let Some(otherwise) = otherwise {
                    self.out.push_str(" else ");
                    self.braced(otherwise, indent)?;
                }
                self.out.push('\n');
                Ok(())
            }
            Node::For(each) => self.for_loop(each, indent),
            Node::Steps(each) => self.steps(each, indent),
            Node::Test { statement, arguments, goes_on, otherwise } => {
                let arguments: Vec<String> = arguments.iter().map(|a| self.expr(a)).collect();
                let (not, width) = (if *goes_on { "!" } else { "" }, 2 * indent);
                writeln!(self.out, "{:width$}if ({not}{}({})) {{", "", self.name(statement), arguments.join(", "))?;
                self.body(otherwise, indent + 1)?;
                writeln!(self.out, "{:width$}  break;\n{:width$}}}", "", "")
            }
        }
    }

    fn sections(&mut self, parts: &[Node], indent: usize) -> fmt::Result {
        let width = 2 * indent;
        writeln!(self.out, "{:width$}#pragma omp parallel sections\n{:width$}{{", "", "")?;
        for part in parts {
            writeln!(self.out, "{:width$}  #pragma omp section", "")?;
            self.part(part, indent + 1)?;
        }
        writeln!(self.out, "{:width$}}}", "")
    }

    /// A part that may run beside others: several statements in braces.
    fn part(&mut self, part: &Node, indent: usize) -> fmt::Result {
        match part {
            Node::Block(_) => {
                write!(self.out, "{:width$}", "", width = 2 * indent)?;
                self.braced(part, indent)?;
                self.out.push('\n');
                Ok(())
            }
            _ => self.body(part, indent),
        }
    }

    fn braced(&mut self, node: &Node, indent: usize) -> fmt::Result {
        self.out.push_str("{\n");
        self.body(node, indent + 1)?;
        write!(self.out, "{:width$}}}", "", width = 2 * indent)
    }

    fn steps(&mut self, each: &Steps, indent: usize) -> fmt::Result {
        let (iterator, width) = (self.name(&each.iterator), 2 * indent);
        let upper = each.upper.as_ref().map_or(String::new(), |upper| format!("{iterator} <= {}", self.expr(upper)));
        let lower = self.expr(&each.lower);
        write!(self.out, "{:width$}for (int64_t {iterator} = {lower}; {upper}; {iterator} += {}) ", "", each.step)?;
        self.braced(&each.body, indent)?;
        self.out.push('\n');
        Ok(())
    }

    fn for_loop(&mut self, each: &For, indent: usize) -> fmt::Result {
        let (iterator, width) = (self.name(&each.iterator), 2 * indent);
        if each.degenerate {
            writeln!(self.out, "{:width$}{{", "")?;
            writeln!(self.out, "{:width$}  const int64_t {iterator} = {};", "", self.expr(&each.lower))?;
            self.body(&each.body, indent + 1)?;
            return writeln!(self.out, "{:width$}}}", "");
        }
        if each.parallel {
            let arrays: Vec<&str> = each.reductions.iter().map(Id::as_str).collect();
            let note =
                if arrays.is_empty() { String::new() } else { format!(" /* reduction: {} */", arrays.join(", ")) };
            writeln!(self.out, "{:width$}#pragma omp parallel for{note}", "")?;
        } else if each.vector {
            writeln!(self.out, "{:width$}#pragma omp simd", "")?;
        }
        if each.pipelined {
            writeln!(self.out, "{:width$}// a pipeline: threads share the next loop", "")?;
        }
        if each.open {
            writeln!(self.out, "{:width$}// data-parallel", "")?;
        }
        let (lower, upper) = (self.expr(&each.lower), self.expr(&each.upper));
        write!(
            self.out,
            "{:width$}for (int64_t {iterator} = {lower}; {iterator} <= {upper}; {iterator} += {}) ",
            "", each.step
        )?;
        self.braced(&each.body, indent)?;
        self.out.push('\n');
        Ok(())
    }
}

fn respelled(name: &Id) -> String {
    let mut spelled: String = name.as_str().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !spelled.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        spelled.insert(0, '_');
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_translation_unit() {
        let ast: Ast =
            "[N, \"n.1\"] -> { for (c0 = max(0, N, 3); c0 <= floord(N, 2); c0 += 1) depth(0) coincident parallel {
            if (c0 >= 1) { min(c0); } else { let c1 = 0 { S(c1, \"n.1\"); } } } }"
                .replace("min(c0)", "\"min\"(c0)")
                .parse()
                .unwrap();
        expect![[r#"
            #include <stdint.h>

            static inline int64_t floord(int64_t n, int64_t d) { return n / d - (n % d < 0); }
            static inline int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }
            void S(int64_t, int64_t);
            void min_(int64_t);

            void scan(int64_t N, int64_t n_1)
            {
              #pragma omp parallel for
              for (int64_t c0 = max(0, max(N, 3)); c0 <= floord(N, 2); c0 += 1) {
                if (c0 >= 1) {
                  min_(c0);
                } else {
                  {
                    const int64_t c1 = 0;
                    S(c1, n_1);
                  }
                }
              }
            }
        "#]]
        .assert_eq(&c99(&ast, Options::default()));
    }

    #[test]
    fn the_compiled_driver_lists_what_replay_lists() {
        let ast: Ast = "[N, \"m.2\"] -> { for (c0 = -3; c0 <= floord(N, 2); c0 += 2) depth(0) {
            if (mod(c0, 4) == 1 || c0 >= min(N, \"m.2\", 5)) { S(floord(c0, 2), c0 + 3); } else { \"for\"(-c0 * 2, max(c0, 0, 1)); }
            let c1 = (c0 + 5) / 2 depth(1) { T(); S(c1, c0 >= 0 ? 1 : N); } } }"
            .parse()
            .unwrap();
        let directory = std::env::temp_dir().join(format!("loopwright-print-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let (source, program) = (directory.join("scan.c"), directory.join("scan"));
        std::fs::write(&source, c99(&ast, Options { main: true })).unwrap();
        let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-o"];
        let Ok(compiled) = std::process::Command::new("cc").args(flags).arg(&program).arg(&source).status() else {
            println!("skipped: there is no C compiler");
            return;
        };
        assert!(compiled.success(), "{}", c99(&ast, Options { main: true }));
        let output = std::process::Command::new(&program).args(["7", "4"]).output().unwrap();
        let shown = |(id, point): &(Id, Vec<i64>)| {
            let point: Vec<String> = point.iter().map(i64::to_string).collect();
            format!("{id}({})\n", point.join(", "))
        };
        let expected: String = crate::ast::tree::replay::replay(&ast, &[7, 4]).iter().map(shown).collect();
        std::fs::remove_dir_all(&directory).unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
}
