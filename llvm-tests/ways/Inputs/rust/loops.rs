//! Loops as they are written in Rust.
#[inline(never)]
pub fn rows_by_chunks(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
    for (row, out) in a.chunks_exact(n).zip(y.iter_mut()) {
        let mut sum = 0.0;
        for (p, q) in row.iter().zip(x) {
            sum += p * q;
        }
        *out = sum;
    }
}
#[inline(never)]
pub fn columns_by_chunks(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
    for (row, f) in a.chunks_exact(n).zip(x) {
        for (out, p) in y.iter_mut().zip(row) {
            *out += p * f;
        }
    }
}
#[inline(never)]
pub fn product_by_chunks(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for (out, row) in c.chunks_exact_mut(n).zip(a.chunks_exact(n)) {
        for (f, line) in row.iter().zip(b.chunks_exact(n)) {
            for (to, from) in out.iter_mut().zip(line) {
                *to += f * from;
            }
        }
    }
}
#[inline(never)]
pub fn steps_by_windows(steps: usize, a: &mut [f64], b: &mut [f64]) {
    for _ in 0..steps {
        for (w, out) in a.windows(3).zip(b[1..].iter_mut()) {
            *out = (w[0] + w[1] + w[2]) / 3.0;
        }
        for (w, out) in b.windows(3).zip(a[1..].iter_mut()) {
            *out = (w[0] + w[1] + w[2]) / 3.0;
        }
    }
}
#[inline(never)]
pub fn zipped_steps(steps: usize, a: &[f64], b: &mut [f64], c: &mut [f64]) {
    for _ in 0..steps {
        for (x, y) in a.iter().zip(b.iter_mut()) {
            *y = *y * 0.5 + *x;
        }
        for (x, y) in b.iter().zip(c.iter_mut()) {
            *y = *y * 0.25 + *x;
        }
    }
}
#[inline(never)]
pub fn enumerated(n: usize, a: &mut [i64]) {
    for (i, row) in a.chunks_exact_mut(n).enumerate() {
        for (j, x) in row.iter_mut().enumerate() {
            *x = (i * 3 + j * j) as i64;
        }
    }
}
#[inline(never)]
pub fn every_second(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in (0..n).step_by(2) {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}
#[inline(never)]
pub fn backwards(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in (0..n).rev() {
        for j in 0..n {
            for k in (0..n).rev() {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}
#[inline(never)]
pub fn inclusive(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..=n - 1 {
        for j in 0..=n - 1 {
            for k in 0..=n - 1 {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}
#[inline(never)]
pub fn folds(n: usize, a: &[i64], least: &mut [i64], sums: &mut [i64]) {
    for i in 0..n {
        least[i] = a[i * n..(i + 1) * n].iter().fold(i64::MAX, |m, x| m.min(*x));
        sums[i] = a[i * n..(i + 1) * n].iter().sum();
    }
}
#[inline(never)]
pub fn largest(n: usize, a: &[f64], out: &mut [f64]) {
    for (o, row) in out.iter_mut().zip(a.chunks_exact(n)) {
        *o = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    }
}
#[inline(never)]
pub fn swapped_slices<'a>(steps: usize, n: usize, mut a: &'a mut [f64], mut b: &'a mut [f64]) {
    for _ in 0..steps {
        for i in 1..n - 1 {
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0;
        }
        std::mem::swap(&mut a, &mut b);
    }
}
#[inline(never)]
pub fn swapped_vectors(steps: usize, n: usize, a: &mut Vec<f64>, b: &mut Vec<f64>) {
    for _ in 0..steps {
        for i in 1..n - 1 {
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0;
        }
        std::mem::swap(a, b);
    }
}
#[inline(never)]
pub fn for_each(steps: usize, a: &mut [f64], b: &[f64]) {
    for _ in 0..steps {
        a.iter_mut().zip(b).for_each(|(x, y)| *x = *x * 0.5 + *y);
    }
}
#[inline(never)]
pub fn mapped_sum(n: usize, a: &[i64], b: &[i64], c: &mut [i64]) {
    for i in 0..n {
        for j in 0..n {
            c[i * n + j] = (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum();
        }
    }
}
#[inline(never)]
pub fn while_loop(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    let mut i = 0;
    while i < n {
        let mut j = 0;
        while j < n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
            j += 1;
        }
        i += 1;
    }
}
#[inline(never)]
pub fn fixed(a: &[[f64; 64]], b: &[[f64; 64]; 64], c: &mut [[f64; 64]]) {
    for (row, out) in a.iter().zip(c.iter_mut()) {
        for (f, line) in row.iter().zip(b.iter()) {
            for (to, from) in out.iter_mut().zip(line) {
                *to += f * from;
            }
        }
    }
}
#[inline(never)]
pub fn product_of_rows(n: usize, a: &Vec<Vec<f64>>, b: &Vec<Vec<f64>>, c: &mut Vec<Vec<f64>>) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i][k] * b[k][j];
            }
            c[i][j] = sum;
        }
    }
}
#[inline(never)]
pub fn step_in_rows(a: &Vec<Vec<f64>>, b: &mut Vec<Vec<f64>>) {
    for i in 1..a.len() - 1 {
        for j in 1..a[0].len() - 1 {
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        }
    }
}
#[inline(never)]
pub fn shortest_ways(d: &mut Vec<Vec<f64>>) {
    let n = d.len();
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                let way = d[i][k] + d[k][j];
                if way < d[i][j] {
                    d[i][j] = way;
                }
            }
        }
    }
}

