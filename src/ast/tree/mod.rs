//! What the generator makes: expressions, loops, conditions and statements, as data with a text form both ways; C; and the order in which they run.
pub mod expr;
pub mod node;
pub mod print;
pub mod replay;
pub mod text;
