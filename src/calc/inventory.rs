//! What Verdoolaege's tutorial defines, number by number: one check for each, in the calculator where it has a word for it.
//!
//! `("2.82", "zip { ... } = { ... }")` is operation 2.82; each statement must print `True`. The tutorial's own examples are in
//! [`super::examples`]; operations on expressions, which the calculator does not have, are below with the functions' own names.

use super::Calculator;
use crate::presburger::{
    DimKind, MultiAff, MultiPwAff, MultiUnionPwAff, PwAff, PwMultiAff, Set, UnionMap, UnionPwAff, UnionPwMultiAff,
    UnionSet,
};

const ROWS: &[(&str, &str)] = &[
    ("union", "{ A[i] : 0 <= i < 3 } + { A[3]; B[] } = { A[i] : 0 <= i <= 3; B[] }"),
    ("intersection", "{ A[i] : 0 <= i < 3; B[] } * { A[i] : i > 1 } = { A[2] }"),
    ("difference", "{ A[i] : 0 <= i < 3; B[] } - { A[i] : i > 1 } = { A[0]; A[1]; B[] }"),
    ("inverse", "{ A[i] -> B[i + 1] }^-1 = { B[i] -> A[i - 1] }"),
    ("composition", "{ A[i] -> B[2i] } . { B[i] -> C[i + 1] } = { A[i] -> C[2i + 1] }"),
    ("power", "{ [i] -> [i + 1] : 0 <= i < 9 }^3 = { [i] -> [i + 3] : 0 <= i < 7 }; { [i] -> [2i] }^-2 = { [4i] -> [i] }"),
    ("closure", "C := { [i] -> [i + 2] : 0 <= i < 9 }^+; C[1];
        C[0] = { [i] -> [j] : 0 <= i < 9 and i < j <= 10 and (i + j) mod 2 = 0 }"),
    ("cardinality", "card [n] -> { [i, j] : 0 <= i < n and i <= j < n } = [n] -> { 1/2 * n^2 + 1/2 * n : n > 0 }; card { A[i] -> [j] : 0 <= j < i } = { A[i] -> i : i > 0 }"),
    ("order of sets", "{ [1] } < { [i] }; { [1] } <= { [1] }; ({ [1] } < { [1] }) = False; { [i] } > { [1] }; { [1] } >= { [1] }; { [1] } != { [2] }"),
    ("application", "({ A[i] -> B[i + 1] })({ A[2]; A[3] }) = { B[3]; B[4] }"),
    ("the language", "X := (1, (True, \"a\")); X[0] = 1; X[1][0]; X[1][1] = \"a\"; (True + False) * True; \"a\" + \"b\" = \"ab\""),
    ("2.38", "R := { A[i] -> B[i] : i > 0 and i < 1 }; R = { }"),
    ("2.39", "{ A[] -> B[1] } <= { A[] -> B[i] }"),
    ("2.40", "{ A[] -> B[1] } < { A[] -> B[i] }; ({ A[] -> B[1] } < { A[] -> B[1] }) = False"),
    ("2.41", "{ A[] -> B[i] } >= { A[] -> B[1] }"),
    ("2.42", "{ A[] -> B[i] } > { A[] -> B[1] }"),
    ("2.43", "dom { A[i] -> B[2i] : i > 0 } = { A[i] : i > 0 }; domain { A[] -> B[] } = { A[] }"),
    ("2.45", "ran { A[i] -> B[2i] : i > 0 } = { B[i] : i > 1 and i mod 2 = 0 }; range { A[] -> B[] } = { B[] }"),
    ("2.47", "({ A[1]; B[] } -> { C[2] }) = { A[1] -> C[2]; B[] -> C[2] }"),
    ("2.49", "identity { A[i] : i > 0; B[] } = { A[i] -> A[i] : i > 0; B[] -> B[] }"),
    ("2.51", "{ A[i] -> B[i]; C[] -> D[] } * { A[1] } = { A[1] -> B[1] }"),
    ("2.53", "{ A[i] -> B[i]; C[] -> D[] } ->* { B[1] } = { A[1] -> B[1] }"),
    ("2.55", "{ A[i] -> B[i]; C[] -> D[] } - { A[i] : i != 1 } = { A[1] -> B[1]; C[] -> D[] }"),
    ("2.57", "{ A[i] -> B[i]; C[] -> D[] } ->- { B[i] : i != 1 } = { A[1] -> B[1]; C[] -> D[] }"),
    ("2.59", "R := { A[i] -> B[i]; C[] -> D[] }; R({ A[1]; C[] }) = { B[1]; D[] }"),
    ("2.61", "is_single_valued { A[i] -> B[floor(i/2)] }; is_single_valued { A[i] -> B[j] } = False"),
    ("2.63", "is_injective { A[i] -> B[2i] }; is_injective { A[i] -> B[floor(i/2)] } = False"),
    ("2.65", "is_bijective { A[i] -> B[2i] }; is_bijective { A[i] -> B[j] } = False"),
    ("2.66", "{ S[B[6] -> A[2, 8, 1]] } != { T[B[6] -> A[2, 8, 1]] }; { S[[] -> X[[i] -> [j]]] : i = j } <= { S[[] -> X[[i] -> [j]]] }"),
    ("2.72", "wrap { A[i] -> B[i] } = { [A[i] -> B[i]] }"),
    ("2.74", "unwrap { S[A[i] -> B[j]]; C[] } = { A[i] -> B[j] }"),
    ("2.77", "{ A[i] } cross { B[j] : j > 0 } = { [A[i] -> B[j]] : j > 0 }"),
    ("2.79", "{ A[i] -> B[i] } cross { C[] -> D[2] } = { [A[i] -> C[]] -> [B[i] -> D[2]] }"),
    ("2.82", "zip { [A[i] -> B[j]] -> [C[k] -> D[l]] } = { [A[i] -> C[k]] -> [B[j] -> D[l]] }"),
    ("2.88", "factor_domain ({ A[i] -> B[i] } cross { C[] -> D[2] }) = { A[i] -> B[i] }"),
    ("2.90", "factor_range ({ A[i] -> B[i] } cross { C[] -> D[2] }) = { C[] -> D[2] }"),
    ("2.92", "domain_factor_domain { [A[i] -> B[j]] -> C[k] : i < k } = { A[i] -> C[k] : i < k }"),
    ("2.94", "domain_factor_range { [A[i] -> B[j]] -> C[k] : j < k } = { B[i] -> C[k] : i < k }"),
    ("2.86", "{ A[i] -> B[i] } cross_range { A[i] -> C[2i] } = { A[i] -> [B[i] -> C[2i]] }"),
    ("2.96", "range_factor_domain { A[i] -> [B[j] -> C[k]] : i < j } = { A[i] -> B[j] : i < j }"),
    ("2.98", "range_factor_range { A[i] -> [B[j] -> C[k]] : i < k } = { A[i] -> C[j] : i < j }"),
    ("2.100", "domain_map { A[i] -> B[j] : i < j } = { [A[i] -> B[j]] -> A[i] : i < j }"),
    ("2.102", "range_map { A[i] -> B[j] : i < j } = { [A[i] -> B[j]] -> B[j] : i < j }"),
    ("2.104", "deltas { A[i, j] -> A[j, i]; A[i, j] -> B[i] } = { A[i, j] : i + j = 0 }"),
    ("2.106", "deltas_map { A[i] -> A[2i] } = { [A[i] -> A[2i]] -> A[i] }"),
    ("3.1-3.16", "{ A[i] : exists (e : i = 2e) } = { A[i] : i mod 2 = 0 }; { A[i] : not (i > 0 and i < 5) } = { A[i] : i <= 0 or i >= 5 };
        { A[i] : floor(i/3) = 1 } = { A[3]; A[4]; A[5] }"),
    ("3.17-3.24", "[n, m] -> { A[i] : i < n + m } = [m, n] -> { A[i] : i < n + m }; ([n] -> { A[i] : i < n } = [m] -> { A[i] : i < m }) = False;
        params [n] -> { A[i] : 0 <= i < n } = [n] -> { : n > 0 }"),
    ("3.26-3.43", "[n] -> { A[i] : 0 <= i < n } <= { A[i] : i >= 0 }; [n] -> { A[0] : n > 0 } < { A[0] }; [n] -> { A[0] : n > 0 and n < 1 } = { }"),
    ("3.46-3.47", "{ A[i] : false } = { }; { A[i] : i > 0 implies i > 2 } = { A[i] : i <= 0 or i > 2 }"),
    ("3.49", "{ A[i, i + 1] } = { A[i, j] : j = i + 1 }; { A[i] -> B[2i] } = { A[i] -> B[j] : j = 2i }"),
    ("3.51-3.57", "{ A[i] : 0 < i } = { A[i] : i >= 1 }; { A[i] : i != 0 } = { A[i] : i < 0 or i > 0 }; { A[i, j] : 0 <= i, j < 4 } = { A[i, j] : 0 <= i < 4 and 0 <= j < 4 }"),
    ("3.59-3.62", "{ A[i] : -i > 0 } = { A[i] : i < 0 }; { A[i] : 2i = 4 } = { A[2] }; { A[i] : i mod 3 = 1 } = { A[i] : i % 3 = 1 } ; { A[i] -> B[i mod 3] } = { A[i] -> B[j] : 0 <= j < 3 and (i - j) mod 3 = 0 }"),
    ("3.63-3.69", "{ [i, j] : i, j << 1, 2 } = { [i, j] : i < 1 or (i = 1 and j < 2) }; { [i] : i <<= 2 } = { [i] : i <= 2 };
        { [i, j] : i, j >> 0, 0 } + { [0, 0] } = { [i, j] : i, j >>= 0, 0 }"),
    ("3.70", "{ A[i] : 0 <= i < 2 } << { A[i] : 0 <= i < 2; B[] } = { A[0] -> A[1] }"),
    ("3.71", "{ A[i] : 0 <= i < 2 } <<= { A[i] : 0 <= i < 2 } = { A[0] -> A[0]; A[0] -> A[1]; A[1] -> A[1] }"),
    ("3.72-3.73", "{ A[1] } >> { A[i] : 0 <= i < 2 } = { A[1] -> A[0] }; { A[1] } >>= { A[i] : 0 <= i < 2 } = { A[1] -> A[0]; A[1] -> A[1] }"),
    ("3.75-3.78", "S := { A[i] -> [i, 0]; B[i] -> [i, 1] }; S << S = { A[i] -> A[j] : i < j; A[i] -> B[j] : i <= j; B[i] -> A[j] : i < j; B[i] -> B[j] : i < j };
        S >> S = (S << S)^-1; S >>= S = (S <<= S)^-1; (S << S) + { A[i] -> A[i]; B[i] -> B[i] } = S <<= S"),
    ("3.83", "lexmax { A[i, j] : 0 <= i < 4 and 0 <= j < i; B[2]; B[1] } = { A[3, 2]; B[2] }"),
    ("3.87", "lexmin [n] -> { A[i] : n <= 2i and 3i <= 10 } = [n] -> { A[i] : n <= 2i <= n + 1 and 3i <= 10 }"),
    ("3.89", "lexmax { A[i] -> B[j] : 0 <= j < i } = { A[i] -> B[i - 1] : i > 0 }"),
    ("3.91", "lexmin { A[i] -> B[j] : 0 <= j < i } = { A[i] -> B[0] : i > 0 }"),
    ("3.93", "lift_divs { A[i] : exists (e : 3e <= i <= 3e + 1) } = { A[i] : i mod 3 <= 1 }"),
    ("3.95", "coalesce { A[i] : 0 <= i < 5 or 5 <= i < 9 } = { A[i] : 0 <= i < 9 }"),
    ("3.97", "S := sample { A[i] : 3 < i < 100 }; S <= { A[i] : 3 < i < 100 }; card S = 1; sample { A[i] : i < i } = { }"),
    ("3.100", "scan { A[i] : 0 <= i < 3 } = { A[0]; A[1]; A[2] }; scan [n] -> { [n] : 0 <= n < 2 } = [n] -> { [n] : 0 <= n < 2 }"),
    ("5.6", "S := tree { A[i] -> [0, i] : 0 <= i < 4; B[i] -> [1, i] : 0 <= i < 4 }; map(S) << map(S) >= { A[i] -> B[j] : 0 <= i, j < 4 }; dom S = { A[i] : 0 <= i < 4; B[i] : 0 <= i < 4 }"),
    ("5.9", "S := schedule { A[i] : 0 <= i < 4; B[i] : 0 <= i < 4 } respecting { A[i] -> B[i] }; { A[i] -> B[i] : 0 <= i < 4 } <= S << S"),
    ("6.1-6.15", "W := { S[i] -> A[i] : 0 <= i < 4 }; R := { T[i] -> A[i] : 0 <= i < 4 }; O := { S[i] -> [0, i]; T[i] -> [1, i] };
        (W . R^-1) * (O << O) = { S[i] -> T[i] : 0 <= i < 4 }"),
    ("6.3-6.6", "W := { S[i] -> A[] : 0 <= i < 4 }; R := { T[] -> A[] }; O := { S[i] -> [0, i]; T[] -> [1, 0] }; (last W before R under O)[0] = { S[3] -> T[] };
        (last W before R under O)[1] = { }; (any W before R under O) = { S[i] -> T[] : 0 <= i < 4 };
        (last { S[2] -> A[] } any W before R under O) = { S[2] -> T[]; S[3] -> T[] }"),
    ("gist", "{ A[i] : 0 <= i < 9 } % { A[i] : i >= 0 } * { A[i] : i >= 0 } = { A[i] : 0 <= i < 9 }"),
    ("hulls", "aff { A[i, i + 1] : i > 0; A[0, 1] } = { A[i, i + 1] }; poly { A[0]; A[9] } = { A[i] : 0 <= i <= 9 }"),
    ("boundedness", "is_bounded { A[i] : 0 <= i < 9 }; is_bounded { A[i] : 0 <= i } = False"),
    ("sums", "sum { [i] -> i^2 : 0 <= i < 4 } = 14"),
    ("vertices", "{ } + (vertices { [i] : 3 <= i <= 9 })[0] + (vertices { [i] : 3 <= i <= 9 })[1] = { [3]; [9] }"),
    ("bounds", "B := ub { [i] -> i * i : -3 <= i <= 2 }; B[1]; B[0] @ { : } = 9; (lb { [i] -> 3 - i : 0 <= i <= 2 }) @ { : } = 1; dom (ub { [A[i] -> [j]] -> j : 0 <= j <= i }) = { A[i] : i >= 0 };
        ub (card { A[i] -> [j] : 0 <= j <= i < 5 }) @ { : } = 5; typeof (B[0]) = \"piecewise quasipolynomial fold\""),
];

#[test]
fn each_row_holds() {
    for (row, program) in ROWS {
        let mut printed = Vec::new();
        let outcome = Calculator::new("").run(program, &mut |shown| printed.push(shown.value.to_string()));
        outcome.unwrap_or_else(|e| panic!("{row}: {e}"));
        assert!(!printed.is_empty(), "{row} prints nothing");
        printed.iter().enumerate().for_each(|(i, value)| assert_eq!(value, "True", "value {i} of {row}: {program}"));
    }
}

fn same(found: &impl ToString, expected: &str) {
    let (found, expected) = (UnionMap::parse(&found.to_string()), UnionMap::parse(expected));
    let (found, expected) = (found.expect("a relation"), expected.expect("a relation"));
    assert!(found.is_equal(&expected), "{found} and {expected}");
}

#[test]
fn products_that_have_no_word() {
    let map = |text: &str| UnionMap::parse(text).expect("a relation");
    same(&map("{ A[i] -> C[i] }").domain_product(&map("{ B[i] -> C[2i] }")), "{ [A[2i] -> B[i]] -> C[2i] }");
    same(&map("{ A[i] -> C[i] }").flat_range_product(&map("{ A[i] -> D[2i] }")), "{ A[i] -> [i, 2i] }");
    same(&map("{ A[i] -> B[i] : i > 0 }").curry(), "{ }");
    same(&UnionSet::parse("{ A[i] : i > 0 }").expect("a set").identity(), "{ A[i] -> A[i] : i > 0 }");
}

#[test]
fn expressions_and_their_tuples() {
    let multi = |text: &str| MultiAff::parse(text).expect("a tuple of expressions");
    let pw = |text: &str| PwAff::parse(text).expect("an expression in pieces");
    let functions = |text: &str| UnionPwMultiAff::parse(text).expect("functions");
    let sum = pw("{ [i] -> [i] : i > 0 }").add(&pw("{ [i] -> [2] : i < 9 }"));
    same(&sum.as_map(), "{ [i] -> [i + 2] : 0 < i < 9 }");
    let union = pw("{ [i] -> [i] : i > 0 }").union_add(&pw("{ [i] -> [2] : i < 9 }"));
    same(&union.as_map(), "{ [i] -> [i + 2] : 0 < i < 9; [i] -> [i] : i >= 9; [i] -> [2] : i <= 0 }");
    same(&multi("{ A[i] -> B[i] }").product(&multi("{ C[] -> D[3] }")).as_map(), "{ [A[i] -> C[]] -> [B[i] -> D[3]] }");
    same(&multi("{ A[i] -> B[i] }").range_product(&multi("{ A[i] -> D[3] }")).as_map(), "{ A[i] -> [B[i] -> D[3]] }");
    same(&multi("{ A[i] -> B[i] }").flat_range_product(&multi("{ A[i] -> D[3] }")).as_map(), "{ A[i] -> [i, 3] }");
    same(&multi("{ A[i] -> B[2i] }").pullback(&multi("{ C[j] -> A[j + 1] }")).as_map(), "{ C[j] -> B[2j + 2] }");
    let pieces = PwMultiAff::parse("{ A[i] -> B[i] : i > 0; A[i] -> B[-i] : i <= 0 }").expect("pieces");
    same(
        &pieces.pullback(&multi("{ C[j] -> A[j + 1] }")).as_map(),
        "{ C[j] -> B[j + 1] : j >= 0; C[j] -> B[-j - 1] : j < 0 }",
    );
    same(&MultiPwAff::from_pw_multi_aff(&pieces).as_map(), &pieces.as_map().to_string());
    same(
        &functions("{ A[i] -> B[i] : i > 0; C[] -> D[] }").union_add(&functions("{ E[] -> F[1] }")).as_union_map(),
        "{ A[i] -> B[i] : i > 0; C[] -> D[]; E[] -> F[1] }",
    );
    let union = |text: &str| UnionPwAff::parse(text).expect("functions");
    let sum = union("{ A[i] -> [i]; B[] -> [2] }").add(&union("{ A[i] -> [1] }"));
    assert!(sum.is_equal(&union("{ A[i] -> [i + 1] }")), "{sum}");
    same(
        &MultiUnionPwAff::parse("S[{ A[i] -> [i]; B[] -> [2] }]").expect("a tuple").as_union_map(),
        "{ A[i] -> S[i]; B[] -> S[2] }",
    );
    let projections = UnionMap::parse("{ A[i] -> B[j] }").expect("a relation").domain_map_union_pw_multi_aff();
    same(&projections.as_union_map(), "{ [A[i] -> B[j]] -> A[i] }");
}

#[test]
fn spaces_are_taken_apart() {
    let union = UnionSet::parse("{ A[i] : i > 0; B[]; A[0] }").expect("a set");
    assert_eq!(union.sets().count(), 2);
    let map = UnionMap::parse("{ A[i] -> B[i]; B[] -> A[1] }").expect("a relation");
    assert_eq!(map.maps().map(|m| m.to_string()).collect::<Vec<_>>(), ["{ A[i] -> B[i] }", "{ B[] -> A[1] }"]);
}

#[test]
fn what_a_compiler_needs_besides() {
    let set = |text: &str| Set::parse(text).expect("a set");
    let whole = set("[n] -> { A[i, j] : 0 <= i < n and n <= 20 and i <= j <= i + 3 and i mod 4 = 1 }");
    assert_eq!(
        (whole.dim_min_val(DimKind::Out, 0), whole.dim_max_val(DimKind::Out, 1)),
        (Ok(Some(1.into())), Ok(Some(20.into())))
    );
    assert_eq!(whole.stride(DimKind::Out, 0), (4.into(), 1.into()));
    let shadow = "[n] -> { [j] : exists (i : 0 <= i < n and n <= 20 and i <= j <= i + 3 and i mod 4 = 1) }";
    assert!(whole.project_out(DimKind::Out, 0, 1).is_equal(&set(shadow)));
    let free = "[n] -> { A[i, j] : 0 <= i < n and n <= 20 and i mod 4 = 1 }";
    assert!(whole.eliminate(DimKind::Out, 1, 1).is_equal(&set(free)));
    let function = MultiAff::parse("{ B[k] -> A[k, 2k] }").expect("a function");
    assert!(set("{ A[i, j] : j < 9 }").preimage(&function).is_equal(&set("{ B[k] : 2k < 9 }")));
    let fixed = set("{ A[i, j] : 0 <= i < 9 }").fix(DimKind::Out, 0, &3.into());
    assert!(fixed.is_equal(&set("{ A[3, j] }")) && fixed.plain_is_equal(&fixed) && !fixed.plain_is_empty());
    let known = set("[n] -> { A[i] : 0 <= i < n }").gist_params(&set("[n] -> { : n > 5 }"));
    assert!(
        known.intersect_params(&set("[n] -> { : n > 5 }")).is_equal(&set("[n] -> { A[i] : 0 <= i < n and n > 5 }"))
    );
}
