//! Scalars of strips: in a few places on the stack if no more elements than that are in use at a time, and in a buffer otherwise.

use super::{GEMM, PARALLEL, SEQUENTIAL, by_map, check};
use crate::emit::Settings;

/// The buffers that an order needs; where it is one of windows of eight elements, the new code has as many places.
fn buffers(order: &'static str, settings: Settings) -> usize {
    let found = std::cell::Cell::new(0);
    let text = check(GEMM, &[], &by_map(order), settings, &|emitted| found.set(emitted.buffers));
    assert_eq!(found.get() == 0, text.contains("alloca [8 x double]"), "{text}");
    found.get()
}

#[test]
fn elements_of_a_strip_are_in_a_window() {
    let strips = "{ S0[i,j] -> [i, floor(j/8), 0, j, 0]; S1[i,j,k] -> [i, floor(j/8), 1, k, j]; \
                    S2[i,j] -> [i, floor(j/8), 2, j, 0] }";
    assert_eq!(buffers(strips, SEQUENTIAL), 0);
    assert_eq!(buffers(strips, PARALLEL), 0, "each thread has windows of its own");
}

#[test]
fn downwards_and_from_anywhere_too() {
    let down = "{ S0[i,j] -> [-i, -floor(j/8), 0, -j, 0]; S1[i,j,k] -> [-i, -floor(j/8), 1, k, -j]; \
                  S2[i,j] -> [-i, -floor(j/8), 2, -j, 0] }";
    let order = by_map(down);
    // The loop counts what is the opposite of the window's number: no window for it, and nothing wrong.
    check(GEMM, &[], &order, SEQUENTIAL, &|emitted| assert_eq!(emitted.buffers, 1));
    let aside = "{ S0[i,j] -> [i, floor((j + 3)/8), 0, j, 0]; S1[i,j,k] -> [i, floor((j + 3)/8), 1, k, j]; \
                   S2[i,j] -> [i, floor((j + 3)/8), 2, j, 0] }";
    check(GEMM, &[], &by_map(aside), SEQUENTIAL, &|emitted| assert_eq!(emitted.buffers, 1));
}

#[test]
fn elements_that_would_be_in_one_place_are_in_a_buffer() {
    let rows = "{ S0[i,j] -> [floor(j/8), 0, i, j, 0]; S1[i,j,k] -> [floor(j/8), 1, i, k, j]; \
                  S2[i,j] -> [floor(j/8), 2, i, j, 0] }";
    assert_eq!(buffers(rows, SEQUENTIAL), 1, "of all rows the elements j are in use at once");
}

#[test]
fn elements_that_are_used_in_another_iteration_are_in_a_buffer() {
    let steps = "{ S0[i,j] -> [i, 0, floor(j/8), 0, j]; S1[i,j,k] -> [i, k, floor(j/8), 1, j]; \
                   S2[i,j] -> [i, 19, floor(j/8), 2, j] }";
    check(GEMM, &[], &by_map(steps), SEQUENTIAL, &|emitted| assert_eq!(emitted.buffers, 1));
    let apart = "{ S0[i,j] -> [i, 0, floor(j/8), j, 0]; S1[i,j,k] -> [i, 1, floor(j/8), k, j]; \
                   S2[i,j] -> [i, 2, floor(j/8), j, 0] }";
    assert_eq!(buffers(apart, SEQUENTIAL), 1);
}
