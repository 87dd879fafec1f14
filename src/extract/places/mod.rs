//! Elements that data names: what is known of them, and what a pass before the loops can find out.
mod compared;
mod computed;
mod facts;
pub mod indirect;
pub mod measure;
pub mod noted;
pub mod ranges;
pub mod rows;
pub mod runs;
