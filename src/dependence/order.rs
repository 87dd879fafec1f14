//! When instances run: a schedule tree (or a flat schedule) as one path of steps for each leaf.
//!
//! In the tree of
//!
//! ```c
//! for (int i = 0; i < n; i++) {
//!   S: s = 0;
//!   for (int k = 0; k < n; k++)
//!     T: s += A[i][k];
//! }
//! ```
//!
//! the instances of `S` take the path *band i, child 0* and those of `T` the path *band i, child 1, band k*. Two instances are
//! compared along the part of their paths that goes through the same nodes: the first step whose values differ decides. Where
//! the paths part in a sequence their children decide, where they part in a set nothing does; and where all values are equal
//! the instances are not ordered. This is Algorithm 5.1 of Verdoolaege's tutorial, with the work that depends on the tree
//! alone done once. A flat schedule `{ S[i] -> [i, 0, 0]; T[i, k] -> [i, 1, k] }` is a path through one node for each
//! dimension. No global order relation is ever built.

use std::fmt;

use crate::presburger::int::Number;
use crate::presburger::{Aff, DimKind, Id, Int, Map, PwAff, PwMultiAff, Set, Space, Tuple, Unbounded, UnionMap};
use crate::scop::tree::{Band, Node, Tree};

/// The paths of a schedule.
#[derive(Clone, Debug)]
pub struct Order {
    leaves: Vec<Leaf>,
}

/// Instances of one statement that end in one leaf of the tree.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The statement.
    pub statement: Id,
    /// Its instances that come here.
    pub domain: Set,
    /// What they pass, from the root.
    pub steps: Vec<Step>,
}

/// A place in the path where instances may be told apart: a member of a band, a sequence, a set. Paths part only where a sequence or a set gives them
/// different numbers, so as long as two paths agree, steps at one depth are at one place of the tree.
#[derive(Clone, Debug)]
pub struct Step {
    /// False in a set node, whose children run in any order.
    ordered: bool,
    /// What is compared.
    value: Value,
}

/// The value of an instance at a step.
#[derive(Clone, Debug)]
enum Value {
    Constant(Int),
    /// The iterator at this position.
    Iterator(usize),
    /// From instances to one integer.
    Function(Map),
}

/// Why a schedule is not the order of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnOrder {
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for NotAnOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// How the instances of two leaves with equal values up to some step compare from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The first leaf's instances come first.
    Before,
    /// The second leaf's instances come first.
    After,
    /// Neither.
    Unordered,
}

/// The instances of a source that precede a sink's, at one step of the sink's path.
#[derive(Clone, Debug)]
pub struct Level {
    /// The step of the sink's path that decides.
    pub depth: usize,
    /// The source's value there, if both values are constants: of two sources with different ranks the larger one is later.
    pub rank: Option<Int>,
    /// From sink keys to source instances.
    pub relation: Map,
}

impl Order {
    /// The order of a schedule tree.
    pub fn of(tree: &Tree) -> Result<Self, NotAnOrder> {
        let mut leaves = Vec::new();
        let instances = tree.domain();
        let reach = instances.sets().map(|set| Ok(Reach { statement: named(&set)?, domain: set, steps: Vec::new() }));
        visit(tree.root(), reach.collect::<Result<_, NotAnOrder>>()?, &mut leaves)?;
        Ok(Self { leaves })
    }

    /// The order of a flat schedule `{ S[i] -> [..] }`: lexicographic, the shorter tuples padded by zeros.
    pub fn of_map(schedule: &UnionMap) -> Result<Self, NotAnOrder> {
        let width = schedule.maps().map(|m| m.dim(DimKind::Out)).max().unwrap_or(0);
        let mut leaves = Vec::new();
        for map in schedule.maps() {
            let domain = map.domain();
            let statement = named(&domain)?;
            let times = PwMultiAff::from_map(map).ok_or_else(|| NotAnOrder {
                message: format!("the schedule gives an instance of {statement} several times"),
            })?;
            let n = map.dim(DimKind::Out);
            let value =
                |d: usize| if d < n { Value::of(&times.pw_aff(d), &domain) } else { Value::Constant(Int::from(0)) };
            let steps = (0..width).map(|d| Step { ordered: true, value: value(d) }).collect();
            leaves.push(Leaf { statement, domain, steps });
        }
        Ok(Self { leaves })
    }

    /// Of no instances.
    pub fn nothing() -> Self {
        Self { leaves: Vec::new() }
    }

    /// The leaves of one statement.
    pub fn leaves<'a>(&'a self, statement: &'a Id) -> impl Iterator<Item = &'a Leaf> + 'a {
        self.leaves.iter().filter(move |l| l.statement == *statement)
    }
}

