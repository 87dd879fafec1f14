//! One program, three ways to run it, and that they agree.
//!
//! ```text
//! sequential   33 instances, 15 operations
//! S-graph      64 instances, 15 operations; on the longest chain 9 operations among 19 instances
//! U-graph     153 instances, 15 operations; on the longest chain 9 operations among 35 instances
//! ```
//!
//! is bubble sort of 6 numbers: 15 comparisons one after the other, or 9 steps. An operation is an instance that computes; those that only
//! copy a value (also blenders and filters) are instances.

use crate::scop::ArrayId;
use std::fmt;

use super::Dataflow;
use super::input::Input;
use super::recurrence::Run;
use super::sequential::{self, Sequential};
use super::value::{Stuck, stuck};

/// The results of the three runs.
pub struct Runs<'a> {
    dataflow: &'a Dataflow<'a>,
    /// The program as it stands.
    pub sequential: Sequential,
    /// The S-graph by need.
    pub by_need: Run,
    /// The U-graph by data.
    pub by_data: Run,
}

impl<'a> Runs<'a> {
    /// Runs the program three ways. Its reads must all be of one element in each instance, and its writes as well.
    pub fn of(dataflow: &'a Dataflow<'a>, input: &Input) -> Result<Self, Stuck> {
        let sequential = sequential::run(dataflow.scop, input)?;
        let (by_need, by_data) = (dataflow.by_need(input)?, dataflow.by_data(input)?);
        let runs = Self { dataflow, sequential, by_need, by_data };
        runs.agree(input)?;
        Ok(runs)
    }

    /// Each output element has in both graphs the value that the program leaves there, and the program writes no other one.
    fn agree(&self, input: &Input) -> Result<(), Stuck> {
        let scop = self.dataflow.scop;
        for (way, run) in [("S-graph", &self.by_need), ("U-graph", &self.by_data)] {
            for ((array, index), value) in &run.memory {
                let left = self.sequential.memory.get(&(*array, index.clone())).copied();
                let left = left.map_or_else(|| input.element(scop, *array, index), Ok)?;
                if left != *value {
                    let name = &scop.arrays[*array].name;
                    return stuck(format!("the {way} leaves {value} in {name}{index:?}, the program {left}"));
                }
            }
            let is_output = |array: &ArrayId| scop.arrays[*array].live_out;
            let written = self.sequential.memory.keys().filter(|(array, _)| is_output(array));
            if let Some((array, index)) = written.into_iter().find(|element| !run.memory.contains_key(element)) {
                return stuck(format!("the {way} leaves nothing in {}{index:?}", scop.arrays[*array].name));
            }
        }
        Ok(())
    }

    /// The runs as JSON.
    pub fn json(&self) -> serde_json::Value {
        let elements: serde_json::Map<String, serde_json::Value> = self
            .by_need
            .memory
            .iter()
            .map(|((array, index), value)| {
                (format!("{}{index:?}", self.dataflow.scop.arrays[*array].name), value.to_string().into())
            })
            .collect();
        let run = |run: &Run| serde_json::json!({ "instances": run.fired, "operations": run.operations, "depth": run.depth, "rounds": run.rounds });
        serde_json::json!({ "name": self.dataflow.scop.name, "outputs": elements,
            "sequential": { "instances": self.sequential.instances, "operations": self.sequential.operations },
            "s_graph": run(&self.by_need), "u_graph": run(&self.by_data) })
    }
}

impl fmt::Display for Runs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((array, index), value) in &self.by_need.memory {
            writeln!(f, "{}{index:?} = {value}", self.dataflow.scop.arrays[*array].name)?;
        }
        let Sequential { instances, operations, .. } = &self.sequential;
        writeln!(f, "sequential  {instances:5} instances, {operations:5} operations")?;
        for (way, run) in [("S-graph", &self.by_need), ("U-graph", &self.by_data)] {
            let Run { fired, operations, depth, rounds, .. } = run;
            write!(f, "{way}     {fired:5} instances, {operations:5} operations; ")?;
            writeln!(f, "on the longest chain {depth} operations among {rounds} instances")?;
        }
        writeln!(f, "all three leave the same")
    }
}
