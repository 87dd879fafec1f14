//! Hyperplanes that all dependences respect, by integer programs; which statements share them; statements in parts where their dependences change.
pub(crate) mod band;
pub(crate) mod fuse;
pub(crate) mod plan;
pub(crate) mod program;
pub(crate) mod split;
