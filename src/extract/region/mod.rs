//! Where loops are, and for which iterations each block of theirs runs.
pub mod detect;
pub mod leading;
pub mod pragmas;
pub mod threads;
