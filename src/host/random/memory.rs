//! Random arrays: whose memory they share, and how their addresses are computed.

use super::kind;
use crate::host::program::{Array, Base, Content, Form, Kind};
use fastrand::Rng;

/// Two index arrays, the second sorted, then others.
pub(super) fn arrays(rng: &mut Rng) -> Vec<Array> {
    let index = |rng: &mut Rng, content| {
        let kind = [Kind::I32, Kind::I32, Kind::I64, Kind::I16, Kind::I8][rng.usize(..5)];
        Array { kind, base: Base::Argument { alone: rng.bool() }, form: form(rng), content }
    };
    let mut arrays = vec![index(rng, Content::Index), index(rng, Content::Sorted)];
    let favourite = kind(rng);
    let first = arrays.len();
    for at in first..first + rng.usize(2..6) {
        let kind = if rng.u8(..3) > 0 { favourite } else { kind(rng) };
        let base = match rng.u8(..20) {
            0..=6 => Base::Argument { alone: true },
            7..=9 => Base::Argument { alone: false },
            10 => Base::Global,
            11 => Base::ThreadLocal,
            12 => Base::Held,
            13 => Base::Rows,
            14 if at > first => Base::Local,
            15 | 16 if at > first => Base::View { of: rng.usize(first..at), shift: rng.i64(-2..8) },
            17 | 18 if at > first => Base::Variable { of: rng.usize(first..at) },
            _ => Base::Argument { alone: rng.bool() },
        };
        let new = fitting(Array { kind, base, form: form(rng), content: Content::Data }, &arrays);
        arrays.push(new);
    }
    if rng.u8(..5) == 0 {
        take_turns(rng, &mut arrays);
    }
    alone_is_true(&mut arrays);
    arrays
}

/// Two or three more arrays, and pointers to them that may change places.
fn take_turns(rng: &mut Rng, arrays: &mut Vec<Array>) {
    let is_variable = |array: &Array| matches!(array.base, Base::Variable { .. });
    if arrays.iter().any(is_variable) {
        return;
    }
    let (kind, first, n) = (kind(rng), arrays.len(), rng.usize(2..4));
    for _ in 0..n {
        let base = Base::Argument { alone: rng.u8(..4) > 0 };
        arrays.push(Array { kind, base, form: Form::Element, content: Content::Data });
    }
    for of in first..first + n {
        let pointer = Array { kind, base: Base::Variable { of }, form: Form::Element, content: Content::Data };
        arrays.push(fitting(pointer, arrays));
    }
}

fn form(rng: &mut Rng) -> Form {
    match rng.u8(..12) {
        0 => Form::Bytes,
        1 => Form::Integers,
        2 | 3 => {
            let of = rng.i64(2..4);
            Form::Member { of, at: rng.i64(0..of) }
        }
        _ => Form::Element,
    }
}

/// The array, so that what shares memory may: floats of one size are not read as floats of another, where they may be anything; a bit is what
/// was written as a bit; pointers that change places point to one kind.
fn fitting(mut new: Array, arrays: &[Array]) -> Array {
    let plain = Base::Argument { alone: false };
    let (Base::View { of, .. } | Base::Variable { of }) = new.base else { return new };
    if matches!(arrays[of].base, Base::Local | Base::Rows | Base::Variable { .. }) || arrays[of].kind == Kind::I1 {
        return Array { base: plain, ..new };
    }
    let root = |mut at: usize| {
        while let Base::View { of, .. } | Base::Variable { of } = arrays[at].base {
            at = of;
        }
        at
    };
    let variables: Vec<usize> =
        (0..arrays.len()).filter(|at| matches!(arrays[*at].base, Base::Variable { .. })).collect();
    let is_variable = matches!(new.base, Base::Variable { .. });
    if is_variable {
        new.kind = arrays[of].kind;
    }
    let mut roots = vec![root(of)];
    if is_variable || variables.iter().any(|at| roots.contains(&root(*at))) {
        roots.extend(variables.iter().map(|at| root(*at)));
    }
    let mut floats: Vec<Kind> =
        (0..arrays.len()).filter(|at| roots.contains(&root(*at))).map(|at| arrays[at].kind).collect();
    floats.retain(|kind| kind.is_float());
    floats.dedup();
    let has_another_variable = is_variable && variables.iter().any(|at| arrays[*at].kind != new.kind);
    if new.kind == Kind::I1 || floats.iter().any(|kind| *kind != floats[0]) || has_another_variable {
        return Array { base: plain, ..new };
    }
    match floats.first() {
        Some(float) if new.kind.is_float() => Array { kind: *float, ..new },
        _ => new,
    }
}

/// An array of which there are views is not alone.
fn alone_is_true(arrays: &mut [Array]) {
    for at in 0..arrays.len() {
        if let Base::View { of, .. } = arrays[at].base {
            let mut root = of;
            while let Base::View { of, .. } = arrays[root].base {
                root = of;
            }
            if let Base::Argument { alone } = &mut arrays[root].base {
                *alone = false;
            }
        }
    }
}
