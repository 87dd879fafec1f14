//! The worked examples of Verdoolaege's tutorial "Presburger Formulas and Polyhedral Compilation", with its answers, by number of example.
//!
//! Where the tutorial reads a C file, what it extracts from it is written out. Answers are compared as sets; those about expressions
//! (chapter 4), whose pieces and tuples are the point, as text.
//!
//! Tests: 002 4.1, 4.2, 4.3.1, 4.3.2, 4.3.3, 4.3.4, 4.4

use super::Calculator;
use crate::presburger::{MultiAff, MultiPwAff, MultiUnionPwAff, PwMultiAff, UnionMap, UnionPwMultiAff, UnionSet};
use crate::scop::tree::Tree;
use expect_test::expect;

/// Each of the statements must print `True`.
fn holds(program: &str) {
    let mut printed = Vec::new();
    let outcome = Calculator::new("").run(program, &mut |shown| printed.push(shown.value.to_string()));
    outcome.unwrap_or_else(|e| panic!("{e}"));
    assert!(!printed.is_empty(), "nothing is printed by {program}");
    printed.iter().enumerate().for_each(|(i, value)| assert_eq!(value, "True", "value {i} of {program}"));
}

const R: &str = "R := { A[2,8,1] -> B[5]; A[2,8,1] -> B[6]; B[5] -> B[5] };";

