//! Linear algebra over the integers, as far as independence of hyperplanes needs it.

/// The columns that Gauss' elimination makes pivots of, a column with a unit coefficient and the last such column first.
pub(crate) fn pivots(rows: &[Vec<i64>], width: usize) -> Vec<usize> {
    let mut left: Vec<Vec<i128>> = rows.iter().map(|r| r.iter().map(|x| *x as i128).collect()).collect();
    let mut found = Vec::new();
    while let Some(row) = left.pop() {
        let unit = (0..width).rev().find(|&c| row[c].abs() == 1);
        let Some(pivot) = unit.or_else(|| (0..width).rev().find(|&c| row[c] != 0)) else { continue };
        found.push(pivot);
        left.iter_mut().for_each(|other| eliminate(other, &row, pivot));
    }
    found
}

/// Makes `row[pivot]` zero by adding a multiple of `source`, and divides by the content.
fn eliminate(row: &mut [i128], source: &[i128], pivot: usize) {
    let (a, b) = (source[pivot], row[pivot]);
    if b != 0 {
        row.iter_mut().zip(source).for_each(|(x, s)| *x = x.saturating_mul(a).saturating_sub(s.saturating_mul(b)));
        let content = row.iter().fold(0, |g, x| gcd(g, x.abs()));
        row.iter_mut().for_each(|x| *x /= content.max(1));
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Number of independent rows.
pub(crate) fn rank(rows: &[Vec<i64>], width: usize) -> usize {
    pivots(rows, width).len()
}

/// An integer basis of the vectors that are orthogonal to all rows: a further row is independent of them if and only if its product
/// with one of these is not zero. If there are no rows, these are the unit vectors in order.
pub(crate) fn orthogonal(rows: &[Vec<i64>], width: usize) -> Vec<Vec<i64>> {
    let mut reduced: Vec<(usize, Vec<i128>)> = Vec::new();
    for row in rows {
        let mut row: Vec<i128> = row.iter().map(|x| *x as i128).collect();
        reduced.iter().for_each(|(pivot, other)| eliminate(&mut row, other, *pivot));
        let Some(pivot) = (0..width).find(|&c| row[c] != 0) else { continue };
        reduced.iter_mut().for_each(|(_, other)| eliminate(other, &row, pivot));
        reduced.push((pivot, row));
    }
    let is_pivot = |c: usize| reduced.iter().any(|(p, _)| *p == c);
    (0..width).filter(|&c| !is_pivot(c)).filter_map(|c| kernel_vector(&reduced, c, width)).collect()
}

/// The vector of the kernel that is positive at the free column `c` and zero at all other free ones.
fn kernel_vector(reduced: &[(usize, Vec<i128>)], c: usize, width: usize) -> Option<Vec<i64>> {
    let scale = reduced.iter().map(|(p, row)| row[*p].abs()).fold(1, |l: i128, x| l / gcd(l, x) * x);
    let mut vector = vec![0i128; width];
    vector[c] = scale;
    reduced.iter().for_each(|(p, row)| vector[*p] = -row[c] * (scale / row[*p]));
    let content = vector.iter().fold(0, |g, x| gcd(g, x.abs())).max(1);
    vector.iter().map(|x| i64::try_from(x / content).ok()).collect()
}

/// The integer direction, as short as possible, along which `row` grows and all of `others` stand still; none if `row` is not
/// independent of them. (If several, one of them.)
pub(crate) fn direction(row: &[i64], others: &[Vec<i64>], width: usize) -> Option<Vec<i64>> {
    let still = orthogonal(others, width);
    let product = |v: &Vec<i64>| v.iter().zip(row).map(|(a, b)| a * b).sum::<i64>();
    let vector = still.into_iter().filter(|v| product(v) != 0).min_by_key(|v| product(v).abs())?;
    let sign = product(&vector).signum();
    Some(vector.iter().map(|x| x * sign).collect())
}

/// The bytes between neighbours along each dimension of an array of such elements, where they are constants.
pub(crate) fn strides(size: u64, extents: &[Option<i64>]) -> Vec<Option<i64>> {
    let mut strides = vec![i64::try_from(size).ok()];
    for extent in extents.iter().skip(1).rev() {
        let (stride, extent) = (strides[strides.len() - 1], *extent);
        strides.push(stride.zip(extent).and_then(|(stride, extent)| stride.checked_mul(extent)));
    }
    strides.reverse();
    strides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_orthogonal_tells_independence() {
        assert_eq!(orthogonal(&[], 2), vec![vec![1, 0], vec![0, 1]]);
        assert_eq!(orthogonal(&[vec![1, 1, 0]], 3), vec![vec![-1, 1, 0], vec![0, 0, 1]]);
        assert_eq!(orthogonal(&[vec![2, 3]], 2), vec![vec![-3, 2]]);
        assert!(orthogonal(&[vec![1, 2], vec![1, 3]], 2).is_empty());
        assert_eq!(rank(&[vec![1, 2], vec![2, 4]], 2), 1);
    }

    #[test]
    fn a_direction_moves_one_member_only() {
        assert_eq!(direction(&[1, 1], &[vec![1, 0]], 2), Some(vec![0, 1]));
        assert_eq!(direction(&[1, 0], &[vec![1, 1]], 2), Some(vec![1, -1]));
        assert_eq!(direction(&[0, 1], &[vec![0, 2]], 2), None);
    }
}
