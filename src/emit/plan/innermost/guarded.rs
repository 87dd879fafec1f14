//! Conditions on data that all instances in an innermost loop have in common: they are asked once, before it.
//!
//! ```c
//! for (c0 = 0; c0 < n; c0++)
//!   for (c1 = 0; c1 < n; c1++)
//!     if (B[c0][c1] != 0)                               // where there is an iteration
//!       for (c2 = 0; c2 < n; c2++)
//!         S(c0, c1, c2);
//! ```
//!
//! The first iteration of such a loop asks in any case; so asking before it, if there is a first iteration, reads nothing that would not be read.
//! What the condition is computed from must be nothing that the loop writes.
//!
//! Where a guard is asked in loops that the program has inside of it, `for (j) if (B[k][j] != 0)` in each iteration of `i`, new loops pay only if it
//! mostly holds: the program skips what is inside at once. How often it holds is found out before the loops, by asking in some of the iterations in
//! which the program asks, all over them: a *sample*. That is an estimate and nothing rests on it but time; but it reads what the program reads, in
//! iterations in which it does. So of several guards only the last one may be computed from what the loops write, and from no address that depends on
//! that; otherwise there is no sample, and such new loops are refused.

use crate::ast::{self, Ast, Expr, For, Node};
use crate::emit::arith::ranges::{Ranges, check_ranges};
use crate::extract::binding::{Binding, BoundStatement};
use crate::extract::control::guards::BoundGuard;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::refusal::Reason;
use crate::extract::ssa::operands;
use crate::extract::statements::root::Root;
use crate::llvm::{Instruction, LoopId, Opcode, Value};
use crate::presburger::{DimKind, Id, UnionMap};
use crate::scop::{Access, ArrayId, Scop, Statement, StatementId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What is asked before a loop.
#[derive(Clone, Debug)]
pub struct Guarded {
    /// An instance of the loop: its statement, and arguments that do not name the iterator where conditions depend on them.
    pub statement: StatementId,
    pub arguments: Vec<Expr>,
    /// So many of its guards, from the first one on.
    pub count: usize,
}

/// How often a guard holds, as far as some iterations tell.
#[derive(Clone)]
pub struct Sample {
    pub statement: StatementId,
    /// So many loops are around the guard.
    pub depth: usize,
    /// Loops over the iterations in which the program asks; their statement has the iterators.
    pub scan: Ast,
    /// In so many of a hundred of them all guards must hold.
    pub least: i64,
}

/// A guard that is asked in each instance of a vector must hold in so many of a hundred iterations: vectors take their time for instances that do
/// nothing, and in those that are found to be rare nothing is gained.
const MOSTLY: i64 = 50;

/// The same if no two instances write the same element: then nothing is read again in a moment, which would have to wait for what is written under a
/// mask, and vectors take a tenth of the time of going through memory in columns.
const WRITTEN_ONCE: i64 = 15;

/// The same if it is asked once for all iterations of a loop: that loop must pay for asking.
const SOMETIMES: i64 = 13;

/// New loops are no better the less they gain: in so many of a hundred iterations a guard holds at most for any to be.
const NEARLY_ALWAYS: i64 = 90;

/// What is asked before loops.
#[derive(Clone, Default)]
pub struct Asked {
    /// Before each iteration of the loops around an innermost loop, by its iterator.
    pub loops: BTreeMap<Id, Guarded>,
    /// Before all.
    pub samples: Vec<Sample>,
}

/// What is asked before loops, all of which have bounds in these ranges.
///
/// # Errors A guard would be asked more often than in the program, and it is not known before the loops how often it holds.
pub fn plan(
    (scop, ast): (&Scop, &Ast),
    binding: &Binding<'_>,
    ranges: &Ranges,
    minimal_work: u64,
) -> Result<Asked, Reason> {
    let mut asked = Asked::default();
    if !binding.has_guards() {
        return Ok(asked);
    }
    let search = Search { scop, binding };
    visit(&ast.root, &search, &mut asked.loops);
    if minimal_work == 0 {
        // They are to run whether that pays or not.
        return Ok(asked);
    }
    let mut often: BTreeMap<StatementId, i64> = BTreeMap::new();
    search.repeated(&ast.root, &asked.loops, &mut Vec::new(), &mut often);
    // Where there is most to do.
    let depth = |statement: &StatementId| binding.statements[*statement].loops.len();
    let most = often.keys().map(depth).max();
    for (statement, least) in often.into_iter().filter(|(statement, _)| Some(depth(statement)) == most) {
        let sample = search.sample(statement, least, ranges)?;
        let is_alike = |other: &&mut Sample| search.conditions(other.statement) == search.conditions(statement);
        match asked.samples.iter_mut().find(is_alike) {
            Some(other) => other.least = other.least.max(least),
            None => asked.samples.push(sample),
        }
    }
    Ok(asked)
}

impl Asked {
    /// Lets new loops run only where guards hold as often as it takes for them to pay, if they take so many hundredths of the program's time.
    pub fn pay_from(&mut self, percent: i128) {
        let needed = i64::try_from(percent.saturating_mul(5) / 4).unwrap_or(NEARLY_ALWAYS).min(NEARLY_ALWAYS);
        for sample in self.samples.iter_mut().filter(|sample| sample.least != SOMETIMES) {
            sample.least = sample.least.max(needed);
        }
    }
}

fn visit(node: &Node, search: &Search<'_, '_>, found: &mut BTreeMap<Id, Guarded>) {
    if let Node::For(each) = node
        && let Some(guarded) = search.guarded(each)
    {
        found.insert(each.iterator.clone(), guarded);
    }
    node.children().into_iter().for_each(|child| visit(child, search, found));
}

/// Whether what a guess reads may be written in the loops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Never,
    Maybe,
}

