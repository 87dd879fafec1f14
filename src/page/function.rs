//! The functions of a schedule tree as sums that are computed, and written as people do.
//!
//! The engine writes `floor((2t - i + 1)/32)` as `-i + floor((1 + 2t + 31i)/32)`, with coefficients from 0 below the divisor. Here they are the nearest to 0
//! again: `⌊(2t - i + 1)/32⌋`. A picture computes them with other divisors, so that a few iterations make several tiles.

use std::collections::BTreeMap;
use std::fmt;

/// A sum of multiples of names, of multiples of quotients, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    constant: i64,
    /// In the order in which they were written.
    terms: Vec<(String, i64)>,
    /// How often, the dividend, the divisor; quotients are rounded down.
    quotients: Vec<(i64, Function, i64)>,
}

impl Function {
    /// The function that follows the arrow in `[n] -> { S[i, j] -> [(floor((i)/32))] }`; none if it is of another form.
    pub fn of_map(text: &str) -> Option<Function> {
        let text = text.rsplit_once("-> [").map_or(text, |(_, value)| value);
        let text = text.split("] }").next()?.split("] :").next()?;
        let mut reader = Reader { rest: text.trim() };
        let function = reader.sum()?;
        reader.rest.trim().is_empty().then(|| function.balanced())
    }

    /// With coefficients in quotients as near to 0 as can be.
    fn balanced(mut self) -> Function {
        let mut moved: Vec<(String, i64)> = Vec::new();
        for (times, dividend, divisor) in &mut self.quotients {
            for (name, coefficient) in &mut dividend.terms {
                let rest = coefficient.rem_euclid(*divisor);
                let rest = if 2 * rest > *divisor { rest - *divisor } else { rest };
                moved.push((name.clone(), *times * ((*coefficient - rest) / *divisor)));
                *coefficient = rest;
            }
            dividend.terms.retain(|(_, coefficient)| *coefficient != 0);
        }
        moved.iter().for_each(|(name, coefficient)| self.add(name, *coefficient));
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        self
    }

    fn add(&mut self, name: &str, coefficient: i64) {
        match self.terms.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += coefficient,
            None => self.terms.push((name.to_string(), coefficient)),
        }
    }

    /// Its value, with the divisors that `divisor` makes of its own.
    pub fn value(&self, values: &dyn Fn(&str) -> i64, divisor: &dyn Fn(i64) -> i64) -> i64 {
        let terms: i64 = self.terms.iter().map(|(name, coefficient)| coefficient * values(name)).sum();
        let quotient = |(times, dividend, by): &(i64, Function, i64)| {
            times * dividend.value(values, divisor).div_euclid(divisor(*by))
        };
        self.constant + terms + self.quotients.iter().map(quotient).sum::<i64>()
    }

    /// The divisors, each with the largest coefficient of what it divides.
    pub fn divisors(&self) -> BTreeMap<i64, i64> {
        let mut divisors = BTreeMap::new();
        for (_, dividend, divisor) in &self.quotients {
            let most = dividend.terms.iter().map(|(_, coefficient)| coefficient.abs()).max().unwrap_or(1);
            let known = divisors.entry(*divisor).or_insert(1);
            *known = most.max(*known);
        }
        divisors
    }

    /// Whether it is a sum of several quotients.
    pub fn is_wave(&self) -> bool {
        self.quotients.len() > 1
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn takes(&mut self, text: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(text) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    fn number(&mut self) -> Option<i64> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..end].parse().ok()?;
        self.rest = &rest[end..];
        Some(number)
    }

    fn name(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "_'.$".contains(c))).unwrap_or(rest.len());
        self.rest = &rest[end..];
        (end > 0).then(|| &rest[..end])
    }

    fn sum(&mut self) -> Option<Function> {
        let mut sum = Function::default();
        let mut sign = if self.takes("-") { -1 } else { 1 };
        loop {
            self.term(sign, &mut sum)?;
            sign = match (self.takes("+"), self.takes("-")) {
                (true, _) => 1,
                (false, true) => -1,
                (false, false) => return Some(sum),
            };
        }
    }

    fn term(&mut self, sign: i64, sum: &mut Function) -> Option<()> {
        let number = self.number();
        let times = sign * number.unwrap_or(1);
        let _ = number.is_some() && self.takes("*");
        if self.takes("floor((") {
            let dividend = self.sum()?;
            let divisor = (self.takes(")/")).then(|| self.number()).flatten().filter(|divisor| *divisor > 0)?;
            sum.quotients.push((times, dividend, divisor));
            return self.takes(")").then_some(());
        }
        if self.takes("(") {
            let inner = self.sum()?;
            sum.constant += times * inner.constant;
            inner.terms.iter().for_each(|(name, coefficient)| sum.add(name, times * coefficient));
            sum.quotients
                .extend(inner.quotients.into_iter().map(|(n, dividend, divisor)| (times * n, dividend, divisor)));
            return self.takes(")").then_some(());
        }
        match (self.name(), number) {
            (Some(name), _) => sum.add(name, times),
            (None, Some(_)) => sum.constant += times,
            (None, None) => return None,
        }
        Some(())
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factor = |n: i64| if n.abs() == 1 { String::new() } else { n.abs().to_string() };
        let mut parts: Vec<(bool, String)> = Vec::new();
        for (times, dividend, divisor) in &self.quotients {
            let inner = dividend.to_string();
            let inner = if inner.contains(' ') || inner.starts_with('-') { format!("({inner})") } else { inner };
            parts.push((*times < 0, format!("{}⌊{inner}/{divisor}⌋", factor(*times))));
        }
        // What is added comes first, what is taken away after it.
        let mut terms = self.terms.clone();
        terms.sort_by_key(|(_, coefficient)| *coefficient < 0);
        parts.extend(terms.iter().map(|(name, n)| (*n < 0, format!("{}{name}", factor(*n)))));
        if self.constant != 0 || parts.is_empty() {
            parts.push((self.constant < 0, self.constant.abs().to_string()));
        }
        for (at, (is_negative, text)) in parts.iter().enumerate() {
            match (at, is_negative) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" - ")?,
            }
            f.write_str(text)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        Function::of_map(text).map_or_else(|| "none".into(), |function| function.to_string())
    }

    #[test]
    fn functions_are_written_as_people_do() {
        assert_eq!(shown("[n] -> { S[i, j] -> [(floor((i)/32))] }"), "⌊i/32⌋");
        assert_eq!(shown("{ S[i, j] -> [(floor((2i + j)/64) + floor((i)/8))] }"), "⌊(2i + j)/64⌋ + ⌊i/8⌋");
        assert_eq!(shown("{ S[t, i] -> [(-i + floor((1 + 2t + 31i)/32))] }"), "⌊(2t - i + 1)/32⌋");
        assert_eq!(shown("{ S[i, j] -> [(i - 2j)] : i > 0 }"), "i - 2j");
        assert_eq!(shown("{ S[i] -> [(-1)] }"), "-1");
        assert_eq!(shown("{ S[i] -> [(i mod 3)] }"), "none");
    }

    #[test]
    fn values_are_the_same_in_both_forms() {
        let one = Function::of_map("-i + floor((1 + 2t + 31i)/32)").expect("a function");
        let direct = |t: i64, i: i64| (2 * t - i + 1).div_euclid(32);
        for (t, i) in [(0, 0), (5, 40), (100, 3)] {
            let values = |name: &str| if name == "t" { t } else { i };
            assert_eq!(one.value(&values, &|divisor| divisor), direct(t, i));
        }
        assert_eq!(one.divisors(), BTreeMap::from([(32, 2)]));
    }
}
