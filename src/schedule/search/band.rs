//! Bands: as many hyperplanes as possible that all dependences respect.
//!
//! For `for t: for i: a[i] = a[i-1] + a[i+1]` in place, with the dependences `(0, 1)`, `(1, 0)` and `(1, -1)`, the hyperplanes `t` and `t + i` never
//! run backwards along any of them: the two loops over them may be interchanged and tiled. They are found one after the other,
//! each by one integer program (Bondhugula, Hartono, Ramanujam and Sadayappan, "A Practical Automatic Polyhedral Parallelizer and
//! Locality Optimizer", PLDI 2008; with negative coefficients as in Pluto+, TOPLAS 2016, and isl's objectives):
//!
//! - unknowns: for each statement, a constant, a coefficient for each parameter (both non-negative, which is no restriction as all
//!   statements can be shifted together) and the positive and the negative part of the coefficient of each iterator; and the bound
//!   `u.params + w` on the reuse distance;
//! - constraints: for each generator of each dependence, that the distance is not negative, and within the bound where there is reuse;
//!   for a *coincident* hyperplane, that it is zero;
//! - objectives: `sum u`, `w`, the sum of the parameter coefficients, the sum of the absolute values; then the outermost iterators;
//! - regions: each statement's row is independent of its earlier ones. A statement with fewer iterators than others may wait.
//!
//! Where not even one hyperplane exists, [`carry`] asks for one that carries as many dependences as possible, without
//! independence (Feautrier, "Some Efficient Solutions to the Affine Scheduling Problem, Part II", 1992).

use super::program::{Form, Program};
use crate::schedule::model::linear::orthogonal;
use crate::schedule::model::problem::{Demand, Done, Edge, Hyperplane, Problem, Row, Statement};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Shifts beyond this make no useful loops: such a hyperplane counts as not found.
const LARGEST_SHIFT: i64 = 1 << 12;
/// Nor do larger coefficients of iterators: time-skewing needs 2 or 3; what needs hundreds comes from linearised subscripts and would run
/// along the array, not along the loops.
const LARGEST_SLOPE: i64 = 6;

/// Hyperplanes that may be interchanged and tiled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Band {
    /// From outermost to innermost.
    pub members: Vec<Hyperplane>,
    /// For each, whether all dependences among its statements (as they stood when the band began) are zero on it.
    pub coincident: Vec<bool>,
}

/// Which hyperplanes are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Those on which all dependences are zero.
    Coincident,
    Any,
}

/// The longest band for the statements under `edges` (those among them that are not carried by outer bands). Where all of it runs in order, it ends before
/// loops of few iterations, as over the neighbours of a point: these are worth no tiles, and would keep longer ones inside of them that might be parallel.
pub(crate) fn band(problem: &Problem, nodes: &[usize], edges: &[Rc<Edge>], done: &Done) -> Band {
    let mut band = longest(problem, nodes, edges, done);
    let is_whole = band.members.len() == nodes.iter().map(|s| problem.statements[*s].free.len()).max().unwrap_or(0);
    let short = (1..band.members.len()).find(|m| counts_few(problem, nodes, &band.members[..*m], &band.members[*m]));
    if let Some(m) = short.filter(|_| !is_whole && !band.coincident.contains(&true)) {
        band.members.truncate(m);
        band.coincident.truncate(m);
    }
    band
}

/// Whether a member counts nothing that those before it do not, but iterators of few values.
fn counts_few(problem: &Problem, nodes: &[usize], before: &[Hyperplane], member: &Hyperplane) -> bool {
    let is_counted = |s: usize, d: usize| before.iter().any(|own| own[&s].iterators[d] != 0);
    let of_statement = |s: &usize| {
        let counted = member[s].iterators.iter().enumerate().filter(|(_, factor)| **factor != 0);
        let mut new = counted.map(|(d, _)| d).filter(|d| !is_counted(*s, *d));
        new.all(|d| problem.statements[*s].few_values(d).is_some())
    };
    nodes.iter().all(of_statement)
}