struct Search<'s, 'ir> {
    scop: &'s Scop,
    binding: &'s Binding<'ir>,
}

/// An instance of a loop's body.
type Run<'n> = (StatementId, &'n [Expr]);

impl<'ir> Search<'_, 'ir> {
    fn guarded(&self, each: &For) -> Option<Guarded> {
        if each.degenerate {
            return None;
        }
        let mut runs = Vec::new();
        self.collect(&each.body, &mut runs)?;
        let (first, others) = runs.split_first()?;
        let written = self.written(&runs);
        let bound = &self.binding.statements[first.0];
        let is_common = |at: &usize| {
            let guard = &bound.guards[*at];
            let mut asked = guard.answers.iter();
            asked.all(|(asked, _)| self.is_fixed(first, *asked, &written, &each.iterator))
                && others.iter().all(|other| self.asks_the_same(first, other, *at))
        };
        let count = (0..bound.guards.len()).take_while(is_common).count();
        let fixed = |argument: &Expr| if argument.mentions(&each.iterator) { Expr::from(0) } else { argument.clone() };
        let arguments = first.1.iter().map(fixed).collect();
        (count > 0).then_some(Guarded { statement: first.0, arguments, count })
    }

    fn conditions(&self, statement: StatementId) -> Vec<(&[(Value<'ir>, bool)], bool)> {
        let guards = self.binding.statements[statement].guards.iter();
        guards.map(|guard| (guard.answers.as_slice(), guard.wanted)).collect()
    }

    /// Notes the statements whose guards are asked more often than in the program, and in how many of a hundred cases they must hold; `around` are
    /// the loops around, with whether a guard is asked before an innermost one.
    fn repeated<'n>(
        &self,
        node: &'n Node,
        asked: &BTreeMap<Id, Guarded>,
        around: &mut Vec<&'n For>,
        found: &mut BTreeMap<StatementId, i64>,
    ) {
        match node {
            Node::For(each) => {
                around.push(each);
                self.repeated(&each.body, asked, around, found);
                around.pop();
            }
            Node::User { statement, arguments } => {
                let at = self.binding.statements.id_where(|bound| bound.id == *statement);
                let at = at.expect("law: what the tree runs is a statement of the model");
                if let Some(least) = self.repeats((at, arguments), asked, around) {
                    let known = found.entry(at).or_insert(least);
                    *known = least.max(*known);
                }
            }
            _ => node.children().into_iter().for_each(|child| self.repeated(child, asked, around, found)),
        }
    }

    /// In how many of a hundred cases the guards of an instance must hold, if they are asked in loops that are not around them in the program.
    fn repeats(&self, run: Run<'_>, asked: &BTreeMap<Id, Guarded>, around: &[&For]) -> Option<i64> {
        let guards = &self.binding.statements[run.0].guards;
        let depth = guards.iter().map(|guard| guard.asked.dim(DimKind::Out)).max()?;
        let before = around.last().and_then(|each| asked.get(&each.iterator));
        let is_before = before.is_some_and(|guarded| guarded.count == guards.len());
        let loops = if is_before { &around[..around.len() - 1] } else { around };
        let mut names: BTreeSet<Id> = BTreeSet::new();
        let mut name = |expr: &Expr| expr.names(&mut |name| names.extend([name.clone()]));
        run.1[..depth].iter().for_each(&mut name);
        let mut is_repeated = false;
        for each in loops.iter().rev() {
            if names.contains(&each.iterator) {
                [&each.lower, &each.upper].into_iter().for_each(|end| {
                    end.names(&mut |name| names.extend([name.clone()]));
                });
            } else {
                is_repeated |= !each.degenerate;
            }
        }
        is_repeated.then(|| match is_before {
            true => SOMETIMES,
            false if self.writes_once(run.0) => WRITTEN_ONCE,
            false => MOSTLY,
        })
    }

    /// Whether no two instances of a statement write the same element.
    fn writes_once(&self, at: StatementId) -> bool {
        let statement = &self.scop.statements[at];
        let mut writes = statement.accesses.iter().filter(|access| access.kind.writes());
        writes.all(|access| access.relation.intersect_domain(&statement.domain).is_injective())
    }

    /// What finds out how often the guards of a statement hold.
    fn sample(&self, statement: StatementId, least: i64, ranges: &Ranges) -> Result<Sample, Reason> {
        let bound = &self.binding.statements[statement];
        let refused = || {
            let why = "a condition would be asked more often than in the program, of which it is not known before the loops how often it holds";
            Reason::NoGain { why: why.into(), besides: None }
        };
        let innermost = bound.guards.last().ok_or_else(refused)?;
        let asked: Vec<Value<'ir>> =
            bound.guards.iter().flat_map(|guard| &guard.answers).map(|(asked, _)| *asked).collect();
        let (last, before) = asked.split_last().ok_or_else(refused)?;
        let is_known = before.iter().all(|asked| self.is_readable(bound, *asked, Written::Never));
        if self.binding.region.has_early_exits() || !is_known || !self.is_readable(bound, *last, Written::Maybe) {
            return Err(refused());
        }
        let asked = innermost.asked.set_tuple_name(DimKind::Out, Some("asked"));
        let depth = asked.dim(DimKind::Out);
        let trusted = self.scop.trusted_context();
        let order = UnionMap::from_map(&asked.identity());
        let scan = Ast::of_map(&order, &trusted, &ast::Options::default()).map_err(|_| refused())?;
        check_ranges(&scan.root, &mut ranges.clone()).map_err(|_| refused())?;
        Ok(Sample { statement, depth, scan, least })
    }

    /// Whether a value of a statement's guards can be computed before the loops: as it is in them, or as a guess, from elements that are read in any case.
    fn is_readable(&self, bound: &BoundStatement<'ir>, value: Value<'ir>, wanted: Written) -> bool {
        let is_written = |at: ArrayId| {
            let is_other = |(a, b): &(ArrayId, ArrayId)| *a == at || *b == at;
            self.binding.arrays[at].is_written || self.binding.entangled.iter().any(is_other)
        };
        let is_plain =
            |sum: &Polynomial| sum.atoms().all(|atom| matches!(atom, Atom::Parameter(_) | Atom::Iterator(_)));
        let read = read_again(self.scop, self.binding, bound);
        let Some(leaves) = leaves_in(self.binding, &read, value) else { return false };
        let is_indirect = leaves.iter().any(|leaf| matches!(leaf, Leaf::Indirect { .. }));
        let is_as_wanted = |at: ArrayId| !is_written(at) || wanted == Written::Maybe && !is_indirect;
        leaves.iter().all(|leaf| match leaf {
            Leaf::Affine(number) => is_plain(number),
            Leaf::Load { array, offset } => {
                is_as_wanted(*array) && self.binding.arrays[*array].rows.is_none() && is_plain(offset)
            }
            Leaf::Indirect { array } => is_as_wanted(*array),
            Leaf::Scalar { .. } => false,
        })
    }

    /// The instances of a body that is nothing else.
    fn collect<'n>(&self, node: &'n Node, runs: &mut Vec<Run<'n>>) -> Option<()> {
        match node {
            Node::User { statement, arguments } => {
                runs.push((self.binding.statements.id_where(|bound| bound.id == *statement)?, arguments));
                Some(())
            }
            Node::Block(_) | Node::Mark { .. } => {
                node.children().into_iter().try_for_each(|child| self.collect(child, runs))
            }
            _ => None,
        }
    }

    /// What these instances write, or what may be the same memory.
    fn written(&self, runs: &[Run<'_>]) -> BTreeSet<ArrayId> {
        let statements = runs.iter().map(|(statement, _)| &self.scop.statements[*statement]);
        let writes = statements.flat_map(|s| &s.accesses).filter(|access| access.kind.writes());
        let named: BTreeSet<&Id> = writes.map(|access| &access.array).collect();
        let is_written = |at: &ArrayId| named.contains(&self.scop.arrays[*at].name);
        let mut written: BTreeSet<ArrayId> = self.binding.arrays.ids().filter(is_written).collect();
        for (a, b) in &self.binding.entangled {
            let either = written.contains(a) || written.contains(b);
            written.extend(either.then_some([*a, *b]).into_iter().flatten());
        }
        written
    }

    /// Whether a value of an instance is the same in all iterations, in which arrays are `written`.
    fn is_fixed(
        &self,
        (at, arguments): &Run<'_>,
        value: Value<'ir>,
        written: &BTreeSet<ArrayId>,
        iterator: &Id,
    ) -> bool {
        let bound = &self.binding.statements[*at];
        let is_fixed_loop = |id: &LoopId| place(bound, *id).is_some_and(|d| !arguments[d].mentions(iterator));
        let is_fixed_atom = |atom: Atom| match atom {
            Atom::Parameter(_) => true,
            Atom::Iterator(id) => is_fixed_loop(&id),
            Atom::Quasi(at) => self.binding.quasi[at].0.iter().all(is_fixed_loop),
            Atom::Unknown(_) | Atom::Address(_) => false,
        };
        let is_fixed_sum = |sum: &Polynomial| sum.atoms().all(is_fixed_atom);
        leaves(self.binding, bound, value).is_some_and(|leaves| {
            leaves.into_iter().all(|leaf| match leaf {
                Leaf::Affine(number) => is_fixed_sum(number),
                Leaf::Load { array, offset } => {
                    let is_plain = self.binding.arrays[*array].rows.is_none();
                    is_plain && !written.contains(array) && is_fixed_sum(offset)
                }
                Leaf::Scalar { array, subscripts } => !written.contains(array) && subscripts.iter().all(is_fixed_sum),
                Leaf::Indirect { .. } => false,
            })
        })
    }

    /// Whether two instances have one guard in common: it is the same condition, of the same iteration of the loops that it counts.
    fn asks_the_same(&self, first: &Run<'_>, other: &Run<'_>, guard: usize) -> bool {
        let (a, b) = (&self.binding.statements[first.0], &self.binding.statements[other.0]);
        let same = &a.guards[guard];
        let is_same = |own: &&BoundGuard<'ir>| own.answers == same.answers && own.wanted == same.wanted;
        let Some(own) = b.guards.get(guard).filter(is_same) else { return false };
        let counted = |bound: &BoundStatement<'ir>| {
            let asked = own.answers.iter().map(|(asked, _)| leaves(self.binding, bound, *asked));
            let all = asked.collect::<Option<Vec<_>>>()?.concat();
            let mut loops: BTreeSet<LoopId> = BTreeSet::new();
            for atom in all.iter().flat_map(|leaf| leaf.polynomials()).flat_map(Polynomial::atoms) {
                match atom {
                    Atom::Iterator(id) => loops.extend([id]),
                    Atom::Quasi(at) => loops.extend(self.binding.quasi[at].0.iter().copied()),
                    _ => {}
                }
            }
            Some(loops)
        };
        let (Some(loops), Some(others)) = (counted(a), counted(b)) else { return false };
        let argument = |bound: &BoundStatement<'ir>, run: &Run<'_>, id: LoopId| Some(run.1[place(bound, id)?].clone());
        let is_same = |id: &LoopId| {
            let own = argument(a, first, *id);
            own.is_some() && own == argument(b, other, *id)
        };
        loops == others && loops.iter().all(is_same)
    }
}