#[test]
fn chapter_2_relations() {
    let with_r = |text: &str| holds(&format!("{R} {text}"));
    with_r("dom R = { B[5]; A[2, 8, 1] }; ran R = { B[6]; B[5] };");
    holds(
        "S := { A[2,8,1]; B[5] }; T := { A[2,8,1]; B[6] };
           (S -> T) = { B[5] -> A[2, 8, 1]; A[2, 8, 1] -> B[6]; A[2, 8, 1] -> A[2, 8, 1]; B[5] -> B[6] };
           identity { B[6]; A[2,8,1]; B[5] } = { A[2, 8, 1] -> A[2, 8, 1]; B[6] -> B[6]; B[5] -> B[5] };",
    );
    with_r(
        "R * { A[2,8,1]; C[5] } = { A[2, 8, 1] -> B[6]; A[2, 8, 1] -> B[5] };
            R ->* { A[2,8,1]; B[5] } = { A[2, 8, 1] -> B[5]; B[5] -> B[5] }; R - { A[2,8,1]; C[5] } = { B[5] -> B[5] };
            R ->- { A[2,8,1]; B[5] } = { A[2, 8, 1] -> B[6] }; R({ A[2,8,1]; B[5] }) = { B[6]; B[5] };",
    );
    holds("P := { B[6] -> A[2,8,1]; B[6] -> B[5] }; Q := { A[2,8,1] -> B[5]; B[5] -> B[5] };
           is_single_valued P = False; is_single_valued Q; is_injective P; is_injective Q = False; is_bijective P = False;");
}

#[test]
fn chapter_2_wrapped_relations() {
    let with_r = |text: &str| holds(&format!("{R} {text}"));
    with_r("wrap R = { [A[2, 8, 1] -> B[6]]; [A[2, 8, 1] -> B[5]]; [B[5] -> B[5]] };
            domain_map R = { [A[2, 8, 1] -> B[6]] -> A[2, 8, 1]; [A[2, 8, 1] -> B[5]] -> A[2, 8, 1]; [B[5] -> B[5]] -> B[5] };
            range_map R = { [A[2, 8, 1] -> B[6]] -> B[6]; [A[2, 8, 1] -> B[5]] -> B[5]; [B[5] -> B[5]] -> B[5] };");
    holds(
        "S := { B[5]; S[B[6] -> A[2, 8, 1]]; Q[B[5] -> S[B[6] -> A[2, 8, 1]]] };
           unwrap S = { B[6] -> A[2, 8, 1]; B[5] -> S[B[6] -> A[2, 8, 1]] };
           wrap (unwrap S) = { [B[6] -> A[2, 8, 1]]; [B[5] -> S[B[6] -> A[2, 8, 1]]] };",
    );
    holds(
        "S := { A[2,8,1]; B[5] }; T := { A[2,8,1]; B[6] };
           S cross T = { [A[2, 8, 1] -> A[2, 8, 1]]; [A[2, 8, 1] -> B[6]]; [B[5] -> A[2, 8, 1]]; [B[5] -> B[6]] };
           A := { A[2,8,1] -> B[5]; B[5] -> B[5] }; B := { A[2,8,1] -> B[6] };
           P := { [A[2, 8, 1] -> A[2, 8, 1]] -> [B[5] -> B[6]]; [B[5] -> A[2, 8, 1]] -> [B[5] -> B[6]] }; A cross B = P;
           W := { [B[5] -> B[5]] -> [A[2, 8, 1] -> B[6]]; [A[2, 8, 1] -> B[5]] -> [A[2, 8, 1] -> B[6]] };
           ((wrap A) -> (wrap B)) = W; zip P = W; zip (zip P) = P;
           D := { A[2,8,1] -> B[5]; B[5] -> B[6]; B[5] -> B[5] }; deltas D = { B[1]; B[0] };
           deltas_map D = { [B[5] -> B[6]] -> B[1]; [B[5] -> B[5]] -> B[0] };",
    );
    let relation = |text: &str| UnionMap::parse(text).expect("a relation");
    let (a, b) = (relation("{ A[2,8,1] -> B[5]; B[5] -> B[5] }"), relation("{ A[2,8,1] -> B[6] }"));
    let product = a.product(&b);
    let range = a.range_product(&b);
    let equal =
        |found: UnionMap, expected: &str| assert!(found.is_equal(&relation(expected)), "{found} and {expected}");
    equal(a.domain_product(&b), "{ }");
    equal(range.clone(), "{ A[2, 8, 1] -> [B[5] -> B[6]] }");
    equal(product.factor_domain(), "{ A[2, 8, 1] -> B[5]; B[5] -> B[5] }");
    equal(product.factor_range(), "{ A[2, 8, 1] -> B[6] }");
    equal(product.domain_factor_domain(), "{ B[5] -> [B[5] -> B[6]]; A[2, 8, 1] -> [B[5] -> B[6]] }");
    equal(product.domain_factor_range(), "{ A[2, 8, 1] -> [B[5] -> B[6]] }");
    equal(range.range_factor_domain(), "{ A[2, 8, 1] -> B[5] }");
    equal(range.range_factor_range(), "{ A[2, 8, 1] -> B[6] }");
}

#[test]
fn chapter_3_presburger_sets() {
    holds(
        "A := [n] -> { A[i] : i >= 0 }; B := [n] -> { A[i] : i >= 0 and n >= 0 }; (A = B) = False; B <= A; B < A;
           ([n] -> { A[i] : 0 <= i < n } = [m] -> { A[i] : 0 <= i < m }) = False;
           { A[n, i] : 0 <= i < n } = { A[m, i] : 0 <= i < m }; (B = { }) = False; { A[i] : true } = { A[i] };
           { S[i] -> S[i + 1] } = { S[i] -> S[j] : j = i + 1 }; { S[i,j] : i,j >= 0 } = { S[i,j] : i >= 0 and j >= 0 };
           { S[i] : 0 <= i <= 10 } = { S[i] : 0 <= i and i <= 10 };
           { S[i1,i2] -> S[j1,j2] : i1,i2 << j1,j2 } = { S[i1,i2] -> S[j1,j2] : i1 < j1 or (i1 = j1 and i2 < j2) };",
    );
    holds(
        "A := { A[i,j] : 0 <= i,j < 10; B[]; C[i] : 0 <= i < 100 }; B := { A[i,j] : 0 <= i,j < 20; B[] };
           L := { A[i, j] -> A[i', j'] : 0 <= i <= 9 and 0 <= j <= 9 and i' > i and 0 <= i' <= 19 and 0 <= j' <= 19;
                  A[i, j] -> A[i, j'] : 0 <= i <= 9 and 0 <= j <= 9 and j' > j and 0 <= j' <= 19 };
           E := { A[i, j] -> A[i, j] : 0 <= i, j < 10; B[] -> B[] }; A << B = L; A <<= B = L + E;
           (A >> B) + (A >>= B) + L = (A -> B) * ({ A[i, j] } -> { A[i, j] }) + E;
           { A[i,j] -> [i,0,j] } << { B[i,j] -> [j,1,i] } = { A[i, j] -> B[i', j'] : j' > i; A[i, j] -> B[i', i] };",
    );
    holds("lexmax { B[6]; A[2,8,1]; B[5] } = { B[6]; A[2, 8, 1] }; lexmin { B[6]; A[2,8,1]; B[5] } = { B[5]; A[2, 8, 1] };
           lexmax [n] -> { A[i,j] : i,j >= 0 and i + j <= n } = [n] -> { A[n, 0] : n >= 0 };
           R := { A[2,8,1] -> B[5]; A[2,8,1] -> B[6]; B[5] -> B[5] }; lexmax R = { A[2, 8, 1] -> B[6]; B[5] -> B[5] };
           lexmin R = { A[2, 8, 1] -> B[5]; B[5] -> B[5] };
           sample [n] -> { A[x,y] : 0 < x < y < n } = [n] -> { A[1, 2] : n = 3 };
           scan { A[x] : exists a : x < 3a < 2x < 20 } = { A[9]; A[8]; A[7]; A[6]; A[5]; A[4]; A[2] };");
    let coalesced = UnionSet::parse("{ B[i] : 5 <= i <= 6 or 7 <= i <= 10 }").expect("a set").coalesce();
    expect![["{ B[i] : 5 <= i <= 10 }"]].assert_eq(&coalesced.to_string());
}

#[test]
fn chapter_4_expressions() {
    let functions = |text: &str| UnionPwMultiAff::parse(text).expect("functions");
    let tuple = |text: &str| MultiUnionPwAff::parse(text).expect("a tuple of functions");
    let piecewise = PwMultiAff::parse("{ [i] -> [i, i - 1] : i - 1 >= 0 }").expect("a function");
    expect!["{ [i] -> [((i) : i > 0), ((i - 1) : i > 0)] }"]
        .assert_eq(&MultiPwAff::from_pw_multi_aff(&piecewise).to_string());
    let (a, b) = (functions("{ A[i] -> B[i] : i > 0 }"), functions("{ A[i] -> B[3] : i >= 0; A[i] -> C[2] : i < 0 }"));
    expect!["{ A[i] -> B[(i + 3)] : i > 0 }"].assert_eq(&a.add(&b).to_string());
    expect!["{ A[i] -> B[(i + 3)] : i > 0; A[i] -> B[(3)] : i = 0; A[i] -> C[(2)] : i < 0 }"]
        .assert_eq(&a.union_add(&b).to_string());
    let (a, b) = (MultiAff::parse("{ A[i,j] -> R[i + j] }"), MultiAff::parse("{ B[x] -> R[2x] }"));
    expect!["{ [A[i, j] -> B[x]] -> [R[(i + j)] -> R[(2x)]] }"]
        .assert_eq(&a.expect("a function").product(&b.expect("a function")).to_string());
    let a = tuple("R[{ A[i,j] -> [i + j]; B[x] -> [2x] }]");
    let b = tuple("S[{ A[i,j] -> [2]; B[x] -> [0]; C[] -> [1] }]");
    expect!["[R[{ A[i, j] -> [(i + j)]; B[x] -> [(2x)] }] -> S[{ A[i, j] -> [(2)]; B[x] -> [(0)]; C[] -> [(1)] }]]"]
        .assert_eq(&a.range_product(&b).to_string());
    expect!["[{ A[i, j] -> [(i + j)]; B[x] -> [(2x)] }, { A[i, j] -> [(2)]; B[x] -> [(0)]; C[] -> [(1)] }]"]
        .assert_eq(&a.flat_range_product(&b).to_string());
    expect!["R[{ C[x] -> [(2x)] }]"]
        .assert_eq(&a.pullback(&functions("{ C[x] -> A[x,x]; D[x] -> E[2x] }")).to_string());
    let graph = |text: &str| tuple(text).as_union_map().to_string();
    expect!["[n] -> { S1[] -> A[n, 0]; S2[i, j] -> A[i, j] }"]
        .assert_eq(&graph("[n] -> A[{ S1[] -> [n]; S2[i,j] -> [i] }, { S1[] -> [0]; S2[i,j] -> [j] }]"));
    expect!["{ S[i] -> A[i, i - 1] : i > 0 }"]
        .assert_eq(&graph("A[{ S[i] -> [i] : i >= 0; S[i] -> [-i] : i < 0 }, { S[i] -> [i - 1] : i >= 1 }]"));
}

/// Of Listing 6.1: `for i < n { S: t = f(A[i]); T: B[i] = g(t); }`.
const FALSE: &str = "Write := [n] -> { S[i] -> t[] : 0 <= i < n; T[i] -> B[i] : 0 <= i < n };
    Read := [n] -> { S[i] -> A[i] : 0 <= i < n; T[i] -> t[] : 0 <= i < n };
    Schedule := [n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n };
    Order := Schedule << Schedule; Dataflow := [n] -> { S[i] -> T[i] : 0 <= i < n };";

#[test]
fn chapter_5_placement() {
    holds(
        "D := { S[i,j,k] -> S[i,j+1,k'] }; O := { S[i,j,k] -> S[i,j',k'] : j' > j }; P := { S[i,j,k] -> [i] };
           E := P . P^-1; D <= O; (O . O <= O) * (O * O^-1 = {}); O <= E; E = { S[i, j, k] -> S[i, j', k'] };
           F := { S[i,j,k] -> [k] }; G := F . F^-1; Prefix := { S[i,j,k] -> [j] }; L := Prefix . (Prefix^-1);
           (O <= G) = False; (L * O) <= (L * G); L * O = { }; L * G = { S[i, j, k] -> S[i', j, k] };",
    );
}

#[test]
fn chapter_5_schedules() {
    holds(
        "S := { domain: \"[n] -> { T[i] : 0 <= i < n; S[] }\", child: { sequence: [ { filter: \"[n] -> { S[] }\" }, { filter: \"[n] -> { T[i] }\",
               child: { schedule: \"[n] -> L[{ T[i] -> [(i)] }]\" } } ] } };
           map(S) = [n] -> { T[i] -> [1, i]; S[] -> [0, 0] }; dom S = [n] -> { T[i] : 0 <= i < n; S[] };",
    );
    holds(
        "P := { domain: \"[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }\", child: { schedule: \"[n] -> [{ S[i] -> [(i)]; T[i] -> [(i)] }]\", child: {
               sequence: [ { filter: \"{ S[i] }\" }, { filter: \"{ T[i] }\" } ] } } };
           map(P) << map(P) = { S[i] -> T[i’] : i’ > i; S[i] -> T[i]; T[i] -> S[i’] : i’ > i; S[i] -> S[i’] : i’ > i; T[i] -> T[i’] : i’ > i };",
    );
    let tagged = "[n] -> { [T[i, j] -> r2[]] -> A[i, j] : 0 <= i < n and i < j < n; [T[i, j] -> r3[]] -> A[i, j - 1] : 0 <= i < n and i < j < n }";
    holds(&format!(
        "domain_factor_domain ({tagged}) = [n] -> {{ T[i, j] -> A[i, j] : 0 <= i < n and i < j < n; T[i, j] -> A[i, j - 1] : 0 <= i < n and i < j < n }};"
    ));
}

#[test]
fn chapter_6_dependences() {
    let with = |text: &str| holds(&format!("{FALSE} {text}"));
    with(
        "(Write . Read^-1) * Order = [n] -> { S[i] -> T[i'] : 0 <= i <= i' < n };
          (Read . Write^-1) * Order = [n] -> { T[i] -> S[i'] : 0 <= i < i' < n };
          (Write . Write^-1) * Order = [n] -> { S[i] -> S[i'] : 0 <= i < i' < n };",
    );
    with(
        "Write1 := range_map Write; Read1 := range_map Read; Schedule1 := (domain_map (Read + Write)) . Schedule;
          Order1 := Schedule1 << Schedule1; RAW := (Write1 . Read1^-1) * Order1; WAW := (Write1 . Write1^-1) * Order1;
          Flow := RAW - (WAW . RAW); unwrap (domain (zip Flow)) = Dataflow;
          RAW = zip ((zip (Write1 . Read1^-1)) * wrap(Order)); WAW = zip ((zip (Write1 . Write1^-1)) * wrap(Order));",
    );
    with(
        "A := (Read . Write^-1) * (Order^-1); ((lexmax (A . Schedule)) . Schedule^-1)^-1 = Dataflow;
          F := last Write before Read under Schedule; F[0] = Dataflow; F[1] = [n] -> { S[i] -> A[i] : 0 <= i < n };
          (any Write before Read under Schedule) = [n] -> { S[i] -> T[i'] : 0 <= i <= i' < n };
          (any Read before Write under Schedule) = [n] -> { T[i] -> S[i'] : 0 <= i < i' < n };
          (any Write before Write under Schedule) = [n] -> { S[i] -> S[i'] : 0 <= i < i' < n };",
    );
}

#[test]
fn chapter_6_tagged_dataflow() {
    let relation = |text: &str| UnionMap::parse(text).expect("a relation");
    let reads = relation("[n] -> { [T[i] -> r4[]] -> t[] : 0 <= i < n; [S[i] -> r2[]] -> A[i] : 0 <= i < n }");
    let writes = relation("[n] -> { [S[i] -> r1[]] -> t[] : 0 <= i < n; [T[i] -> r3[]] -> B[i] : 0 <= i < n }");
    let schedule = relation("[n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n }");
    let drop_tags = UnionSet::unwrap(&writes.union(&reads).domain()).domain_map_union_pw_multi_aff();
    let tree = Tree::from_map(&schedule).expect("a schedule").pullback(&drop_tags);
    let schedule = super::dataflow::Schedule::Tree(tree);
    let flow = super::dataflow::dataflow(&schedule, &reads, &writes, &writes).expect("an order");
    let expected = relation("[n] -> { [S[i] -> r1[]] -> [T[i] -> r4[]] : 0 <= i < n }");
    assert!(flow.may_dependence.is_equal(&expected), "{}", flow.may_dependence);
    assert!(flow.may_no_source.is_equal(&relation("[n] -> { [S[i] -> r2[]] -> A[i] : 0 <= i < n }")));
}
