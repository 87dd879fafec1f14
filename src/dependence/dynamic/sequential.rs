//! The program run one instance after the other: what both graphs are held to.
//!
//! It knows neither effects nor trees: all instances are listed, sorted by the flat schedule, and run on a memory, those with a
//! condition that does not hold left out.

use std::collections::{BTreeMap, BTreeSet};

use super::input::{Input, Memory, small};
use super::value::{Stuck, Value, computed, is_operation, stuck};
use crate::presburger::budget::spend;
use crate::presburger::{DimKind, Id, Int, PwMultiAff};
use crate::scop::{AccessKind, ArrayId, Scop, StatementId, Table};

/// A statement and the values of its iterators.
pub type Instance = (StatementId, Vec<i64>);

/// What a sequential run leaves.
#[derive(Clone, Debug, Default)]
pub struct Sequential {
    /// All elements that were written.
    pub memory: Memory,
    /// Which instance read, or was decided by, what which other one had written.
    pub flow: BTreeSet<(Instance, Instance)>,
    /// The last writer of each element.
    writers: BTreeMap<(ArrayId, Vec<i64>), Instance>,
    /// Instances that ran.
    pub instances: usize,
    /// Those among them that compute something, and do not only copy: the steps of the program.
    pub operations: usize,
}

/// An access as a function.
struct Touch<'a> {
    access: &'a crate::scop::Access,
    array: ArrayId,
    at: PwMultiAff,
}

impl Touch<'_> {
    fn element(&self, point: &[Int]) -> Result<Option<(ArrayId, Vec<i64>)>, Stuck> {
        let Some(index) = self.at.eval(point) else { return Ok(None) };
        let index: Vec<Int> = index.into_iter().map(|(value, _)| value).collect();
        Ok(Some((self.array, small(&index)?)))
    }
}

/// Runs the program of `scop` in its order.
pub fn run(scop: &Scop, input: &Input) -> Result<Sequential, Stuck> {
    let flat = scop.schedule.to_map();
    let mut instances: Vec<(Vec<i64>, StatementId, Vec<i64>)> = Vec::new();
    let params: Vec<Int> = input.params.iter().map(|value| Int::from(*value)).collect();
    for (s, statement) in scop.statements.entries() {
        let n = statement.domain.dim(DimKind::Out);
        let times = flat.maps().find(|map| map.space().tuple_name(DimKind::In) == Some(&statement.name));
        let Some(times) = times.map(|map| map.align_params(scop.context.space())) else { continue };
        for point in input.points(&times.wrap().flatten())? {
            instances.push((point[n..].to_vec(), s, point[..n].to_vec()));
        }
    }
    instances.sort();
    let mut run = Sequential::default();
    let touches: Table<StatementId, Vec<Touch<'_>>> =
        scop.statements.ids().map(|s| touches(scop, s)).collect::<Result<_, _>>()?;
    for (_, s, point) in &instances {
        spend(100);
        let at: Vec<Int> = params.iter().cloned().chain(point.iter().map(|value| Int::from(*value))).collect();
        run.instance(scop, input, *s, point, &at, &touches[*s])?;
    }
    Ok(run)
}

fn touches(scop: &Scop, statement: StatementId) -> Result<Vec<Touch<'_>>, Stuck> {
    let touch = |access| {
        let access: &crate::scop::Access = access;
        let array = scop.arrays.id_where(|a| a.name == access.array).expect("law: arrays are declared");
        match PwMultiAff::from_map(&access.relation) {
            Some(at) => Ok(Touch { access, array, at }),
            None => stuck(format!("{} is of several elements at once", access.id)),
        }
    };
    scop.statements[statement].accesses.iter().filter(|a| a.kind != AccessKind::Kill).map(touch).collect()
}

impl Sequential {
    fn reads_from(&mut self, element: &(ArrayId, Vec<i64>), statement: StatementId, point: &[i64]) {
        if let Some(writer) = self.writers.get(element) {
            self.flow.insert((writer.clone(), (statement, point.to_vec())));
        }
    }

    fn instance(
        &mut self,
        scop: &Scop,
        input: &Input,
        statement: StatementId,
        point: &[i64],
        at: &[Int],
        touches: &[Touch<'_>],
    ) -> Result<(), Stuck> {
        let reads = |t: &&Touch<'_>| t.access.kind == AccessKind::Read;
        for (touch, holds) in touches.iter().filter(reads).filter_map(|t| Some((t, t.access.condition?))) {
            let Some(element) = touch.element(at)? else { return Ok(()) };
            self.reads_from(&element, statement, point);
            let value = self.memory.get(&element);
            if value.is_none_or(|value| value.is_true() != holds) {
                return Ok(());
            }
        }
        let mut values: BTreeMap<&Id, Value> = BTreeMap::new();
        for touch in touches.iter().filter(reads).filter(|t| t.access.condition.is_none()) {
            if let Some(element) = touch.element(at)? {
                self.reads_from(&element, statement, point);
                let known = self.memory.get(&element).copied();
                let value = known.map_or_else(|| input.element(scop, element.0, &element.1), Ok)?;
                values.insert(&touch.access.id, value);
            }
        }
        let value = computed(scop, statement, point, &input.params, &mut |id| values.get(id).copied())?;
        for touch in touches.iter().filter(|t| t.access.kind.writes()) {
            if let Some(element) = touch.element(at)? {
                self.writers.insert(element.clone(), (statement, point.to_vec()));
                self.memory.insert(element, value);
            }
        }
        self.instances += 1;
        self.operations += usize::from(is_operation(scop, statement));
        Ok(())
    }
}