/// The bits of all elements in one number.
fn bits(of: &[f64]) -> u64 {
    of.iter().fold(17, |all, x| {
        all.rotate_left(5) ^ x.to_bits().wrapping_mul(0x9e3779b97f4a7c15)
    })
}
fn words(of: &[i64]) -> u64 {
    of.iter().fold(17, |all, x| {
        all.rotate_left(5) ^ (*x as u64).wrapping_mul(0x9e3779b97f4a7c15)
    })
}
fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count)
        .map(|i| ((i * 37 + seed * 11) % 101) as f64 / 7.0 - 3.0)
        .collect()
}
fn integers(count: usize, seed: usize) -> Vec<i64> {
    (0..count).map(|i| ((i * 37 + seed * 11) % 101) as i64 - 50).collect()
}

/// What a function leaves in memory, and whether it panicked.
fn told(name: &str, size: usize, memory: &mut [Vec<f64>], run: impl FnOnce(&mut [Vec<f64>])) {
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(memory))).is_ok();
    let left: Vec<String> = memory.iter().map(|each| format!("{:016x}", bits(each))).collect();
    println!("{name} {size} {ended} {}", left.join(" "));
}
fn told_of_integers(name: &str, size: usize, memory: &mut [Vec<i64>], run: impl FnOnce(&mut [Vec<i64>])) {
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(memory))).is_ok();
    let left: Vec<String> = memory.iter().map(|each| format!("{:016x}", words(each))).collect();
    println!("{name} {size} {ended} {}", left.join(" "));
}

/// So many rows, the one in the middle too short.
fn table(rows: usize, columns: usize, missing: usize, seed: usize) -> Vec<Vec<f64>> {
    let of = |row: usize| numbers(if row == rows / 2 { columns.saturating_sub(missing) } else { columns }, seed + row);
    (0..rows).map(of).collect()
}

/// The functions on tables of rows: with rows that are too short, and with rows that are not there.
fn all_of_rows(n: usize, missing: usize, fewer: usize) {
    for short in 0..3 {
        let of = |which: usize| {
            let (missing, fewer) = if which == short { (missing, fewer) } else { (0, 0) };
            table(n.saturating_sub(fewer), n, missing, which)
        };
        let (a, b) = (of(0), of(1));
        told("table product", n, &mut of(2), |c| {
            let mut c = Rows::of(c);
            product_of_rows(n, &a, &b, &mut c.rows)
        });
        told("table step", n, &mut of(2), |c| {
            let mut c = Rows::of(c);
            step_in_rows(&b, &mut c.rows)
        });
        told("table ways", n, &mut of(2), |c| {
            let mut c = Rows::of(c);
            shortest_ways(&mut c.rows)
        });
    }
}

