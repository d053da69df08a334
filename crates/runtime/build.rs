//! Compiles the thread state, which only C can define.

fn main() {
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
