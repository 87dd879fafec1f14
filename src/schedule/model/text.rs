//! Rows in words, for whoever is told what was done: `2*t + i + 1`.

use super::problem::{Problem, Row};

impl Problem {
    /// A row as a person would write it: `i1 + n - 1`.
    pub fn text(&self, statement: usize, row: &Row) -> String {
        let space = &self.statements[statement].space;
        let iterators = row.iterators.iter().enumerate().map(|(i, c)| (*c, space.shown_name(i)));
        let params = row.params.iter().enumerate().map(|(p, c)| (*c, self.params[p].to_string()));
        let mut text = String::new();
        for (coefficient, name) in iterators.chain(params).chain([(row.constant, String::new())]) {
            let sign = if coefficient < 0 { "-" } else { "+" };
            let amount = coefficient.unsigned_abs();
            let term = match (amount, name.as_str()) {
                (0, _) => continue,
                (_, "") => amount.to_string(),
                (1, _) => name,
                _ => format!("{amount}*{name}"),
            };
            match (text.is_empty(), sign) {
                (true, "+") => text.push_str(&term),
                (true, _) => text.push_str(&format!("-{term}")),
                _ => text.push_str(&format!(" {sign} {term}")),
            }
        }
        if text.is_empty() { "0".to_string() } else { text }
    }
}