fn place(bound: &BoundStatement<'_>, id: LoopId) -> Option<usize> {
    bound.loops.iter().position(|own| *own == id)
}

fn sets_errno(instruction: Instruction<'_>) -> bool {
    instruction.call().is_some_and(|call| call.sets_errno())
}

/// Whether an instruction divides by what may be 0 in a guess.
fn may_trap(instruction: Instruction<'_>) -> bool {
    let divides = [Opcode::SDiv, Opcode::UDiv, Opcode::SRem, Opcode::URem].contains(&instruction.opcode());
    divides && !instruction.is_speculatable()
}

/// Where the operand trees of a statement's guards end before the loops: what another statement has read into a scalar in the same iteration of the loops
/// around both is read from where that one reads it, if nothing is written there.
pub fn read_again<'ir>(scop: &Scop, binding: &Binding<'ir>, bound: &BoundStatement<'ir>) -> HashMap<Value<'ir>, Leaf> {
    let again = |value: Value<'ir>| {
        let reads = |at: &StatementId| {
            let other = &binding.statements[*at];
            matches!(&other.root, Root::Write { value: own, .. } if *own == value)
                && bound.loops.starts_with(&other.loops)
        };
        let at = binding.statements.ids().find(reads)?;
        let leaf = binding.statements[at].leaves.get(&value)?;
        (matches!(leaf, Leaf::Load { .. }) && stays(scop, binding, at, value)).then(|| leaf.clone())
    };
    let of = |(value, leaf): (&Value<'ir>, &Leaf)| match leaf {
        Leaf::Scalar { .. } => (*value, again(*value).unwrap_or_else(|| leaf.clone())),
        _ => (*value, leaf.clone()),
    };
    bound.leaves.iter().map(of).collect()
}