fn longest(problem: &Problem, nodes: &[usize], edges: &[Rc<Edge>], done: &Done) -> Band {
    let mut band = Band::default();
    let mut done = done.clone();
    let Some(mut search) = Search::new(problem, nodes, edges) else { return band };
    let mut wanted = Wanted::Coincident;
    loop {
        let missing = |s: &usize| search.statements[*s].free.len() - rank(&done, *s);
        let rows_left = nodes.iter().map(missing).max().unwrap_or(0);
        if rows_left == 0 {
            return band;
        }
        let forced: Vec<usize> = nodes.iter().copied().filter(|s| missing(s) == rows_left).collect();
        match search.hyperplane(&done, &forced, wanted) {
            Some(member) => {
                record(&mut done, problem, &member);
                let zero = edges.iter().filter(|e| e.role.asks(Demand::Coincidence)).all(|e| e.is_coincident(&member));
                band.coincident.push(zero);
                band.members.push(member);
            }
            None if wanted == Wanted::Coincident => wanted = Wanted::Any,
            None if search.reuse == Reuse::Bounded => {
                search.reuse = Reuse::Unbounded;
            }
            None => return band,
        }
    }
}

/// One hyperplane that all dependences respect and that carries as many as possible; nothing if it would carry none.
pub(crate) fn carry(problem: &Problem, nodes: &[usize], edges: &[Rc<Edge>]) -> Option<Hyperplane> {
    let search = Search::new(problem, nodes, edges)?;
    let ordered: Vec<&Rc<Edge>> = edges.iter().filter(|e| e.role.asks(Demand::Order)).collect();
    let first = search.layout.n;
    let mut program = Program { n: first + ordered.len(), ..Program::default() };
    program.equalities = search.valid.iter().filter(|c| c.sign == Sign::Zero).map(|c| c.form.clone()).collect();
    for (k, edge) in ordered.iter().enumerate() {
        for ray in &edge.rays {
            let mut form = search.layout.difference(problem, edge, ray)?;
            form.terms.push((first + k, ray[0]));
            form.terms.retain(|t| t.1 != 0);
            program.inequalities.push(at_least(form, ray[0]));
        }
        program.inequalities.push(Form { constant: 1, terms: vec![(first + k, -1)] });
    }
    program.inequalities.extend(search.valid.iter().filter(|c| c.sign == Sign::NotNegative).map(|c| c.form.clone()));
    program.objectives = vec![Form::linear((0..ordered.len()).map(|k| (first + k, 1)))];
    program.objectives.extend(search.layout.size_objectives());
    program.n_leading = 1;
    let solution = program.solve()?;
    let carries = (0..ordered.len()).any(|k| solution[first + k] == 0);
    if carries { search.layout.read(problem, &solution) } else { None }
}

/// Coefficients of time that are tried for a mirror image: a stencil of two statements that reaches two elements far needs 8.
const MOST_TIME: i64 = 8;

/// The mirror image of a member in time, the first of `members`: `2t - i` for `2t + i`, the least multiple of `t` that all
/// dependences respect (with shifts between statements). Tiles between the two are diamonds, and their front is parallel to `t = 0`: all tiles of a front can
/// start at once (Bandishti, Pananilath and Bondhugula, "Tiling Stencil Computations to Maximize Parallelism", SC 2012).
pub(crate) fn mirrored(
    problem: &Problem,
    nodes: &[usize],
    edges: &[Rc<Edge>],
    members: &[Hyperplane],
    m: usize,
) -> Option<Hyperplane> {
    let search = Search::new(problem, nodes, edges)?;
    let image = |times: i64| {
        let mut program = search.program(&search.valid);
        for s in nodes {
            let (time, row) = (&members[0][s].iterators, &members[m][s].iterators);
            let free = &problem.statements[*s].free;
            for (k, i) in free.iter().enumerate() {
                let unit: Vec<i64> = (0..free.len()).map(|other| i64::from(other == k)).collect();
                let coefficient = search.layout.of_iterators(*s, &unit);
                program.equalities.push(coefficient.plus(row[*i] - times * time[*i]));
            }
        }
        search.layout.read(problem, &program.solve()?)
    };
    let image = (1..=MOST_TIME).find_map(image)?;
    edges.iter().filter(|e| e.role.asks(Demand::Coincidence)).all(|e| e.is_respected(&image)).then_some(image)
}

/// Adds the iterator parts of the member's rows to `done`.
pub(crate) fn record(done: &mut Done, problem: &Problem, member: &Hyperplane) {
    for (s, row) in member {
        let rows = done.entry(*s).or_default();
        let before = crate::schedule::model::linear::rank(rows, problem.statements[*s].n);
        rows.push(row.iterators.clone());
        if crate::schedule::model::linear::rank(rows, problem.statements[*s].n) == before {
            rows.pop();
        }
    }
}

/// Number of independent rows that the statement has.
pub(crate) fn rank(done: &Done, statement: usize) -> usize {
    done.get(&statement).map_or(0, Vec::len)
}

