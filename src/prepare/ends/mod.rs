//! Where loops end and how they go on: what they hand on there ([`goes_on`]), that they end when all is decided ([`decided`]), last rounds that end like the others ([`last_round`]), and blocks of their own behind them ([`ways_out`]).

pub(super) mod decided;
pub(super) mod goes_on;
pub(super) mod last_round;
pub(super) mod ways_out;
