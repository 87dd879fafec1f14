unsafe extern "C" {
    fn product(n: i32, a: *const f64, b: *const f64, c: *mut f64);
}

fn main() {
    let a: Vec<f64> = (0..10000).map(f64::from).collect();
    let mut c = vec![0.0; 10000];
    // SAFETY: all three have 100 rows of 100 elements.
    unsafe { product(100, a.as_ptr(), a.as_ptr(), c.as_mut_ptr()) };
    println!("{:?}", c.iter().sum::<f64>());
}
