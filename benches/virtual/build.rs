//! Tells the benchmark for which target it is built.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=TARGET={}", std::env::var("TARGET").unwrap_or_default());
}
