// A program that cargo runs while it builds: it stays as it is.
fn main() {
    let lengths: Vec<u64> = (0..1000).map(|i| i * 3 % 17).collect();
    println!("cargo:rustc-env=SOLVER_SUM={}", lengths.iter().sum::<u64>());
    println!("cargo:rerun-if-changed=build.rs");
}
