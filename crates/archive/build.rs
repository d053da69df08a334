//! Tells the crate for which target it is compiled.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=CLL_TARGET={}", std::env::var("TARGET").unwrap_or_default());
}
