//! Sets, relations and piecewise quasi-affine functions with named spaces: what the rest of the program speaks.
pub mod aff;
pub mod basic_map;
mod coefficients;
pub mod map;
pub mod multi;
pub mod multi_pw;
pub mod pw_aff;
pub mod set;
pub mod space;
pub mod union_aff;
mod union_closure;
pub mod union_map;
pub mod union_set;
pub(crate) mod vertices;
