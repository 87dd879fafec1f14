//! The text form of a model: see [`parse`](super::parse).

use std::fmt;

use super::yaml::quote;
use super::{
    Access, AccessKind, Application, Array, ArrayKind, ElementType, Location, ReductionOperator, Scop, Statement,
    Symbol,
};
use crate::presburger::DimKind;

impl fmt::Display for Scop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name: {}", quote(&self.name))?;
        let params: Vec<String> = self.params.iter().map(|p| quote(p.as_str())).collect();
        writeln!(f, "params: [ {} ]", params.join(", "))?;
        writeln!(f, "context: {}", quote(&self.context.to_string()))?;
        writeln!(f, "assumed: {}", quote(&self.assumed.to_string()))?;
        list(f, "arrays", &self.arrays, write_array)?;
        list(f, "symbols", &self.symbols, write_symbol)?;
        list(f, "statements", &self.statements, write_statement)?;
        writeln!(f, "schedule:")?;
        for line in self.schedule.to_string().lines() {
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }
}

fn list<'t, T: 't>(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    items: impl IntoIterator<Item = &'t T>,
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    let mut items = items.into_iter().peekable();
    if items.peek().is_none() {
        return Ok(());
    }
    writeln!(f, "{key}:")?;
    items.try_for_each(|item| write(f, item))
}

fn write_array(f: &mut fmt::Formatter<'_>, array: &Array) -> fmt::Result {
    let extent =
        |e: &Option<_>| e.as_ref().map_or("\"\"".to_string(), |e: &crate::presburger::PwAff| quote(&e.to_string()));
    let shape: Vec<String> = array.shape.iter().map(extent).collect();
    writeln!(f, "- name: {}", quote(array.name.as_str()))?;
    writeln!(f, "  element: {}", array.element)?;
    writeln!(f, "  size_bytes: {}", array.size_bytes)?;
    if !shape.is_empty() {
        writeln!(f, "  shape: [ {} ]", shape.join(", "))?;
    }
    if array.kind == ArrayKind::Scalar {
        writeln!(f, "  kind: scalar")?;
    }
    writeln!(f, "  live_out: {}", array.live_out)?;
    if array.own > 0 {
        writeln!(f, "  own: {}", array.own)?;
    }
    array.source_name.iter().try_for_each(|name| writeln!(f, "  source_name: {}", quote(name)))
}

fn write_symbol(f: &mut fmt::Formatter<'_>, symbol: &Symbol) -> fmt::Result {
    writeln!(f, "- name: {}", quote(symbol.name.as_str()))?;
    writeln!(f, "  arity: {}", symbol.arity)?;
    symbol.lower.iter().try_for_each(|bound| writeln!(f, "  lower: {bound}"))?;
    symbol.upper.iter().try_for_each(|bound| writeln!(f, "  upper: {bound}"))?;
    writeln!(f, "  injective: {}", symbol.injective)?;
    writeln!(f, "  monotone: {}", symbol.monotone)
}

fn write_statement(f: &mut fmt::Formatter<'_>, statement: &Statement) -> fmt::Result {
    writeln!(f, "- name: {}", quote(statement.name.as_str()))?;
    match &statement.applied {
        None => writeln!(f, "  domain: {}", quote(&statement.domain.to_string()))?,
        Some(applied) => {
            let one =
                |a: &Application| quote(&a.arguments.set_tuple_name(DimKind::Out, Some(a.symbol.as_str())).to_string());
            let all: Vec<String> = applied.applications.iter().map(one).collect();
            writeln!(f, "  domain: {}", quote(&applied.domain.to_string()))?;
            writeln!(f, "  applies: [ {} ]", all.join(", "))?;
        }
    }
    if statement.speculatable {
        writeln!(f, "  speculatable: true")?;
    }
    statement.location.iter().try_for_each(|place| writeln!(f, "  location: {}", quote(&place.to_string())))?;
    writeln!(f, "  operations: {}", statement.operations)?;
    statement.vector_time.iter().try_for_each(|time| writeln!(f, "  vector_time: {time}"))?;
    if statement.has_loop {
        writeln!(f, "  has_loop: true")?;
    }
    if statement.side_by_side {
        writeln!(f, "  side_by_side: true")?;
    }
    if statement.branches {
        writeln!(f, "  branches: true")?;
    }
    if statement.seldom_replaces {
        writeln!(f, "  seldom_replaces: true")?;
    }
    if statement.packed > 0 {
        writeln!(f, "  packed: {}", statement.packed)?;
    }
    statement.regular.iter().try_for_each(|set| writeln!(f, "  regular: {}", quote(&set.to_string())))?;
    statement.compute.iter().try_for_each(|value| writeln!(f, "  compute: {}", quote(&value.to_string())))?;
    list(f, "  accesses", &statement.accesses, write_access)
}

fn write_access(f: &mut fmt::Formatter<'_>, access: &Access) -> fmt::Result {
    writeln!(f, "  - id: {}", quote(access.id.as_str()))?;
    let kind = match access.condition {
        Some(holds) => (if holds { "when" } else { "unless" }).to_string(),
        None => access.kind.to_string(),
    };
    writeln!(f, "    {kind}: {}", quote(&access.applied.as_ref().unwrap_or(&access.relation).to_string()))?;
    access.reduction.iter().try_for_each(|operator| writeln!(f, "    reduction: {}", quote(&operator.to_string())))?;
    access.location.iter().try_for_each(|place| writeln!(f, "    location: {}", quote(&place.to_string())))
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::MayWrite => "may_write",
            Self::MustWrite => "write",
            Self::Kill => "kill",
        })
    }
}

impl fmt::Display for ReductionOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(bits) => write!(f, "i{bits}"),
            Self::Float(bits) => write!(f, "f{bits}"),
            Self::Opaque(bits) => write!(f, "b{bits}"),
            Self::Pointer => f.write_str("ptr"),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column == 0 { Ok(()) } else { write!(f, ":{}", self.column) }
    }
}
