//! Compiles what only C can define: thread-local storage, a variadic function, `setjmp`.

fn main() {
    println!("cargo::rerun-if-changed=src/state.c");
    println!("cargo::rerun-if-changed=src/bsp/abort.c");
    println!("cargo::rerun-if-changed=src/bsp/copy.c");
    println!("cargo::rerun-if-changed=src/bsp/lines.c");
    println!("cargo::rerun-if-changed=include/cll.h");
    cc::Build::new()
        .file("src/state.c")
        .file("src/bsp/abort.c")
        .file("src/bsp/copy.c")
        .file("src/bsp/lines.c")
        // Position-independent code in the archive; the linker optimises it for each program.
        .define("CLL_TLS", "")
        .include("include")
        .pic(true)
        .opt_level(2)
        .debug(false)
        .warnings_into_errors(true)
        .compile("cll_in_c");
}
