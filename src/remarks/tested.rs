//! What is tested before the loops, in few words: what is asked of several arrays is said once.
//!
//! ```text
//! the subscripts of 'C' stay within its rows, the subscripts of 'A' stay within its rows, 'C' and 'A' do not overlap, 'C' and 'B' do not overlap
//! the subscripts of 'C' and 'A' stay within their rows; 'C' does not overlap 'A' or 'B'
//! ```

use crate::extract::kept_within_rows;

/// Tests in sentences, and names that do not overlap, each as it is shown: `'A'`, `errno`.
pub fn said(tests: &[String], pairs: &[(String, String)]) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    let names: Vec<&str> = tests.iter().filter_map(|test| kept_within_rows(test)).collect();
    let mut is_said = false;
    for test in tests {
        match (kept_within_rows(test), names.as_slice()) {
            (None, _) | (Some(_), [_]) => said.push(test.clone()),
            (Some(_), names) if !is_said => {
                said.push(format!("the subscripts of {} stay within their rows", listed(names, "and")));
                is_said = true;
            }
            (Some(_), _) => {}
        }
    }
    said.extend(apart(pairs));
    said
}

/// That names do not overlap: of whichever is in most pairs all of these are said at once, then of the others.
fn apart(pairs: &[(String, String)]) -> Vec<String> {
    let mut said = Vec::new();
    let mut left: Vec<&(String, String)> = Vec::new();
    for pair in pairs {
        if !left.iter().any(|(a, b)| (a, b) == (&pair.0, &pair.1) || (b, a) == (&pair.0, &pair.1)) {
            left.push(pair);
        }
    }
    while let Some((first, second)) = left.first().copied() {
        let n_with = |name: &String| left.iter().filter(|(a, b)| a == name || b == name).count();
        let mut most = first;
        for name in left.iter().copied().flat_map(|(a, b)| [a, b]) {
            most = if n_with(name) > n_with(most) { name } else { most };
        }
        let (own, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|(a, b)| a == most || b == most);
        said.push(match own.as_slice() {
            [_] => format!("{first} and {second} do not overlap"),
            own => {
                let others = own.iter().map(|(a, b)| if a == most { b.as_str() } else { a.as_str() });
                let names: Vec<&str> = others.collect();
                format!("{most} does not overlap {}", listed(&names, "or"))
            }
        });
        left = others;
    }
    said
}

fn listed(names: &[&str], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_string(),
        [all @ .., last] => format!("{} {word} {last}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: &str, b: &str) -> (String, String) {
        (a.to_string(), b.to_string())
    }

    #[test]
    fn what_is_asked_of_several_arrays_is_said_once() {
        let within = |name: &str| format!("the subscripts of '{name}' stay within its rows");
        let tests = [within("C"), "n is even".to_string(), within("A"), within("B")];
        let pairs = [pair("'C'", "'A'"), pair("'C'", "'B'"), pair("'A'", "'C'"), pair("'D'", "errno")];
        let expected = [
            "the subscripts of 'C', 'A' and 'B' stay within their rows",
            "n is even",
            "'C' does not overlap 'A' or 'B'",
            "'D' and errno do not overlap",
        ];
        assert_eq!(said(&tests, &pairs), expected);
    }

    #[test]
    fn whoever_is_in_most_pairs_comes_first_and_one_of_a_kind_is_said_as_it_is() {
        let pairs = [pair("'a'", "'b'"), pair("'c'", "'d'"), pair("'e'", "'d'"), pair("'d'", "'f'")];
        let tests = ["the subscripts of 'a' stay within its rows".to_string()];
        let expected = [
            "the subscripts of 'a' stay within its rows",
            "'d' does not overlap 'c', 'e' or 'f'",
            "'a' and 'b' do not overlap",
        ];
        assert_eq!(said(&tests, &pairs), expected);
        assert_eq!(said(&[], &[]), Vec::<String>::new());
    }
}
