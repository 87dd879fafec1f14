//! What the generator makes: expressions, loops, conditions and statements, as data with a text form both ways; C; and the order in which they run.
pub mod expr;
pub mod node;
mod notation;
pub mod print;
mod reader;
pub mod replay;
pub mod text;