impl Leaf {
    /// `{ k -> s }` for the pairs of `related` (sink keys to source instances) in which the source precedes the sink, one entry
    /// for each step that can decide, the deepest one first. The key's first dimensions are the sink's iterators; `to_sink`
    /// is the projection of keys onto sink instances, the identity if keys are instances.
    pub fn levels(&self, source: &Leaf, related: &Map, to_sink: Option<&Map>) -> Vec<Level> {
        let mut levels = Vec::new();
        let mut equal = related.clone();
        for (depth, (own, other)) in self.steps.iter().zip(&source.steps).enumerate() {
            if equal.plain_is_empty() {
                break;
            }
            match (&own.value, &other.value) {
                (Value::Constant(sink), Value::Constant(earlier)) if sink == earlier => continue,
                (Value::Constant(sink), Value::Constant(earlier)) => {
                    if own.ordered && earlier < sink {
                        levels.push(Level { depth, rank: Some(earlier.clone()), relation: equal });
                    }
                    break;
                }
                (sink, earlier) => {
                    let before = Value::restrict(sink, earlier, &equal, to_sink, Comparison::SourceFirst);
                    if !before.plain_is_empty() {
                        levels.push(Level { depth, rank: None, relation: before });
                    }
                    equal = Value::restrict(sink, earlier, &equal, to_sink, Comparison::Same);
                }
            }
        }
        levels.reverse();
        levels
    }

    /// The loop at which a level of this sink and `source` is decided, by the number of loops around it, and the distance if it is
    /// always the same; `None` if no loop decides.
    pub fn carrier(&self, source: &Leaf, level: &Level) -> Option<(usize, Option<Int>)> {
        let is_loop = |step: &Step| !matches!(step.value, Value::Constant(_));
        let step = &self.steps[level.depth];
        if level.rank.is_some() || !is_loop(step) || level.relation.is_empty() {
            return None;
        }
        let times = |leaf: &Leaf| leaf.steps[level.depth].value.function(&leaf.domain);
        let from_to = times(source).reverse().apply_range(&level.relation.reverse()).apply_range(&times(self));
        let distances = from_to.deltas();
        let distance = distances.fixed_value(DimKind::Out, 0);
        Some((self.steps[..level.depth].iter().filter(|step| is_loop(step)).count(), distance))
    }

    /// Whether from step `depth` on the path compares the iterators that are not yet equal, in their own order: then the last
    /// of several instances is the lexicographically largest one.
    fn runs_in_instance_order(&self, depth: usize) -> bool {
        let iterators = |steps: &[Step]| -> Option<Vec<usize>> {
            let values = steps.iter().filter(|s| !matches!(s.value, Value::Constant(_)));
            values.map(|s| if let Value::Iterator(p) = s.value { Some(p) } else { None }).collect()
        };
        let n = self.domain.dim(DimKind::Out);
        let (Some(before), Some(after)) = (iterators(&self.steps[..depth]), iterators(&self.steps[depth..])) else {
            return false;
        };
        let open: Vec<usize> = (0..n).filter(|p| !before.contains(p)).collect();
        let mut seen: Vec<usize> = Vec::new();
        for p in after.into_iter().filter(|p| !before.contains(p)) {
            if !seen.contains(&p) {
                seen.push(p);
            }
        }
        seen == open
    }

    /// `{ s -> [values] }` of the steps from `depth` on, those before `end`, leaving constants out.
    fn time(&self, depth: usize, end: usize) -> Map {
        let values = self.steps[depth..end].iter().map(|s| &s.value).filter(|v| !matches!(v, Value::Constant(_)));
        let nothing = self.timeless();
        values.fold(nothing, |time, value| time.flat_range_product(&value.function(&self.domain)))
    }

    /// The last of the sources that `related` gives for each key of `keys`, all equal in time to the sink before `depth`, and
    /// the keys that have none.
    ///
    /// # Errors
    /// Where there are sources, there is always a later one: the sink stands behind a loop that does not end.
    pub fn last(&self, depth: usize, related: &Map, keys: &Set) -> Result<(Map, Set), Unbounded> {
        if self.runs_in_instance_order(depth) {
            return related.partial_lexmax(keys);
        }
        let time = self.time(depth, self.steps.len());
        let (latest, none) = related.apply_range(&time).partial_lexmax(keys)?;
        Ok((related.intersect(&latest.apply_range(&time.reverse())), none))
    }

