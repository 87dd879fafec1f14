//! Which functions of a module run often, as far as its calls say.
//!
//!     void sweep(void);                      // 1: called in a loop
//!     void setup(void);                      // 0
//!     int main(void) { setup(); for (int t = 0; t < 100; t++) sweep(); }
//!
//! A call in a loop makes what is called hotter by one than the function that calls; of several calls the hottest counts. What nobody in the module calls
//! begins with 0. This only says what work on a function is worth, never what may be done with it.

use crate::llvm::{Block, Function, Module};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::{HashMap, HashSet};

/// Functions that call each other in loops would become hotter without end.
const MOST: u32 = 4;

/// What work on a function is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heat {
    /// How many loops are around calls of it.
    pub loops: u32,
    /// Its own instructions in loops.
    pub instructions: usize,
}

/// How hot each function is that the module defines.
pub fn of<'ir>(module: Module<'ir>) -> HashMap<Function<'ir>, Heat> {
    let mut heat: HashMap<Function<'ir>, Heat> = HashMap::new();
    let mut calls: Vec<(Function<'ir>, Function<'ir>, u32)> = Vec::new();
    for function in module.functions().into_iter().filter(|function| function.has_body()) {
        let repeated = repeated(function);
        let instructions = repeated.iter().map(|block| block.instructions().len()).sum();
        heat.insert(function, Heat { loops: 0, instructions });
        calls.extend(called(function, &repeated).into_iter().map(|(callee, by)| (function, callee, by)));
    }
    let mut is_settled = false;
    while !is_settled {
        is_settled = true;
        for (caller, callee, by) in &calls {
            let new = (heat[caller].loops + by).min(MOST);
            if let Some(own) = heat.get_mut(callee).filter(|own| own.loops < new) {
                own.loops = new;
                is_settled = false;
            }
        }
    }
    heat
}

/// What a function calls: each with 1 if that is in a loop, 0 else.
fn called<'ir>(function: Function<'ir>, repeated: &HashSet<Block<'ir>>) -> Vec<(Function<'ir>, u32)> {
    let in_block = |block: Block<'ir>| {
        let by = u32::from(repeated.contains(&block));
        let callees = block.instructions().into_iter().filter_map(|instruction| instruction.call()?.callee());
        callees.map(move |callee| (callee, by))
    };
    function.blocks().into_iter().flat_map(in_block).collect()
}

/// The blocks in cycles; without a call for each block, as there may be more of these than the stack has room for.
fn repeated<'ir>(function: Function<'ir>) -> HashSet<Block<'ir>> {
    let blocks = function.blocks();
    let mut graph = DiGraph::<Block<'ir>, ()>::new();
    let nodes: HashMap<Block<'ir>, _> = blocks.iter().map(|block| (*block, graph.add_node(*block))).collect();
    for block in &blocks {
        for next in block.successors() {
            graph.add_edge(nodes[block], nodes[&next], ());
        }
    }
    let is_cycle = |nodes: &Vec<_>| nodes.len() > 1 || graph.contains_edge(nodes[0], nodes[0]);
    kosaraju_scc(&graph).into_iter().filter(is_cycle).flatten().map(|node| graph[node]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::Session;
    use crate::llvm::session::with_ir;

    #[test]
    fn functions_that_are_called_in_loops_are_hotter_than_those_that_call_them() {
        let text = r"
            declare void @outside()
            define void @setup() { ret void }
            define void @inner() { call void @outside() ret void }
            define void @sweep() {
            entry:
              br label %loop
            loop:
              %i = phi i32 [ 0, %entry ], [ %next, %loop ]
              call void @inner()
              %next = add i32 %i, 1
              %more = icmp slt i32 %next, 9
              br i1 %more, label %loop, label %exit
            exit:
              call void @setup()
              ret void
            }
            define void @again(i32 %n) {
            entry:
              br label %loop
            loop:
              %i = phi i32 [ 0, %entry ], [ %next, %loop ]
              call void @again(i32 %i)
              call void @sweep()
              %next = add i32 %i, 1
              %more = icmp slt i32 %next, %n
              br i1 %more, label %loop, label %exit
            exit:
              ret void
            }";
        let names = ["again", "sweep", "inner", "setup", "outside"];
        let heat_in = |text: &str| {
            with_ir(text, |session| {
                let module = session.module();
                let heat = of(module);
                let of = |name| heat.get(&module.function(name).expect("it is there")).copied().unwrap_or_default();
                names.map(|name| of(name).loops)
            })
            .expect("the text is a module")
        };
        assert_eq!(heat_in(&text.replace("call void @again(i32 %i)", "")), [0, 1, 2, 1, 0]);
        let of_blocks = |session: &mut Session<'_>| {
            let module = session.module();
            let heat = of(module);
            ["sweep", "setup"].map(|name| heat[&module.function(name).expect("it is there")].instructions)
        };
        assert_eq!(with_ir(text, of_blocks).expect("the text is a module"), [5, 0]);
        assert_eq!(heat_in(text), [MOST, MOST, MOST, MOST, 0], "it calls itself in a loop");
    }

    #[test]
    fn long_functions_take_no_stack() {
        let block = |at: usize| format!("b{at}:\n br label %b{}\n", at + 1);
        let blocks: String = (0..20_000).map(block).collect();
        let text = format!("define void @long() {{ br label %b0\n{blocks}b20000:\n ret void }}");
        let n_found = std::thread::Builder::new()
            .stack_size(1 << 19)
            .spawn(move || with_ir(&text, |session| of(session.module()).len()).expect("the text is a module"));
        assert_eq!(n_found.expect("a thread").join().expect("the stack is large enough"), 1);
    }
}
