use std::hint::black_box;

fn main() {
    let n = black_box(100);
    let mut a: Vec<f64> = (0..n * n).map(|i| (i * 7919 % 1009) as f64 / 1009.0).collect();
    let mut b = a.clone();
    let mut c = vec![0.0; n * n];
    stencil::relax(n, 10, &mut a, &mut b);
    solver::product(n, &mut c, &a, &b);
    println!("{:?} {:?} {}", c.iter().sum::<f64>(), c[n + 1], env!("SOLVER_SUM"));
    std::process::exit(if std::env::args().len() > 1 { 3 } else { 0 });
}