    /// The keys for which the instance that `own` gives precedes the one of leaf `other` that `rival` gives, where both are equal
    /// in time to some sink before step `depth`.
    pub fn precedes(&self, other: &Leaf, depth: usize, own: &Map, rival: &Map) -> Set {
        let (end, tie) = self.common(other, depth);
        let open = self.steps[depth..end].iter().zip(&other.steps[depth..end]).any(|(a, b)| !a.same_constant(b));
        if !open {
            return if tie == Tie::Before {
                own.domain().intersect(&rival.domain())
            } else {
                Set::empty(own.domain().space())
            };
        }
        let (mine, theirs) =
            (own.apply_range(&self.times(other, depth, end)), rival.apply_range(&other.times(self, depth, end)));
        mine.apply_range(&later(&mine.space().range(), tie)).intersect(&theirs).domain()
    }

    /// The pairs of `own` whose instance precedes the one that `rival` gives for the same key.
    pub fn pairs_preceding(&self, other: &Leaf, depth: usize, own: &Map, rival: &Map) -> Map {
        let (end, tie) = self.common(other, depth);
        let open = self.steps[depth..end].iter().zip(&other.steps[depth..end]).any(|(a, b)| !a.same_constant(b));
        if !open {
            return if tie == Tie::Before { own.intersect_domain(&rival.domain()) } else { Map::empty(own.space()) };
        }
        let time = self.times(other, depth, end);
        let theirs = rival.apply_range(&other.times(self, depth, end));
        let hidden = theirs.apply_range(&later(&theirs.space().range(), tie).reverse());
        own.intersect(&hidden.apply_range(&time.reverse()))
    }

    /// `{ s -> [] }`
    fn timeless(&self) -> Map {
        let no_time = Space::set(self.domain.space().params(), &Tuple::anonymous(0));
        Map::from_domain_and_range(&self.domain, &Set::universe(&no_time))
    }

    /// The steps from `depth` on that both paths share and whose values may differ: their end, and what decides after them.
    fn common(&self, other: &Leaf, depth: usize) -> (usize, Tie) {
        let shorter = self.steps.len().min(other.steps.len());
        for i in depth..shorter {
            let (a, b) = (&self.steps[i], &other.steps[i]);
            if let (Value::Constant(a_value), Value::Constant(b_value)) = (&a.value, &b.value)
                && a_value != b_value
            {
                let tie = if a_value < b_value { Tie::Before } else { Tie::After };
                return (i, if a.ordered { tie } else { Tie::Unordered });
            }
        }
        (shorter, Tie::Unordered)
    }

    /// `{ s -> [values] }` of the steps from `depth` to `end` except those where both paths have one constant.
    fn times(&self, other: &Leaf, depth: usize, end: usize) -> Map {
        let nothing = self.timeless();
        let pairs = self.steps[depth..end].iter().zip(&other.steps[depth..end]).filter(|(a, b)| !a.same_constant(b));
        pairs.fold(nothing, |time, (step, _)| time.flat_range_product(&step.value.function(&self.domain)))
    }
}

impl Step {
    fn same_constant(&self, other: &Step) -> bool {
        matches!((&self.value, &other.value), (Value::Constant(a), Value::Constant(b)) if a == b)
    }
}

/// Instances of one statement on their way down the tree.
#[derive(Clone)]
struct Reach {
    statement: Id,
    domain: Set,
    steps: Vec<Step>,
}

/// Adds the leaves below a node, for the instances that come there.
fn visit(node: &Node, reach: Vec<Reach>, leaves: &mut Vec<Leaf>) -> Result<(), NotAnOrder> {
    match node {
        Node::Leaf => {
            let leaf = |r: Reach| Leaf { statement: r.statement, domain: r.domain, steps: r.steps };
            leaves.extend(reach.into_iter().map(leaf));
            Ok(())
        }
        Node::Domain { child, .. } | Node::Context { child, .. } | Node::Mark { child, .. } => {
            visit(child, reach, leaves)
        }
        Node::Filter { filter, child } => {
            let inside = |r: Reach| Reach { domain: r.domain.intersect(&filter.extract_set(r.domain.space())), ..r };
            visit(child, reach.into_iter().map(inside).filter(|r| !r.domain.is_empty()).collect(), leaves)
        }
        Node::Band { band, child } => visit(child, through_band(band, reach)?, leaves),
        Node::Sequence(children) | Node::Set(children) => {
            let ordered = matches!(node, Node::Sequence(_));
            let numbered = |r: &Reach, number: usize| {
                let mut r = r.clone();
                r.steps.push(Step { ordered, value: Value::Constant(Int::from(number as i64)) });
                r
            };
            children.iter().enumerate().try_for_each(|(number, child)| {
                visit(child, reach.iter().map(|r| numbered(r, number)).collect(), leaves)
            })
        }
        Node::Extension { .. } => Err(NotAnOrder { message: "the schedule adds instances on the way".to_string() }),
    }
}

