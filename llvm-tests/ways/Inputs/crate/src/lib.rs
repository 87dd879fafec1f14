//! Products of matrices.

/// Adds the product of two matrices with `n` rows and columns to a third one.
///
/// ```
/// let mut c = vec![0.0; 4];
/// solver::product(2, &mut c, &[1.0, 2.0, 3.0, 4.0], &[1.0, 0.0, 0.0, 1.0]);
/// assert_eq!(c, [1.0, 2.0, 3.0, 4.0]);
/// ```
#[inline(never)]
pub fn product(n: usize, c: &mut [f64], a: &[f64], b: &[f64]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_changes_nothing() {
        let n = 64;
        let a: Vec<f64> = (0..n * n).map(|i| i as f64).collect();
        let one: Vec<f64> = (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect();
        let mut c = vec![0.0; n * n];
        super::product(n, &mut c, &a, &one);
        assert_eq!(c, a);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn bounds_are_checked() {
        super::product(40, &mut [0.0; 1600], &[1.0; 1600], &[1.0; 1599]);
    }
}
