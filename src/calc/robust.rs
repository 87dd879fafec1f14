//! Whatever the text, the calculator answers or says what is wrong and where: it does not fail.
//!
//! Texts that mean something are damaged: `{ [i] : 0 <= i < 9 }` loses a bracket, gets a `floor(` twice, a number beyond any word, or the end of
//! another text. What then happens must be a value or an error with a place in the text.

use super::Calculator;
use super::operations::answer;
use crate::presburger::within;
use crate::property::{damaged, property};

/// Work units of one text: most take a hundredth of it, and one that takes more decides nothing.
const STEPS: u64 = 5_000_000;

const PROGRAMS: [&str; 14] = [
    "A := [n] -> { S[i, j] : 0 <= i < n and (i + 2j) mod 3 = 1 }; card A; lexmin A; A - { S[i, i] }; scan ([n] -> { [i] : 0 <= i < 3 });",
    "R := { A[i] -> B[floor(i/2), i + 1] : 0 <= i <= 9 or i = 12 }; R^-1; R^2; (R . R^-1)^+; dom R; R({ A[3] }); deltas { A[i] -> A[i + 2] };",
    "Q := { [i] -> i^2 + 1/2 * i : 0 <= i <= 5 }; sum Q; Q @ { [2] }; Q({ [i] : i < 3 }); ({ A[] -> [i] : 0 <= i < 2 } . Q);",
    "F := last { S[i] -> A[i] } any { S[i] -> A[i + 1] } before { T[i] -> A[i] } under { S[i] -> [0, i] : 0 <= i < 9; T[i] -> [1, i] }; F[0]",
    "S := schedule { S[i] : 0 <= i < 4 } respecting { S[i] -> S[i + 1] } minimizing { S[i] -> S[i] }; codegen S; map(S); typeof S;",
    "codegen [n] -> { A[i] -> [i, 0] : 0 <= i < n; B[i] -> [i, 1] : 0 <= i < n } using { [i, j] -> separate[0] };",
    "unwrap (wrap { A[i] -> [B[j] -> C[k]] : exists (e : i = 2e and j <= e) }); zip { [A[] -> B[]] -> [C[] -> D[]] };",
    "vertices [n] -> { [i, j] : 0 <= i <= j <= n }; pow { [i] -> [i + 1] }; \"a\" + 3 + True; (1, 2)[1]; ({ } = { });",
    "{ [i, j] : i >= 0 } << { [i, j] : j < 0 }; { A[i] -> [i] } <<= { B[j] -> [2j] }; sample [n] -> { [i] : n < 3i < n + 2 };",
    "tree { S[i] -> [i, 0] : 0 <= i < 4; T[i] -> [i, 1] : 0 <= i < 4 }; assert 1 = 1; print (2 - 3) * 4;",
    "{ [i] : not (i >= 0 implies i mod 2 = 1) }; { [a, b] : a, b << b, a }; { [i] : min(i, 3) = abs(i - 1) };",
    "coalesce { [i] : 0 <= i < 5 or 5 <= i < 9 }; poly { [i] : i = 0 or i = 9 }; aff { [i, i] }; { [i] } % { [i] : i > 0 };",
    "{ [i] : 99999999999999999999 i >= 18446744073709551617 }; lexmax { [i] : -9223372036854775808 <= 3i <= 9223372036854775807 }",
    "lift_divs { [i] : exists (a, b : i = 3a + 5b and a >= 0 and b >= 0) }; (any { S[] -> A[] } before { S[] -> A[] } under { S[] -> [0] })",
];

const LINES: [&str; 16] = [
    "subtract\t{ [i] : 0 <= i < 9 }\t{ [4] }",
    "card\t[n] -> { [i, j] : 0 <= i < j < n and (i + j) mod 2 = 0 }",
    "transitive_closure\t{ [i] -> [i + 1] : 0 <= i < 9; [i] -> [2i] : i > 3 }",
    "map_project_out\t3,0,1\t[n] -> { A[i] -> B[i, j] : 2j <= i + n }",
    "lexmin\t[n] -> { A[i] -> B[j, k] : 3j + 2k >= i + n and j, k >= 0 }",
    "gist\t{ A[i]; B[i, j] : i <= j < 7 }\t{ A[i] : i > 0; B[i, j] : j < 9 }",
    "lex_lt\t{ A[i] -> [i, 0] }\t{ B[i] -> [i, 1] : i mod 3 = 1 }",
    "compute_divs\t{ [i] : exists (e, f : 3e + 5f = i and e >= 0 and 2f >= e) }",
    "fixed_power\t{ [i, j] -> [j, i + 1] : 0 <= i, j <= 4 }\t-3",
    "convex_hull\t{ [i] : i mod 3 = 1 and 0 <= i <= 9; [i] : 20 <= i <= 22 }",
    "coalesce\t{ [i] : 0 <= i <= 3; [i] : i = 4; [i] : 5 <= i <= 9 and i != 7 }",
    "set_coefficients\t[n] -> { S[i] : 0 <= i <= n }",
    "union_pw_multi_aff_union_add\t{ A[i] -> B[i] : i > 0 }\t{ A[i] -> B[floor(i/3)]; C[] -> D[] }",
    "multi_union_pw_aff_pullback\tR[{ A[i,j] -> [i + j]; B[x] -> [2x] }]\t{ C[x] -> A[x,x]; D[x] -> E[2x] }",
    "partial_lexmax\t{ A[i] -> B[j] : 0 <= j <= i }\t{ A[i] : i > 3 }",
    "sample\t{ [i, j] : 7i + 11j = 13 and -20 <= i <= 20 and i > 2j }",
];

/// What is put into a text.
const SCRAPS: [&str; 44] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    ";",
    ",",
    "->",
    "<=",
    "<",
    "=",
    "!=",
    "<<",
    "and",
    "or",
    "not ",
    "exists (e : ",
    "implies",
    "mod 0",
    "mod 3",
    "/ 0",
    "floor(",
    "ceil(",
    "^",
    "^-1",
    "^+",
    "* *",
    "-",
    "0",
    "99999999999999999999999999",
    "n",
    "i",
    "A",
    "\"",
    "#",
    "\n",
    "\t",
    "?",
    "é",
    "max(i, ",
    "true",
    "1000000",
];

#[test]
fn every_program_has_an_outcome() {
    property(600, |u| {
        let program = damaged(u, &PROGRAMS, &SCRAPS)?;
        let outcome = within(STEPS, || Calculator::new("no such directory").run(&program, &mut |_| {}));
        if let Ok(Err(error)) = outcome {
            assert!(!error.message.contains("internal:"), "{program}\n{error}");
            let lines: Vec<&str> = program.split('\n').collect();
            let line = lines.get(error.line - 1).unwrap_or_else(|| panic!("line {} of {program}", error.line));
            assert!(error.column <= line.chars().count() + 1, "column {} of {line}", error.column);
        }
        Ok(())
    });
}

#[test]
fn every_line_has_an_answer() {
    property(600, |u| {
        let line = damaged(u, &LINES, &SCRAPS)?;
        let text = within(STEPS, || answer(&line, None));
        if let Ok(text) = text {
            assert!(!text.contains("internal:") && !text.contains('\n'), "{line}: {text}");
        }
        Ok(())
    });
}