/// Whether nothing is written to where a statement loads a value from.
fn stays<'ir>(scop: &Scop, binding: &Binding<'ir>, at: StatementId, value: Value<'ir>) -> bool {
    let statement = &scop.statements[at];
    let number = binding.statements[at].loads.iter().position(|own| *own == value);
    let Some(read) = number.and_then(|number| statement.accesses.get(number)) else { return false };
    let is_entangled =
        |(a, b): &(ArrayId, ArrayId)| [a, b].into_iter().any(|array| scop.arrays[*array].name == read.array);
    let elements = |statement: &Statement, access: &Access| access.relation.intersect_domain(&statement.domain).range();
    let loaded = elements(statement, read);
    let is_apart = |other: &Statement| {
        let mut writes = other.accesses.iter().filter(|access| access.kind.writes() && access.array == read.array);
        writes.all(|access| elements(other, access).intersect(&loaded).is_empty())
    };
    !binding.entangled.iter().any(is_entangled) && scop.statements.iter().all(is_apart)
}

/// Where the operand tree of a value ends; `None` if it computes what only its statement may.
fn leaves<'b, 'ir>(binding: &Binding<'ir>, bound: &'b BoundStatement<'ir>, value: Value<'ir>) -> Option<Vec<&'b Leaf>> {
    leaves_in(binding, &bound.leaves, value)
}

fn leaves_in<'b, 'ir>(
    binding: &Binding<'ir>,
    known: &'b HashMap<Value<'ir>, Leaf>,
    value: Value<'ir>,
) -> Option<Vec<&'b Leaf>> {
    let (mut pending, mut seen, mut found) = (vec![value], Vec::new(), Vec::new());
    while let Some(value) = pending.pop() {
        if seen.contains(&value) {
            continue;
        }
        seen.push(value);
        let inside = value.as_instruction().filter(|i| binding.region.contains_instruction(*i));
        match (known.get(&value), inside) {
            (Some(leaf @ Leaf::Indirect { .. }), Some(load)) => {
                found.push(leaf);
                pending.extend(operands(load));
            }
            (Some(leaf), _) => found.push(leaf),
            (None, None) => {}
            (None, Some(instruction)) if sets_errno(instruction) || may_trap(instruction) => return None,
            (None, Some(instruction)) => pending.extend(operands(instruction)),
        }
    }
    Some(found)
}
