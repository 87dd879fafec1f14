//! What the names of a program are, by where they stand.
//!
//! ```text
//! do i = 1, n            i: a variable of a loop      n: a parameter, which is nowhere assigned and bounds a loop
//!   s = s + x(i)         s, x: memory
//! enddo
//! ```

use super::syntax::{Declared, Part, Program};
use super::terms::Term;
use std::collections::BTreeSet;

/// What the names of a program are.
pub struct Names {
    pub params: Vec<String>,
    pub external: BTreeSet<String>,
    /// Variables of loops.
    pub loops: BTreeSet<String>,
    /// All names that the program has for anything.
    used: BTreeSet<String>,
}

impl Names {
    pub fn of(program: &Program) -> Names {
        let is_external = |(_, declared): &&(String, Declared)| *declared == Declared::External;
        let external = program.declared.iter().filter(is_external).map(|(name, _)| name.clone()).collect();
        let mut uses = Uses::default();
        uses.of_parts(&program.body);
        let is_free = |name: &&String| !uses.assigned.contains(*name) && !uses.arrays.contains(*name);
        let params = uses.sizes.iter().filter(is_free).cloned().collect();
        Names { params, external, loops: uses.loops, used: uses.all }
    }

    /// A name like this one that the program does not have.
    pub fn new_like(&mut self, wish: &str) -> String {
        let numbered = (1..).map(|number| format!("{wish}_{number}"));
        let name = std::iter::once(wish.to_string()).chain(numbered).find(|name| !self.used.contains(name));
        let name = name.expect("law: there are more numbers than names");
        self.used.insert(name.clone());
        name
    }

    pub fn list(&self) -> String {
        format!("[{}] ->", self.params.join(", "))
    }
}

/// Where names stand in a program.
#[derive(Default)]
struct Uses {
    /// Left of `=`, and variables of loops.
    assigned: BTreeSet<String>,
    /// Variables of loops.
    loops: BTreeSet<String>,
    /// Anywhere.
    all: BTreeSet<String>,
    /// With arguments.
    arrays: BTreeSet<String>,
    /// In bounds, subscripts and plain conditions, in the order in which they come.
    sizes: Vec<String>,
}

impl Uses {
    fn of_parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Assign { target, value, .. } => {
                    self.target(target);
                    self.value(value);
                }
                Part::If { condition, yes, no, .. } => {
                    self.value(condition);
                    if !has_elements(condition) {
                        self.size(condition);
                    }
                    self.of_parts(yes);
                    self.of_parts(no);
                }
                Part::Leave { .. } => {}
                Part::Do { variable, first, last, body, .. } => {
                    self.assigned.insert(variable.clone());
                    self.loops.insert(variable.clone());
                    self.all.insert(variable.clone());
                    self.size(first);
                    self.size(last);
                    self.of_parts(body);
                }
            }
        }
    }

    fn target(&mut self, target: &Term) {
        if let Term::Name { name, arguments, .. } = target {
            self.assigned.insert(name.clone());
            self.all.insert(name.clone());
            arguments.iter().for_each(|argument| self.size(argument));
        }
    }

    fn value(&mut self, term: &Term) {
        self.all.extend(name_of(term));
        match term {
            Term::Name { name, arguments, .. } if !arguments.is_empty() => {
                self.arrays.insert(name.clone());
                arguments.iter().for_each(|argument| self.size(argument));
            }
            Term::Apply { operands, .. } => operands.iter().for_each(|operand| self.value(operand)),
            _ => {}
        }
    }

    fn size(&mut self, term: &Term) {
        self.all.extend(name_of(term));
        match term {
            Term::Name { name, arguments, .. } if arguments.is_empty() && self.sizes.contains(name) => {}
            Term::Name { name, arguments, .. } if arguments.is_empty() => self.sizes.push(name.clone()),
            Term::Name { .. } => self.value(term),
            Term::Apply { operands, .. } => operands.iter().for_each(|operand| self.size(operand)),
            _ => {}
        }
    }
}

fn name_of(term: &Term) -> Option<String> {
    match term {
        Term::Name { name, .. } => Some(name.clone()),
        _ => None,
    }
}

fn has_elements(term: &Term) -> bool {
    match term {
        Term::Name { arguments, .. } => !arguments.is_empty(),
        Term::Apply { operands, .. } => operands.iter().any(has_elements),
        _ => false,
    }
}