fn at_least(mut form: Form, value: i64) -> Form {
    form.constant -= value;
    form
}

/// A form with what it has to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Constraint {
    form: Form,
    sign: Sign,
}

/// What a form has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    NotNegative,
    Zero,
}

/// Whether distances over which data is used again have to be bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reuse {
    Bounded,
    /// No hyperplane bounds them: they may be as large as they want.
    Unbounded,
}

struct Search<'a> {
    problem: &'a Problem,
    statements: &'a [Statement],
    layout: Layout,
    valid: BTreeSet<Constraint>,
    near: BTreeSet<Constraint>,
    together: BTreeSet<Constraint>,
    reuse: Reuse,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem, nodes: &[usize], edges: &[Rc<Edge>]) -> Option<Self> {
        let layout = Layout::of(problem, nodes);
        let mut search = Search {
            problem,
            statements: &problem.statements,
            layout,
            valid: BTreeSet::new(),
            near: BTreeSet::new(),
            together: BTreeSet::new(),
            reuse: Reuse::Bounded,
        };
        edges.iter().try_for_each(|edge| search.add(edge))?;
        Some(search)
    }

    fn add(&mut self, edge: &Edge) -> Option<()> {
        let lines = edge.lines.iter().map(|g| (g, Sign::Zero));
        let generators = lines.chain(edge.rays.iter().map(|g| (g, Sign::NotNegative)));
        for (generator, sign) in generators {
            let distance = self.layout.difference(self.problem, edge, generator)?;
            if edge.role.asks(Demand::Coincidence) && !distance.terms.is_empty() {
                self.together.insert(Constraint { form: distance.clone(), sign: Sign::Zero });
            }
            if edge.role.asks(Demand::Order) && !distance.terms.is_empty() {
                self.valid.insert(Constraint { form: distance.clone(), sign });
            }
            if edge.role.asks(Demand::Nearness) {
                let bound = self.layout.bound(generator);
                let one = combine(&bound, &distance, -1)?;
                self.near.insert(Constraint { form: one, sign });
                if !edge.role.asks(Demand::Order) {
                    let other = combine(&bound, &distance, 1)?;
                    self.near.insert(Constraint { form: other, sign });
                }
            }
        }
        Some(())
    }

    fn hyperplane(&self, done: &Done, forced: &[usize], wanted: Wanted) -> Option<Hyperplane> {
        let together = self.together.iter().filter(|_| wanted == Wanted::Coincident);
        let near = self.near.iter().filter(|_| self.reuse == Reuse::Bounded);
        let mut program = self.program(together.chain(&self.valid).chain(near));
        let leaders: BTreeSet<usize> = forced.iter().map(|s| self.problem.leaders[*s]).collect();
        program.regions = leaders.iter().map(|s| self.region(done, *s)).collect();
        let member = self.layout.read(self.problem, &program.solve()?)?;
        Some(member)
    }

    /// The smallest hyperplane, with the shortest reuse, under the constraints.
    fn program<'c>(&self, constraints: impl IntoIterator<Item = &'c Constraint>) -> Program {
        let mut objectives = self.layout.bound_objectives();
        objectives.extend(self.layout.size_objectives());
        let mut program = Program { n: self.layout.n, objectives, n_leading: 2, ..Program::default() };
        for constraint in constraints {
            let list = match constraint.sign {
                Sign::Zero => &mut program.equalities,
                Sign::NotNegative => &mut program.inequalities,
            };
            list.push(constraint.form.clone());
        }
        program
    }

    fn region(&self, done: &Done, s: usize) -> Vec<Form> {
        let statement = &self.statements[s];
        let project = |row: &Vec<i64>| statement.free.iter().map(|i| row[*i]).collect::<Vec<i64>>();
        let rows: Vec<Vec<i64>> = done.get(&s).map_or_else(Vec::new, |rows| rows.iter().map(project).collect());
        let vectors = orthogonal(&rows, statement.free.len());
        vectors.iter().map(|vector| self.layout.of_iterators(s, vector)).collect()
    }
}

/// `a + sign * b`, unless a coefficient overflows.
fn combine(a: &Form, b: &Form, sign: i64) -> Option<Form> {
    let mut terms: BTreeMap<usize, i64> = a.terms.iter().copied().collect();
    for (unknown, coefficient) in &b.terms {
        let term = terms.entry(*unknown).or_insert(0);
        *term = term.checked_add(coefficient.checked_mul(sign)?)?;
    }
    Some(Form::linear(terms))
}