fn through_band(band: &Band, reach: Vec<Reach>) -> Result<Vec<Reach>, NotAnOrder> {
    let mut below = Vec::new();
    for mut r in reach {
        for member in 0..band.n_member() {
            let function = band.partial.aff(member).extract_pw_aff(r.domain.space());
            if !r.domain.is_subset(&function.domain()) {
                return Err(NotAnOrder { message: format!("a band leaves out instances of {}", r.statement) });
            }
            r.steps.push(Step { ordered: true, value: Value::of(&function, &r.domain) });
        }
        below.push(r);
    }
    Ok(below)
}

/// The times that come after a time, and the same one where the paths decide in favour of it.
fn later(times: &Space, tie: Tie) -> Map {
    if tie == Tie::Before { Map::lex_le(times) } else { Map::lex_lt(times) }
}

/// How a source's value relates to a sink's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Same,
    SourceFirst,
}

impl Value {
    /// The simplest form of a function of the instances in `domain`.
    fn of(function: &PwAff, domain: &Set) -> Self {
        let general = || Self::Function(function.as_map());
        let [(piece, aff)] = function.pieces() else { return general() };
        if !domain.is_subset(piece) {
            return general();
        }
        if let Some(constant) = aff.as_integer() {
            return Self::Constant(constant);
        }
        let iterator = |&p: &usize| aff.plain_is_equal(&Aff::var_on_domain(aff.domain_space(), DimKind::Out, p));
        (0..domain.dim(DimKind::Out)).find(iterator).map_or_else(general, Self::Iterator)
    }

    /// `{ s -> [value] }` on `domain`.
    fn function(&self, domain: &Set) -> Map {
        let value = match self {
            Self::Function(map) => return map.intersect_domain(domain),
            Self::Constant(value) => PwAff::constant_on_domain(domain.space(), value),
            Self::Iterator(position) => PwAff::var_on_domain(domain.space(), DimKind::Out, *position),
        };
        value.as_map().intersect_domain(domain)
    }

    /// The pairs of `related` (keys to source instances) in which the source's value relates so to the sink's.
    fn restrict(sink: &Value, source: &Value, related: &Map, to_sink: Option<&Map>, comparison: Comparison) -> Map {
        match (sink, source, comparison) {
            (Self::Iterator(t), Self::Iterator(s), Comparison::Same) => {
                related.equate(DimKind::In, *t, DimKind::Out, *s)
            }
            (Self::Iterator(t), Self::Iterator(s), Comparison::SourceFirst) => {
                related.order_lt(DimKind::Out, *s, DimKind::In, *t)
            }
            (Self::Iterator(t), Self::Constant(value), Comparison::Same) => related.fix(DimKind::In, *t, value),
            (Self::Constant(value), Self::Iterator(s), Comparison::Same) => related.fix(DimKind::Out, *s, value),
            (Self::Iterator(t), Self::Constant(value), Comparison::SourceFirst) => {
                related.lower_bound(DimKind::In, *t, &value.add(&Int::from(1)))
            }
            (Self::Constant(value), Self::Iterator(s), Comparison::SourceFirst) => {
                related.upper_bound(DimKind::Out, *s, &value.sub(&Int::from(1)))
            }
            _ => Self::restrict_by_functions(sink, source, related, to_sink, comparison),
        }
    }

    fn restrict_by_functions(
        sink: &Value,
        source: &Value,
        related: &Map,
        to_sink: Option<&Map>,
        comparison: Comparison,
    ) -> Map {
        let space = related.space();
        let everywhere = |space: Space| Set::universe(&space);
        let sinks = to_sink.map_or_else(|| space.domain(), |projection| projection.space().range());
        let sink_time = sink.function(&everywhere(sinks));
        let sink_time = to_sink.map_or(sink_time.clone(), |projection| projection.apply_range(&sink_time));
        let source_time = source.function(&everywhere(space.range()));
        let between = match comparison {
            Comparison::Same => sink_time,
            Comparison::SourceFirst => sink_time.apply_range(&Map::lex_gt(&sink_time.space().range())),
        };
        related.intersect(&between.apply_range(&source_time.reverse()))
    }
}

fn named(domain: &Set) -> Result<Id, NotAnOrder> {
    let name = domain.space().tuple_name(DimKind::Out).cloned();
    name.ok_or_else(|| NotAnOrder { message: "the schedule runs instances without a name".to_string() })
}
