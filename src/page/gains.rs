//! Predicted gains as they are told: `3.5×`, and nothing more exact than `over 16×` of large ones.

/// Larger gains than this are not told by their numbers: loops that wait for memory all the time are predicted to be a hundred times as fast with tiles and
/// were measured at ten to fifty times.
const MOST_TOLD: f64 = 16.0;

/// Gains that differ by less are the same: the model ranks, it does not tell seconds.
const MARGIN: f64 = 0.05;

pub fn in_words(gain: f64) -> String {
    if gain > MOST_TOLD { format!("over {MOST_TOLD}×") } else { format!("{gain:.1}×") }
}

/// Whether one gain is larger than another, as far as they are told.
pub fn is_larger(gain: f64, other: f64) -> bool {
    gain.min(MOST_TOLD) > other.min(MOST_TOLD) * (1.0 + MARGIN) && in_words(gain) != in_words(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_gains_are_all_the_same() {
        assert_eq!([3.52, 16.0, 115.8].map(in_words), ["3.5×", "16.0×", "over 16×"]);
        assert!(is_larger(7.0, 3.5) && is_larger(115.8, 3.5) && is_larger(16.5, 15.0));
        for (one, other) in [(115.8, 90.2), (3.5, 3.45), (0.14, 0.12), (16.5, 15.9)] {
            assert!(!is_larger(one, other) && !is_larger(other, one), "{one} and {other}");
        }
    }
}