/// Which unknown is what: first `u`, `w`, then for each statement, last to first, unless it has the rows of another that came before, iterators from inner to outer (negative
/// part before positive one), parameters, constant.
struct Layout {
    n: usize,
    n_param: usize,
    /// For each statement: its first unknown, and its free iterators from inner to outer.
    statements: BTreeMap<usize, (usize, Vec<usize>)>,
}

impl Layout {
    fn of(problem: &Problem, nodes: &[usize]) -> Layout {
        let n_param = problem.params.len();
        let mut layout = Layout { n: n_param + 1, n_param, statements: BTreeMap::new() };
        for s in nodes.iter().rev() {
            let is_led_alike = |(other, _): &(&usize, _)| problem.leaders[**other] == problem.leaders[*s];
            if let Some((_, known)) = layout.statements.iter().find(is_led_alike) {
                let known = known.clone();
                layout.statements.insert(*s, known);
                continue;
            }
            let free: Vec<usize> = problem.statements[*s].free.iter().rev().copied().collect();
            let size = 2 * free.len() + n_param + 1;
            layout.statements.insert(*s, (layout.n, free));
            layout.n += size;
        }
        layout
    }

    fn bound_objectives(&self) -> Vec<Form> {
        vec![Form::linear((0..self.n_param).map(|p| (p, 1))), Form::linear([(self.n_param, 1)])]
    }

    fn size_objectives(&self) -> Vec<Form> {
        let rows: BTreeMap<usize, usize> = self.statements.values().map(|(first, free)| (*first, free.len())).collect();
        let params = rows.iter().flat_map(|(first, free)| {
            let first = first + 2 * free;
            (first..first + self.n_param).map(|v| (v, 1))
        });
        let iterators = rows.iter().flat_map(|(first, free)| (*first..first + 2 * free).map(|v| (v, 1)));
        vec![Form::linear(params), Form::linear(iterators)]
    }

    /// `u.params + w` on a generator.
    fn bound(&self, generator: &[i64]) -> Form {
        let params = (0..self.n_param).map(|p| (p, generator[1 + p]));
        Form::linear(params.chain([(self.n_param, generator[0])]))
    }

    /// `row(sink) - row(source)` on a generator, in the unknowns.
    fn difference(&self, problem: &Problem, edge: &Edge, generator: &[i64]) -> Option<Form> {
        let n_source = problem.statements[edge.source].n;
        let (common, rest) = generator.split_at(1 + self.n_param);
        let (source, sink) = rest.split_at(n_source);
        let to = self.value(edge.sink, common, sink);
        let from = self.value(edge.source, common, source);
        combine(&to, &from, -1)
    }

    fn value(&self, s: usize, common: &[i64], point: &[i64]) -> Form {
        let (first, free) = &self.statements[&s];
        let iterators =
            free.iter().enumerate().flat_map(|(k, i)| [(first + 2 * k, -point[*i]), (first + 2 * k + 1, point[*i])]);
        let params = first + 2 * free.len();
        let of_params = (0..self.n_param).map(|p| (params + p, common[1 + p]));
        Form::linear(iterators.chain(of_params).chain([(params + self.n_param, common[0])]))
    }

    /// The product of the statement's row with a vector over its free iterators.
    fn of_iterators(&self, s: usize, vector: &[i64]) -> Form {
        let (first, free) = &self.statements[&s];
        let n = free.len();
        Form::linear((0..n).flat_map(|k| [(first + 2 * k, -vector[n - 1 - k]), (first + 2 * k + 1, vector[n - 1 - k])]))
    }

    fn read(&self, problem: &Problem, solution: &[i64]) -> Option<Hyperplane> {
        let mut hyperplane = Hyperplane::new();
        for (s, (first, free)) in &self.statements {
            let mut row = Row::zero(self.n_param, problem.statements[*s].n);
            for (k, i) in free.iter().enumerate() {
                row.iterators[*i] = solution[first + 2 * k + 1] - solution[first + 2 * k];
            }
            let params = first + 2 * free.len();
            row.params = solution[params..params + self.n_param].to_vec();
            row.constant = solution[params + self.n_param];
            let shift = row.params.iter().chain([&row.constant]).map(|x| x.abs()).max();
            if shift > Some(LARGEST_SHIFT) || row.iterators.iter().any(|x| x.abs() > LARGEST_SLOPE) {
                return None;
            }
            hyperplane.insert(*s, row);
        }
        Some(hyperplane)
    }
}
