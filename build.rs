//! Finds LLVM 22, compiles the shim (`src/llvm/shim.cpp`) and links the shared libLLVM.
//!
//! Does nothing without the feature `llvm`, so that the engine and the `loopwright` binary build on a machine with no
//! LLVM. `LLVM_CONFIG` names another `llvm-config` than the one on the path.

fn main() {
    #[cfg(feature = "llvm")]
    llvm::link();
}

#[cfg(feature = "llvm")]
mod llvm {
    use std::process::Command;

    /// The one major version whose C++ headers the shim is written against.
    const MAJOR: &str = "22";

    pub fn link() {
        println!("cargo:rerun-if-changed=build.rs");
        println!("cargo:rerun-if-changed=src/llvm/shim.cpp");
        println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
        let config = find();
        compile_shim(&ask(&config, &["--includedir"]));
        let libraries = ask(&config, &["--libdir"]);
        println!("cargo:rustc-link-search=native={libraries}");
        println!("cargo:rustc-env=LOOPWRIGHT_LLVM_LIBDIR={libraries}");
        for flag in ask(&config, &["--link-shared", "--libs"]).split_whitespace() {
            println!("cargo:rustc-link-lib=dylib={}", flag.trim_start_matches("-l"));
        }
    }

    fn compile_shim(include: &str) {
        cc::Build::new()
            .cpp(true)
            .file("src/llvm/shim.cpp")
            .flag("-isystem")
            .flag(include)
            .flag("-std=c++17")
            .flag("-fno-exceptions")
            .flag("-fno-rtti")
            .flag("-fvisibility=hidden")
            .define("_GNU_SOURCE", None)
            .define("__STDC_LIMIT_MACROS", None)
            .opt_level(1)
            .debug(false)
            .compile("loopwright_shim");
    }

    fn find() -> String {
        let named = std::env::var("LLVM_CONFIG").ok();
        let names = [&format!("llvm-config-{MAJOR}"), "llvm-config"].map(String::from);
        named
            .into_iter()
            .chain(names)
            .find(|name| try_ask(name, &["--version"]).is_some_and(|v| v.starts_with(&format!("{MAJOR}."))))
            .unwrap_or_else(|| {
                panic!("LLVM {MAJOR} not found: install llvm-{MAJOR}-dev, set LLVM_CONFIG, or build with --no-default-features")
            })
    }

    fn ask(config: &str, arguments: &[&str]) -> String {
        try_ask(config, arguments).unwrap_or_else(|| panic!("{config} {arguments:?} failed"))
    }

    fn try_ask(config: &str, arguments: &[&str]) -> Option<String> {
        let output = Command::new(config).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    }
}
