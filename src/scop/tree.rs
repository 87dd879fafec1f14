//! Schedule trees: in which order, and in which loops, statement instances run.
//!
//! ```text
//! domain: "[n] -> { S[i] : 0 <= i < n; T[i, k] : 0 <= i, k < n }"
//! child:
//!   schedule: "[n] -> [{ S[i] -> [(i)]; T[i, k] -> [(i)] }]"
//!   child:
//!     sequence:
//!     - filter: "[n] -> { S[i] }"
//!     - filter: "[n] -> { T[i, k] }"
//!       child:
//!         schedule: "[n] -> [{ T[i, k] -> [(k)] }]"
//! ```
//!
//! runs, for each `i`, first `S[i]` and then all `T[i, k]`. A *band* orders instances by a tuple of functions; a *sequence* runs
//! its children, each of them restricted by a *filter*, one after the other, a *set* runs them in any order; a *mark* names a
//! place, a *context* holds facts about the parameters, an *extension* adds instances. A leaf orders nothing. This is isl's
//! schedule tree (Verdoolaege, Guelton, Grosser and Cohen, *Schedule Trees*, 2014), read and written as isl does it. Implements: 002 5.6.1, 5.6.2

mod flat;

use std::fmt;

use super::yaml::{self, Malformed, Shape, quote};
use crate::presburger::{DimKind, Id, Int, MultiUnionPwAff, ParseError, Set, UnionMap, UnionSet};

/// A schedule tree. Its root is a domain node.
#[derive(Clone, Debug)]
pub struct Tree {
    root: Node,
}

/// A node with what is below it.
#[derive(Clone, Debug)]
pub enum Node {
    /// The instances that run.
    Domain { domain: UnionSet, child: Box<Node> },
    /// Facts about the parameters (and outer band members) that hold below.
    Context { context: Set, child: Box<Node> },
    /// Only these instances go below.
    Filter { filter: UnionSet, child: Box<Node> },
    /// Ordered by the values of the members.
    Band { band: Band, child: Box<Node> },
    /// Children (filters) that run in this order.
    Sequence(Vec<Node>),
    /// Children (filters) that run in any order.
    Set(Vec<Node>),
    /// A name for whoever reads the tree.
    Mark { id: Id, child: Box<Node> },
    /// More instances, as functions of the outer band members.
    Extension { extension: UnionMap, child: Box<Node> },
    /// Nothing more is said about the order.
    Leaf,
}

/// A tuple of functions that orders instances lexicographically.
#[derive(Clone, Debug)]
pub struct Band {
    /// The functions, one for each member.
    pub partial: MultiUnionPwAff,
    /// Whether the members may be interchanged and tiled.
    pub permutable: bool,
    /// For each member, whether it carries no dependence when the outer bands are fixed.
    pub coincident: Vec<bool>,
    /// For each member, how its loop is made.
    pub options: Vec<LoopKind>,
    /// The iterations that loops are generated for apart from all others: over the outer and own members, as isl writes it.
    pub isolate: Option<Set>,
}

/// How a loop is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoopKind {
    /// As seems best.
    #[default]
    Default,
    /// One loop for each different set of statements.
    Separate,
    /// One loop for all statements.
    Atomic,
    /// No loop: every iteration written out.
    Unroll,
}

impl Tree {
    /// The tree with this root, a domain node.
    pub fn from_root(root: Node) -> Self {
        assert!(matches!(root, Node::Domain { .. }), "law: the root of a schedule tree is a domain");
        Self { root }
    }

    /// The root.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The node that the numbers of the children on the way to it lead to.
    pub fn node(&self, path: &[usize]) -> Option<&Node> {
        path.iter().try_fold(&self.root, |node, &child| node.children().get(child).copied())
    }

    /// With another node (and what is below it) at `path`, which leads to a node below the root.
    pub fn with_node(&self, path: &[usize], node: Node) -> Self {
        Self::from_root(self.root.replaced(path, node))
    }

    /// The instances that run, without those that extensions add.
    pub fn domain(&self) -> UnionSet {
        match &self.root {
            Node::Domain { domain, .. } => domain.clone(),
            _ => UnionSet::empty(&[]),
        }
    }
}

impl Node {
    /// The nodes directly below.
    pub fn children(&self) -> Vec<&Node> {
        match self {
            Self::Domain { child, .. }
            | Self::Context { child, .. }
            | Self::Filter { child, .. }
            | Self::Band { child, .. }
            | Self::Mark { child, .. }
            | Self::Extension { child, .. } => vec![child],
            Self::Sequence(children) | Self::Set(children) => children.iter().collect(),
            Self::Leaf => Vec::new(),
        }
    }

