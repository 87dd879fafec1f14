fn main() {
    println!("cargo:rerun-if-changed=src/product.c");
    cc::Build::new().file("src/product.c").opt_level(3).compile("product");
}