/// Rows that go back to where they are from, also if what is done with them panics.
struct Rows<'a> {
    from: &'a mut [Vec<f64>],
    rows: Vec<Vec<f64>>,
}
impl<'a> Rows<'a> {
    fn of(from: &'a mut [Vec<f64>]) -> Self {
        let rows = from.iter_mut().map(std::mem::take).collect();
        Rows { from, rows }
    }
}
impl Drop for Rows<'_> {
    fn drop(&mut self) {
        for (to, row) in self.from.iter_mut().zip(&mut self.rows) {
            *to = std::mem::take(row);
        }
    }
}

/// All functions on `n * n` numbers, of which the last `missing` are not there.
fn all(n: usize, missing: usize) {
    let count = (n * n).saturating_sub(missing);
    let few = n.saturating_sub(missing);
    let square = |seed| numbers(count, seed);
    let three = || [square(1), square(2), square(3)];
    told("rows", n, &mut [square(1), numbers(few, 2), numbers(n, 3)], |m| {
        let [a, x, y] = m else { return };
        rows_by_chunks(n, a, x, y)
    });
    told("columns", n, &mut [square(1), numbers(few, 2), numbers(n, 3)], |m| {
        let [a, x, y] = m else { return };
        columns_by_chunks(n, a, x, y)
    });
    told("product", n, &mut three(), |m| {
        let [a, b, c] = m else { return };
        product_by_chunks(n, a, b, c)
    });
    told("windows", n, &mut [numbers(n, 1), numbers(few, 2)], |m| {
        let [a, b] = m else { return };
        steps_by_windows(n.min(9), a, b)
    });
    told("zipped", n, &mut [square(1), square(2), numbers(n * n, 3)], |m| {
        let [a, b, c] = m else { return };
        zipped_steps(5, a, b, c)
    });
    told("second", n, &mut three(), |m| {
        let [a, b, c] = m else { return };
        every_second(n, a, b, c)
    });
    told("backwards", n, &mut three(), |m| {
        let [a, b, c] = m else { return };
        backwards(n, a, b, c)
    });
    told("inclusive", n, &mut three(), |m| {
        let [a, b, c] = m else { return };
        inclusive(n, a, b, c)
    });
    told("largest", n, &mut [square(1), numbers(n, 2)], |m| {
        let [a, o] = m else { return };
        largest(n, a, o)
    });
    told("slices", n, &mut [numbers(few, 1), numbers(n, 2)], |m| {
        let [a, b] = m else { return };
        swapped_slices(7, n, a, b)
    });
    told("vectors", n, &mut [numbers(few, 1), numbers(n, 2)], |m| {
        let [a, b] = m else { return };
        swapped_vectors(7, n, a, b)
    });
    told("each", n, &mut [square(1), square(2)], |m| {
        let [a, b] = m else { return };
        for_each(5, a, b)
    });
    told("while", n, &mut three(), |m| {
        let [a, b, c] = m else { return };
        while_loop(n, a, b, c)
    });
    told_of_integers("enumerated", n, &mut [integers(count, 1)], |m| enumerated(n, &mut m[0]));
    told_of_integers(
        "folds",
        n,
        &mut [integers(count, 1), integers(n, 2), integers(few, 3)],
        |m| {
            let [a, l, s] = m else { return };
            folds(n, a, l, s)
        },
    );
    told_of_integers(
        "mapped",
        n,
        &mut [integers(n * n, 1), integers(count, 2), integers(n * n, 3)],
        |m| {
            let [a, b, c] = m else { return };
            mapped_sum(n, a, b, c)
        },
    );
    let table = |rows: usize, seed| {
        numbers(rows * 64, seed)
            .chunks_exact(64)
            .map(|row| row.try_into().unwrap())
            .collect::<Vec<[f64; 64]>>()
    };
    let (a, b, mut c) = (table(n, 1), table(64, 2), table(few, 3));
    fixed(&a, b[..].try_into().unwrap(), &mut c);
    println!("fixed {n} {:016x}", bits(c.as_flattened()));
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    for n in [0, 1, 2, 3, 5, 16, 17, 64, 65, 131] {
        for missing in [0, 1, n / 2] {
            all(n, missing);
            all_of_rows(n, missing, 0);
            all_of_rows(n, missing, 1);
        }
    }
}