    /// This node above other nodes, as many as it has below.
    pub fn with_children(&self, mut children: Vec<Node>) -> Node {
        let mut node = self.clone();
        match &mut node {
            Self::Domain { child, .. }
            | Self::Context { child, .. }
            | Self::Filter { child, .. }
            | Self::Band { child, .. }
            | Self::Mark { child, .. }
            | Self::Extension { child, .. } => **child = children.remove(0),
            Self::Sequence(below) | Self::Set(below) => *below = children,
            Self::Leaf => {}
        }
        node
    }

    fn replaced(&self, path: &[usize], node: Node) -> Node {
        let Some((&at, rest)) = path.split_first() else { return node };
        let mut children: Vec<Node> = self.children().into_iter().cloned().collect();
        children[at] = children[at].replaced(rest, node);
        self.with_children(children)
    }
}

impl Band {
    /// A band that nothing is known about.
    pub fn new(partial: MultiUnionPwAff) -> Self {
        let n = partial.n();
        Self {
            partial,
            permutable: false,
            coincident: vec![false; n],
            options: vec![LoopKind::Default; n],
            isolate: None,
        }
    }

    /// A band with the partial schedule that `text` gives in isl notation.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        MultiUnionPwAff::parse(text).map(Self::new)
    }

    /// Number of members.
    pub fn n_member(&self) -> usize {
        self.partial.n()
    }
}

impl Tree {
    /// Reads a tree in isl's YAML form.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let placed = |e: Malformed| ParseError {
            text: text.lines().nth(e.line.saturating_sub(1)).unwrap_or_default().to_string(),
            message: e.message,
            line: e.line,
            column: e.column,
        };
        yaml::parse(text).and_then(|value| Self::from_yaml(&value)).map_err(placed)
    }

    /// Reads a tree that is part of a document.
    pub fn from_yaml(value: &yaml::Value) -> Result<Self, Malformed> {
        match node(value)? {
            root @ Node::Domain { .. } => Ok(Self { root }),
            _ => Err(value.error("a schedule begins with `domain`")),
        }
    }
}

/// An error inside the isl text that `value` holds, at its place in the document.
pub(super) fn inside(value: &yaml::Value, error: &ParseError) -> Malformed {
    let column = if error.line == 1 { value.column + error.column - 1 } else { error.column };
    Malformed { message: error.message.clone(), line: value.line + error.line - 1, column }
}

fn isl<T>(value: &yaml::Value, parse: impl Fn(&str) -> Result<T, ParseError>) -> Result<T, Malformed> {
    parse(value.scalar()?).map_err(|e| inside(value, &e))
}

fn node(value: &yaml::Value) -> Result<Node, Malformed> {
    if matches!(&value.shape, Shape::Scalar(text) if text.is_empty() || text == "leaf") {
        return Ok(Node::Leaf);
    }
    let entries = value.mapping()?;
    let child = || value.get("child").map_or(Ok(Node::Leaf), node).map(Box::new);
    let Some((key, given)) = entries.first() else { return Err(value.error("expected a schedule node")) };
    let allowed: &[&str] = match key.as_str() {
        "schedule" => &["schedule", "permutable", "coincident", "options", "child"],
        "sequence" | "set" => &["sequence", "set"],
        "leaf" => &["leaf"],
        "domain" | "context" | "filter" | "mark" | "extension" => {
            &["domain", "context", "filter", "mark", "extension", "child"]
        }
        other => return Err(value.error(format!("a schedule node `{other}` is not supported"))),
    };
    if let Some((unknown, at)) = entries.iter().skip(1).find(|(k, _)| !allowed.contains(&k.as_str())) {
        return Err(at.error(format!("`{unknown}` does not belong to a `{key}` node")));
    }
    Ok(match key.as_str() {
        "domain" => Node::Domain { domain: isl(given, UnionSet::parse)?, child: child()? },
        "context" => Node::Context { context: isl(given, Set::parse)?, child: child()? },
        "filter" => Node::Filter { filter: isl(given, UnionSet::parse)?, child: child()? },
        "mark" => Node::Mark { id: Id::new(given.scalar()?), child: child()? },
        "extension" => Node::Extension { extension: isl(given, UnionMap::parse)?, child: child()? },
        "schedule" => Node::Band { band: read_band(value, given)?, child: child()? },
        "sequence" => Node::Sequence(filters(given)?),
        "set" => Node::Set(filters(given)?),
        _ => Node::Leaf,
    })
}

fn filters(value: &yaml::Value) -> Result<Vec<Node>, Malformed> {
    let filter = |v: &yaml::Value| match node(v)? {
        filter @ Node::Filter { .. } => Ok(filter),
        _ => Err(v.error("the children of a sequence and of a set are filters")),
    };
    value.sequence()?.iter().map(filter).collect()
}

