//! Compiles the thread state, which only C can define.

fn main() {
    // For the tests, which build the library for programs of the same target.
    println!("cargo::rustc-env=CLL_TARGET={}", std::env::var("TARGET").unwrap_or_default());
    println!("cargo::rerun-if-changed=src/state.c");
    println!("cargo::rerun-if-changed=include/cll.h");
    cc::Build::new()
        .file("src/state.c")
        .include("include")
        .pic(true)
        .opt_level(2)
        .debug(false)
        .warnings_into_errors(true)
        .compile("cll_state");
}
