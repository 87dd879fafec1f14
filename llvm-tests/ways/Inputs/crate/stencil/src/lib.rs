//! Steps over time in which each element becomes the mean of its neighbours.

pub fn relax(n: usize, steps: usize, now: &mut [f64], next: &mut [f64]) {
    for _ in 0..steps {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                next[i * n + j] = 0.25 * (now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] + now[i * n + j + 1]);
            }
        }
        now.copy_from_slice(next);
    }
}
