//! Values that are updated again and again by one operator, or replaced as a whole: what SSA form alone says of them.
pub mod arg_reduction;
pub mod chain;
pub mod decision;
pub mod packing;
pub mod pick;
pub mod ranking;
