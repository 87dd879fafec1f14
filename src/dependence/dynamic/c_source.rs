//! The S-graph as a program in C: each node a function of its context, whose values are computed once and when they are asked for.
//!
//! ```text
//! static double P1_P1_0(int64_t i) { if (i - 1 == 0) return S1(); return B1(i - 1); }
//! static int64_t P1(int64_t i) { .. known = (P1_P1_0(i) < x_in(i)) != 0; .. }
//! ```
//!
//! is what `P1(i) = r(i) < x(i)` becomes. The program reads parameters as arguments, `n=3`, and elements from standard input, `x[1] = 5`, one in a line, and prints the
//! elements of the outputs in the same way, in the order and in the words of `loopwright dataflow --run`. Types are those of arrays: integers of 64 bits that wrap, and `double`. As chains of calls are as long
//! as the program runs, they have a stack of their own.
//!
//! Implements: 004 7.2

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::c_values::{Type, applied, keep};
use super::graph::{Kind, Node};
use super::grow::Scope;
use super::quast::{Quast, Term, tuples};
use super::tree::{Condition, Linear, Tree};
use super::{Dataflow, quast_tree};
use crate::presburger::int::Number;
use crate::presburger::{Id, Map, Set};
use crate::scop::expression::Expression;
use crate::scop::{ArrayId, ElementType, StatementId};

/// What all programs begin with.
const BEGINNING: &str = include_str!("c_source.begin.c");

/// And end with.
const END: &str = include_str!("c_source.end.c");

/// Names of the beginning, and words of C that models may use as names.
const TAKEN: &str = "\
    value table entry find lookup given stop whole divide rest smaller larger main run begin set \
    parameter show_whole show_real floor_of magnitude auto break case char const continue default do \
    double else enum extern float for goto if inline int long register restrict return short signed \
    sizeof static struct switch typedef union unsigned void volatile while abs exit free malloc calloc \
    printf fmod fabs fmin fmax sqrt exp log sin cos key n_key to known argc argv line y0 y1 yn j0 j1 jn UNUSED stdin stdout \
    stderr NULL arrays parameters element array stack thread nothing list_of \
";

impl Dataflow<'_> {
    /// The program.
    ///
    /// # Errors
    /// What some statement computes is not said, or cannot be.
    pub fn c_source(&self) -> Result<String, String> {
        let mut writer = Writer { dataflow: self, names: BTreeMap::new(), used: BTreeSet::new(), out: String::new() };
        writer.used.extend(TAKEN.split_whitespace().map(str::to_string));
        let params: Vec<String> = self.scop.params.iter().map(|name| writer.name("", name.as_str())).collect();
        let mut out = format!("// {}: its exact dataflow as equations.\n{BEGINNING}\n", self.scop.name);
        for param in &params {
            let _ = writeln!(out, "static int64_t {param};");
        }
        for at in 0..self.graph.nodes.len() {
            let _ = writeln!(out, "{};", writer.head(at));
        }
        for at in 0..self.graph.nodes.len() {
            writer.node(at)?;
        }
        writer.beginning(&params);
        writer.run()?;
        Ok(format!("{out}{}{END}", writer.out))
    }
}

struct Writer<'d> {
    dataflow: &'d Dataflow<'d>,
    /// The name in C of a node (``), of a variable (`v`) or of another thing.
    names: BTreeMap<(&'static str, String), String>,
    used: BTreeSet<String>,
    out: String,
}

