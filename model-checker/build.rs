//! The sources of `cll-bsp` take the model checker's atomics here. A setting for the whole build would compile
//! every dependency again.

fn main() {
    println!("cargo::rustc-cfg=loom");
}
