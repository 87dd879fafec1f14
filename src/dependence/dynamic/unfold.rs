//! The S-graph unfolded: every instance for given sizes, with an arrow to it from each instance that may send it a value.
//!
//! For `max` and `n = 2` these are `S1{}`, `P1{1}`, `S2{1}`, `B1{1}`, `P1{2}`, ..., with arrows as values flow; what a blender chooses between comes along a green
//! arrow (if its condition, which comes along a blue one, holds) and a red one. Only what outputs need is drawn.
//!
//! Implements: 004 7.1

use std::collections::BTreeMap;

use super::Dataflow;
use super::graph::Kind;
use super::input::{Input, small};
use super::json::{NOT_TAKEN, TAKEN, shape};
use super::tree::{Condition, Tree, Values};
use super::value::Stuck;
use crate::drawing::{Drawing, NodeId, Pen, Style};
use crate::presburger::{Id, Int};

/// Most instances that are drawn: more can neither be laid out nor looked at.
const MOST_INSTANCES: usize = 2000;

/// How the value of a condition comes to a blender.
const CONDITION: Style = Style { pen: Pen::Dashed, colour: "blue" };

type Instance = (usize, Vec<i64>);

impl Dataflow<'_> {
    /// The graph of all instances for the parameters of an input.
    ///
    /// # Errors
    /// There are too many.
    pub fn unfolded(&self, input: &Input) -> Result<Drawing, Stuck> {
        let mut unfolding = Unfolding {
            dataflow: self,
            input,
            drawing: Drawing::titled(&self.scop.name),
            drawn: BTreeMap::new(),
            pending: Vec::new(),
        };
        for (at, node) in self.graph.nodes.iter().enumerate().filter(|(_, node)| matches!(node.kind, Kind::Output(_))) {
            for point in input.points(&node.domain)? {
                unfolding.node((at, point))?;
            }
        }
        while let Some(instance) = unfolding.pending.pop() {
            unfolding.sources(&instance)?;
        }
        Ok(unfolding.drawing)
    }
}

struct Unfolding<'d> {
    dataflow: &'d Dataflow<'d>,
    input: &'d Input,
    drawing: Drawing,
    drawn: BTreeMap<Instance, NodeId>,
    /// Those whose arrows are still to be drawn.
    pending: Vec<Instance>,
}

impl Unfolding<'_> {
    fn node(&mut self, instance: Instance) -> Result<NodeId, Stuck> {
        if let Some(known) = self.drawn.get(&instance) {
            return Ok(*known);
        }
        if self.drawn.len() == MOST_INSTANCES {
            return Err(Stuck(format!("there are more than {MOST_INSTANCES} instances: take smaller sizes")));
        }
        let node = &self.dataflow.graph.nodes[instance.0];
        let point: Vec<String> = instance.1.iter().map(ToString::to_string).collect();
        let id = self.drawing.node(&format!("{}{{{}}}", node.name, point.join(", ")), shape(node.kind));
        self.drawn.insert(instance.clone(), id);
        self.pending.push(instance);
        Ok(id)
    }

    fn named(&mut self, name: &Id, args: &[Int]) -> Result<NodeId, Stuck> {
        let at = self.dataflow.graph.nodes.iter().position(|node| node.name == *name).expect("law: trees name nodes");
        self.node((at, small(args)?))
    }

    /// Draws the arrows to an instance.
    fn sources(&mut self, instance: &Instance) -> Result<(), Stuck> {
        let (dataflow, own) = (self.dataflow, self.drawn[instance]);
        let node = &dataflow.graph.nodes[instance.0];
        let params = dataflow.scop.params.iter().zip(&self.input.params);
        let context = node.context.iter().zip(&instance.1);
        let values: Values = params.chain(context).map(|(name, value)| (name.clone(), Int::from(*value))).collect();
        for (tree, port) in dataflow.sources[instance.0].iter().zip(&node.ports) {
            self.arrows(tree, &mut values.clone(), own, (port.name.as_str(), Style::PLAIN))?;
        }
        Ok(())
    }

    fn arrows(
        &mut self,
        tree: &Tree,
        values: &mut Values,
        own: NodeId,
        (label, style): (&str, Style),
    ) -> Result<(), Stuck> {
        if let Tree::Branch { condition: Condition::Truth { node, args }, yes, no } = tree {
            let args: Vec<Int> = args.iter().map(|arg| arg.value(values)).collect();
            let condition = self.named(node, &args)?;
            self.drawing.arrow(condition, own, "", CONDITION);
            self.arrows(yes, values, own, (label, TAKEN))?;
            return self.arrows(no, values, own, (label, NOT_TAKEN));
        }
        match tree.decided(values) {
            Tree::Term { node, args, .. } => {
                let args: Vec<Int> = args.iter().map(|arg| arg.value(values)).collect();
                let from = self.named(node, &args)?;
                self.drawing.arrow(from, own, label, style);
                Ok(())
            }
            branch @ Tree::Branch { .. } => self.arrows(branch, values, own, (label, style)),
            _ => Ok(()),
        }
    }
}
