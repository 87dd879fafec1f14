//! The original loops after the new ones, on the same memory, and the comparison of what both leave.
mod elements;
pub mod report;
pub mod versions;
mod visited;

#[cfg(test)]
mod tests;