fn read_band(value: &yaml::Value, partial: &yaml::Value) -> Result<Band, Malformed> {
    let mut band = Band::new(isl(partial, MultiUnionPwAff::parse)?);
    if let Some(flag) = value.get("permutable") {
        band.permutable = boolean(flag)?;
    }
    if let Some(flags) = value.get("coincident") {
        band.coincident = flags.sequence()?.iter().map(boolean).collect::<Result<_, _>>()?;
        if band.coincident.len() != band.n_member() {
            return Err(flags.error(format!("expected {} flags, one for each member", band.n_member())));
        }
    }
    if let Some(options) = value.get("options") {
        read_options(&mut band, options)?;
    }
    Ok(band)
}

fn boolean(value: &yaml::Value) -> Result<bool, Malformed> {
    match value.scalar()? {
        "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err(value.error("expected 0 or 1")),
    }
}

const KINDS: [(&str, LoopKind); 3] =
    [("separate", LoopKind::Separate), ("atomic", LoopKind::Atomic), ("unroll", LoopKind::Unroll)];

/// `{ separate[0]; unroll[x] : x > 1; isolate[[] -> [i, j]] : .. }`
fn read_options(band: &mut Band, value: &yaml::Value) -> Result<(), Malformed> {
    for set in isl(value, UnionSet::parse)?.sets() {
        let name = set.space().tuple_name(DimKind::Out).map(|n| n.as_str().to_string()).unwrap_or_default();
        if name == "isolate" {
            band.isolate = Some(set);
            continue;
        }
        let Some((_, kind)) = KINDS.iter().find(|(word, _)| *word == name).filter(|_| set.dim(DimKind::Out) == 1)
        else {
            return Err(value.error(format!("unknown option `{name}`")));
        };
        for member in 0..band.n_member() {
            let here = set.fix(DimKind::Out, 0, &Int::from(member as i64));
            if !here.is_empty() {
                band.options[member] = *kind;
            }
        }
    }
    Ok(())
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_node(f, &self.root, 0)
    }
}

/// The lines of a node; the first one stands where the writer is, the others are indented.
fn write_node(f: &mut fmt::Formatter<'_>, node: &Node, indent: usize) -> fmt::Result {
    let pad = " ".repeat(indent);
    match node {
        Node::Domain { domain, .. } => writeln!(f, "domain: {}", quote(&domain.to_string()))?,
        Node::Context { context, .. } => writeln!(f, "context: {}", quote(&context.to_string()))?,
        Node::Filter { filter, .. } => writeln!(f, "filter: {}", quote(&filter.to_string()))?,
        Node::Mark { id, .. } => writeln!(f, "mark: {}", quote(id.as_str()))?,
        Node::Extension { extension, .. } => writeln!(f, "extension: {}", quote(&extension.to_string()))?,
        Node::Band { band, .. } => write_band(f, band, &pad)?,
        Node::Sequence(children) => return write_children(f, "sequence", children, indent),
        Node::Set(children) => return write_children(f, "set", children, indent),
        Node::Leaf => return writeln!(f, "leaf"),
    }
    match node.children()[..] {
        [Node::Leaf] => Ok(()),
        [child] => {
            write!(f, "{pad}child:\n{pad}  ")?;
            write_node(f, child, indent + 2)
        }
        _ => Ok(()),
    }
}

fn write_children(f: &mut fmt::Formatter<'_>, word: &str, children: &[Node], indent: usize) -> fmt::Result {
    writeln!(f, "{word}:")?;
    for child in children {
        write!(f, "{}- ", " ".repeat(indent))?;
        write_node(f, child, indent + 2)?;
    }
    Ok(())
}

fn write_band(f: &mut fmt::Formatter<'_>, band: &Band, pad: &str) -> fmt::Result {
    writeln!(f, "schedule: {}", quote(&band.partial.to_string()))?;
    if band.permutable {
        writeln!(f, "{pad}permutable: 1")?;
    }
    if band.coincident.contains(&true) {
        let flags: Vec<String> = band.coincident.iter().map(|&c| u8::from(c).to_string()).collect();
        writeln!(f, "{pad}coincident: [ {} ]", flags.join(", "))?;
    }
    let mut options: Vec<String> = Vec::new();
    for (member, kind) in band.options.iter().enumerate() {
        let word = KINDS.iter().find(|(_, k)| k == kind).map(|(word, _)| *word);
        options.extend(word.map(|word| format!("{word}[{member}]")));
    }
    let mut all = if options.is_empty() { String::new() } else { format!("{{ {} }}", options.join("; ")) };
    if let Some(isolate) = &band.isolate {
        let listed = UnionSet::parse(&all).unwrap_or_else(|_| UnionSet::empty(isolate.space().params()));
        all = listed.union(&UnionSet::from_set(isolate)).to_string();
    }
    if all.is_empty() { Ok(()) } else { writeln!(f, "{pad}options: {}", quote(&all)) }
}
