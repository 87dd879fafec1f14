//! Quasi-affine expressions for `calc --ops`: `TYPE_OPERATION`, by isl's names of types.
//!
//! ```text
//! union_pw_multi_aff_add<TAB>{ A[i] -> B[i] : i > 0 }<TAB>{ A[i] -> B[3] }                { A[i] -> B[(i + 3)] : i > 0 }
//! multi_aff_product<TAB>{ A[i, j] -> R[i + j] }<TAB>{ B[x] -> R[2x] }                     { [A[i, j] -> B[x]] -> [R[(i + j)] -> R[(2x)]] }
//! multi_union_pw_aff_pullback<TAB>R[{ A[i] -> [2i] }]<TAB>{ C[x] -> A[x] }                R[{ C[x] -> [(2x)] }]
//! multi_union_pw_aff_as_union_map<TAB>A[{ S[i] -> [i] }]                                  { S[i] -> A[i] }
//! ```
//!
//! Each is the function of that name on the type; one that a type lacks is unknown. What is plugged in by a pullback is a tuple of expressions: a
//! `union_pw_multi_aff` for the union types, else a `pw_multi_aff` or, for `aff` and `multi_aff`, a `multi_aff`.

use super::value::Wrong;
use crate::presburger::{
    Aff, MultiAff, MultiPwAff, MultiUnionPwAff, ParseError, PwAff, PwMultiAff, UnionPwAff, UnionPwMultiAff,
};

/// The answer to an operation on expressions; `None` if there is none of this name.
pub(super) fn answer(name: &str, arguments: &[&str]) -> Option<Result<String, Wrong>> {
    let (apply, operation) =
        TYPES.iter().find_map(|(kind, apply)| Some((apply, name.strip_prefix(kind)?.strip_prefix('_')?)))?;
    apply(operation, arguments)
}

type Apply = fn(&str, &[&str]) -> Option<Result<String, Wrong>>;

/// Longer names before those that they begin with.
const TYPES: [(&str, Apply); 8] = [
    ("union_pw_multi_aff", on_union_pw_multi_aff),
    ("union_pw_aff", on_union_pw_aff),
    ("multi_union_pw_aff", on_multi_union_pw_aff),
    ("multi_pw_aff", on_multi_pw_aff),
    ("pw_multi_aff", on_pw_multi_aff),
    ("multi_aff", on_multi_aff),
    ("pw_aff", on_pw_aff),
    ("aff", on_aff),
];

fn wrong(position: usize) -> impl Fn(ParseError) -> Wrong {
    move |e| Wrong(format!("argument {}, line {}, column {}: {}", position + 1, e.line, e.column, e.message))
}

fn one<T>(text: &[&str], read: fn(&str) -> Result<T, ParseError>, f: impl Fn(&T) -> String) -> Result<String, Wrong> {
    let [text] = text else { return Err(Wrong(format!("expected 1 expression, found {}", text.len()))) };
    Ok(f(&read(text).map_err(wrong(0))?))
}

fn two<T, U>(
    texts: &[&str],
    read: fn(&str) -> Result<T, ParseError>,
    read_second: fn(&str) -> Result<U, ParseError>,
    f: impl Fn(&T, &U) -> String,
) -> Result<String, Wrong> {
    let [a, b] = texts else { return Err(Wrong(format!("expected 2 expressions, found {}", texts.len()))) };
    Ok(f(&read(a).map_err(wrong(0))?, &read_second(b).map_err(wrong(1))?))
}

/// The operations of a type: with another of the type, with the inner one of a pullback, alone.
macro_rules! operations {
    ($name:ident, $kind:ty, [$($both:ident),*], $inner:ty, [$($pulled:literal => $pullback:ident),*], [$($alone:ident),*]) => {
        fn $name(operation: &str, texts: &[&str]) -> Option<Result<String, Wrong>> {
            $(if operation == stringify!($both) {
                return Some(two(texts, <$kind>::parse, <$kind>::parse, |a, b| a.$both(b).to_string()));
            })*
            $(if operation == $pulled {
                return Some(two(texts, <$kind>::parse, <$inner>::parse, |a, b| a.$pullback(b).to_string()));
            })*
            $(if operation == stringify!($alone) {
                return Some(one(texts, <$kind>::parse, |a| a.$alone().to_string()));
            })*
            None
        }
    };
}

operations!(on_aff, Aff, [add, sub], MultiAff, ["pullback" => pullback], [neg, floor]);
operations!(
    on_multi_aff,
    MultiAff,
    [add, sub, product, range_product, flat_range_product],
    MultiAff,
    ["pullback" => pullback],
    [neg, as_map]
);
operations!(
    on_pw_aff,
    PwAff,
    [add, sub, min, max, union_add, union_min, union_max],
    PwMultiAff,
    ["pullback" => pullback_pw],
    [neg, floor, ceil, abs, domain, coalesce, as_map]
);
operations!(
    on_pw_multi_aff,
    PwMultiAff,
    [add, sub, union_add, product, range_product, flat_range_product, union_lexmin, union_lexmax],
    PwMultiAff,
    ["pullback" => pullback_pw],
    [neg, domain, coalesce, as_map]
);
operations!(
    on_multi_pw_aff,
    MultiPwAff,
    [add, sub, product, range_product, flat_range_product],
    PwMultiAff,
    ["pullback" => pullback_pw],
    [neg, domain, coalesce, as_map]
);
operations!(
    on_union_pw_aff,
    UnionPwAff,
    [add, sub, union_add],
    UnionPwMultiAff,
    ["pullback" => pullback],
    [domain, zero_set]
);
operations!(
    on_union_pw_multi_aff,
    UnionPwMultiAff,
    [add, sub, union_add, range_product, flat_range_product],
    UnionPwMultiAff,
    ["pullback" => pullback],
    [domain, coalesce, as_union_map]
);
operations!(
    on_multi_union_pw_aff,
    MultiUnionPwAff,
    [add, sub, union_add, range_product, flat_range_product],
    UnionPwMultiAff,
    ["pullback" => pullback],
    [neg, floor, domain, coalesce, as_union_map, zero_union_set]
);