impl Writer<'_> {
    /// The name of a thing; things of different kinds have different ones.
    fn name(&mut self, kind: &'static str, name: &str) -> String {
        if let Some(known) = self.names.get(&(kind, name.to_string())) {
            return known.clone();
        }
        let mut plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !plain.starts_with(|c: char| c.is_ascii_alphabetic()) {
            plain.insert(0, 'v');
        }
        let mut wishes = std::iter::once(plain.clone()).chain((1..).map(|n| format!("{plain}_{n}")));
        let own = wishes.find(|wish| !self.used.contains(wish)).expect("law: there are more names than are used");
        self.used.insert(own.clone());
        self.names.insert((kind, name.to_string()), own.clone());
        own
    }

    fn variable(&mut self, name: &Id) -> String {
        let kind = if self.dataflow.scop.params.contains(name) { "" } else { "v" };
        self.name(kind, name.as_str())
    }

    fn element(&self, array: ArrayId) -> ElementType {
        self.dataflow.scop.arrays[array].element
    }

    /// The element that a node's values are.
    fn stored(&self, kind: Kind) -> ElementType {
        match kind {
            Kind::Input(array) | Kind::Output(array) | Kind::Blend(array) => self.element(array),
            Kind::Compute(statement) => self.written(statement),
            Kind::Filter(_) | Kind::Start => ElementType::Int(64),
        }
    }

    fn written(&self, statement: StatementId) -> ElementType {
        let scop = self.dataflow.scop;
        let write = scop.statements[statement].accesses.iter().find(|access| access.kind.writes());
        write.and_then(|access| scop.array(&access.array)).map_or(ElementType::Int(64), |array| array.element)
    }

    fn arguments(&mut self, node: &Node) -> String {
        let all: Vec<String> = node.context.iter().map(|v| format!("int64_t {}", self.variable(v))).collect();
        if all.is_empty() { "void".to_string() } else { all.join(", ") }
    }

    /// The beginning of a node's function.
    fn head(&mut self, at: usize) -> String {
        let node = &self.dataflow.graph.nodes[at];
        let (name, arguments) = (self.name("f", node.name.as_str()), self.arguments(node));
        format!("static {} {name}({arguments})", Type::of(self.stored(node.kind)).word())
    }

    fn node(&mut self, at: usize) -> Result<(), String> {
        let dataflow = self.dataflow;
        let (node, sources) = (&dataflow.graph.nodes[at], &dataflow.sources[at]);
        let (head, own) = (self.head(at), self.name("f", node.name.as_str()));
        let stored = self.stored(node.kind);
        let kind = Type::of(stored);
        let variables: Vec<String> = node.context.iter().map(|v| self.variable(v)).collect();
        let n = variables.len();
        let key = if n == 0 { "0".to_string() } else { variables.join(", ") };
        if let Kind::Input(array) = node.kind {
            let table = self.name("t", self.dataflow.scop.arrays[array].name.as_str());
            let _ = writeln!(
                self.out,
                "\n{head} {{\n  return given(&{table}, {n}, (int64_t[]){{{key}}})->{};\n}}",
                kind.field()
            );
            return Ok(());
        }
        let value = match (node.kind, &sources[..]) {
            (Kind::Compute(statement), _) => {
                let (value, own) = self.computed(node, sources, statement)?;
                keep(stored, &value, own)
            }
            (_, [only]) => self.called(node, "from", only, kind),
            _ => return Err(format!("{} has no source", node.name)),
        };
        let _ = writeln!(self.out, "\nstatic struct table {own}_values;\n{head} {{");
        let _ = writeln!(self.out, "  union value *known = find(&{own}_values, {n}, (int64_t[]){{{key}}});");
        let _ = writeln!(self.out, "  if (known) return known->{};", kind.field());
        let _ = writeln!(self.out, "  {} value = {value};", kind.word());
        let _ = writeln!(
            self.out,
            "  set(&{own}_values, {n}, (int64_t[]){{{key}}})->{} = value;\n  return value;\n}}",
            kind.field()
        );
        self.used.insert(format!("{own}_values"));
        Ok(())
    }

    /// A call of what a tree says; one that is not a term becomes a function first.
    fn called(&mut self, node: &Node, port: &str, tree: &Tree, kind: Type) -> String {
        if let Tree::Term { node, args, .. } = tree {
            return self.term(node, args);
        }
        let name = self.name("p", &format!("{}_{port}", node.name));
        let (arguments, variables) = (self.arguments(node), self.linear_list(&node.context));
        let _ = writeln!(self.out, "\nstatic {} {name}({arguments}) {{", kind.word());
        self.body(
            tree,
            1,
            &mut |writer, node, args| format!("return {};", writer.term(node, args)),
            &format!("stop(\"{} has no source\");", node.name),
        );
        let _ = writeln!(self.out, "}}");
        format!("{name}({variables})")
    }

    fn linear_list(&mut self, names: &[Id]) -> String {
        names.iter().map(|name| self.variable(name)).collect::<Vec<_>>().join(", ")
    }

    fn term(&mut self, node: &Id, args: &[Linear]) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.linear(arg)).collect();
        format!("{}({})", self.name("f", node.as_str()), args.join(", "))
    }

    /// A tree as statements.
    fn body(
        &mut self,
        tree: &Tree,
        depth: usize,
        leaf: &mut dyn FnMut(&mut Self, &Id, &[Linear]) -> String,
        nothing: &str,
    ) {
        let indent = "  ".repeat(depth);
        match tree {
            Tree::Term { node, args, .. } => {
                let text = leaf(self, node, args);
                let _ = writeln!(self.out, "{indent}{text}");
            }
            Tree::Branch { condition, yes, no } => {
                let condition = match condition {
                    Condition::Zero(e) => format!("{} == 0", self.linear(e)),
                    Condition::Positive(e) => format!("{} > 0", self.linear(e)),
                    Condition::Truth { node, args } => self.term(node, args),
                };
                let _ = writeln!(self.out, "{indent}if ({condition}) {{");
                self.body(yes, depth + 1, leaf, nothing);
                let _ = writeln!(self.out, "{indent}}}");
                self.body(no, depth, leaf, nothing);
            }
            Tree::Divide { dividend, divisor, quotient, remainder, rest } => {
                let (dividend, q, r) = (self.linear(dividend), self.variable(quotient), self.variable(remainder));
                let _ = writeln!(self.out, "{indent}{{\n{indent}  int64_t {q} = floor_of({dividend}, {divisor});");
                let _ = writeln!(self.out, "{indent}  int64_t {r} = ({dividend}) - {divisor} * {q};");
                let _ = writeln!(self.out, "{indent}  (void){q}, (void){r};");
                self.body(rest, depth + 1, leaf, nothing);
                let _ = writeln!(self.out, "{indent}}}");
            }
            Tree::Nothing | Tree::Union(_) | Tree::Each { .. } => {
                let _ = writeln!(self.out, "{indent}{nothing}");
            }
        }
    }

    fn linear(&mut self, linear: &Linear) -> String {
        let mut text = String::new();
        for (name, coefficient) in &linear.terms {
            let name = self.variable(name);
            let sign = match (text.is_empty(), coefficient.is_negative()) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            let size = coefficient.abs();
            let factor = if size.is_one() { String::new() } else { format!("{size} * ") };
            let _ = write!(text, "{sign}{factor}{name}");
        }
        match (text.is_empty(), linear.constant.is_negative()) {
            (true, _) => linear.constant.to_string(),
            (false, _) if linear.constant.is_zero() => text,
            (false, true) => format!("{text} - {}", Number::neg(&linear.constant)),
            (false, false) => format!("{text} + {}", linear.constant),
        }
    }

    /// What a statement computes from the sources of its reads, and of which type that is.
    fn computed(&mut self, node: &Node, sources: &[Tree], statement: StatementId) -> Result<(String, Type), String> {
        let scop = self.dataflow.scop;
        let statement = &scop.statements[statement];
        let Some(value) = &statement.compute else {
            return Err(format!("{} does not say what it computes", statement.name));
        };
        let mut reads = BTreeMap::new();
        for (port, tree) in node.ports.iter().zip(sources) {
            let read = statement.accesses.iter().find(|access| access.id == port.name);
            let array = read.and_then(|access| scop.array(&access.array));
            let kind = array.map_or(Type::Whole, |array| Type::of(array.element));
            reads.insert(port.name.clone(), (self.called(node, port.name.as_str(), tree, kind), kind));
        }
        self.expression(value, &reads)
    }

    fn expression(
        &mut self,
        expression: &Expression,
        reads: &BTreeMap<Id, (String, Type)>,
    ) -> Result<(String, Type), String> {
        Ok(match expression {
            Expression::Integer(value) => (format!("INT64_C({value})"), Type::Whole),
            Expression::Float(value) if value.is_finite() => (format!("{value:?}"), Type::Real),
            Expression::Float(value) => return Err(format!("{value} is no number that C has a word for")),
            Expression::Name(name) => match reads.get(name) {
                Some(read) => read.clone(),
                None => (self.variable(name), Type::Whole),
            },
            Expression::Call(symbol, _) => {
                return Err(format!("the symbol {symbol} has no meaning that could be executed"));
            }
            Expression::Apply(operator, parts) => {
                let parts = parts.iter().map(|part| self.expression(part, reads)).collect::<Result<Vec<_>, _>>()?;
                applied(*operator, &parts)?
            }
        })
    }

    /// What sets parameters and elements.
    fn beginning(&mut self, params: &[String]) {
        let _ = writeln!(self.out, "\nstatic int64_t *parameter(const char *name) {{");
        for (own, name) in params.iter().zip(&self.dataflow.scop.params) {
            let _ = writeln!(self.out, "  if (!strcmp(name, \"{name}\")) return &{own};");
        }
        let _ = writeln!(self.out, "  return NULL;\n}}\n\nstatic const struct array arrays[] = {{");
        let dataflow = self.dataflow;
        for node in &dataflow.graph.nodes {
            let Kind::Input(array) = node.kind else { continue };
            let name = dataflow.scop.arrays[array].name.clone();
            let table = self.name("t", name.as_str());
            let real = usize::from(Type::of(self.element(array)) == Type::Real);
            let _ = writeln!(self.out, "  {{\"{name}\", &{table}, {}, {real}}},", node.context.len());
        }
        let _ = writeln!(self.out, "  {{NULL, NULL, 0, 0}}\n}};\n");
        let tables: Vec<String> = dataflow
            .graph
            .nodes
            .iter()
            .filter_map(|node| match node.kind {
                Kind::Input(array) => Some(self.name("t", dataflow.scop.arrays[array].name.as_str())),
                _ => None,
            })
            .collect();
        let mut declared = String::new();
        for (table, node) in tables.iter().zip(dataflow.graph.nodes.iter().filter(|n| matches!(n.kind, Kind::Input(_))))
        {
            let _ =
                writeln!(declared, "static struct table {table} = {{\"{}\", 0, 0, NULL}};", array_name(dataflow, node));
        }
        self.out.insert_str(0, &declared);
        let _ = writeln!(self.out, "static const char *parameters[] = {{");
        for name in &dataflow.scop.params {
            let _ = writeln!(self.out, "  \"{name}\",");
        }
        let _ = writeln!(self.out, "  NULL\n}};");
    }

    /// What prints the outputs: element by element, each the next one after the one before.
    fn run(&mut self) -> Result<(), String> {
        let dataflow = self.dataflow;
        let mut calls = String::new();
        let is_output = |(_, node): &(usize, &Node)| matches!(node.kind, Kind::Output(_));
        let mut outputs: Vec<(usize, &Node)> = dataflow.graph.nodes.iter().enumerate().filter(is_output).collect();
        outputs.sort_by_key(|(_, node)| match node.kind {
            Kind::Output(array) => Some(array),
            _ => None,
        });
        for (at, node) in outputs {
            let Kind::Output(array) = node.kind else { continue };
            let (own, n) = (self.name("f", node.name.as_str()), node.context.len());
            let domain = node.domain.intersect_params(&dataflow.scop.trusted_context());
            let space = tuples(&dataflow.scop.params, 0);
            let first = Map::from_domain_and_range(&Set::universe(&space), &domain);
            let later = domain.universe_of_space().lex_lt_set(&domain);
            let (begin, next) = (format!("{own}_first"), format!("{own}_next"));
            self.point(&begin, at, &[], &first)?;
            self.point(&next, at, &node.context, &later)?;
            let list = (0..n).map(|d| format!("to[{d}]")).collect::<Vec<_>>().join(", ");
            let format = vec!["%lld"; n].join(", ");
            let shown = (0..n).map(|d| format!(", (long long)to[{d}]")).collect::<String>();
            let show = if Type::of(self.element(array)) == Type::Real { "show_real" } else { "show_whole" };
            let _ = writeln!(
                calls,
                "  for (int more = {begin}(to); more; more = {next}({}to)) {{",
                if n == 0 { String::new() } else { format!("{list}, ") }
            );
            let _ = writeln!(calls, "    printf(\"{}[{format}] = \"{shown});", dataflow.scop.arrays[array].name);
            let _ = writeln!(calls, "    {show}({own}({list}));\n  }}");
        }
        let most = dataflow.graph.nodes.iter().map(|node| node.context.len()).max().unwrap_or(0).max(1);
        let _ = writeln!(self.out, "\nstatic void run(void) {{\n  int64_t to[{most}];\n  (void)to;\n{calls}}}\n");
        Ok(())
    }

    /// A function that gives the first point of a relation's images, or says that there is none.
    fn point(&mut self, name: &str, at: usize, context: &[Id], relation: &Map) -> Result<(), String> {
        let dataflow = self.dataflow;
        let (graph, params) = (&dataflow.graph, &dataflow.scop.params);
        let least = relation.lexmin_pw_multi_aff().map_err(|unbounded| unbounded.to_string())?;
        let space = tuples(params, context.len());
        let cells =
            least.pieces().iter().map(|(set, point)| (set.clone(), Term { node: at, args: point.affs().to_vec() }));
        let quast = Quast::from_cells(&space, cells);
        let region = Set::universe(&space).intersect_params(&dataflow.scop.trusted_context());
        let tree = quast_tree(&Scope::new(params, context), graph, &region, &quast);
        let arguments: String = context.iter().map(|v| format!("int64_t {}, ", self.variable(v))).collect();
        let _ = writeln!(self.out, "\nstatic int {name}({arguments}int64_t *to) {{");
        for variable in context {
            let own = self.variable(variable);
            let _ = writeln!(self.out, "  (void){own};");
        }
        let mut leaf = |writer: &mut Self, _: &Id, args: &[Linear]| {
            let set = |(d, arg): (usize, &Linear)| format!("to[{d}] = {};", writer.linear(arg));
            let all: Vec<String> = args.iter().enumerate().map(set).collect();
            format!("(void)to; {} return 1;", all.join(" "))
        };
        self.body(&tree, 1, &mut leaf, "(void)to; return 0;");
        let _ = writeln!(self.out, "}}");
        Ok(())
    }
}

/// What the model calls the array that an input is of.
fn array_name(dataflow: &Dataflow<'_>, node: &Node) -> String {
    match node.kind {
        Kind::Input(array) => dataflow.scop.arrays[array].name.to_string(),
        _ => node.name.to_string(),
    }
}
