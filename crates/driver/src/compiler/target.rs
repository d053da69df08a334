//! Whether a compiler makes programs that can be linked with the library.

use std::env::consts::ARCH;
use std::ffi::OsString;
use std::process::Stdio;

use super::Compiler;

/// Processors, by the macro that compilers for them define.
const PROCESSORS: [(&str, &str); 6] = [
    ("__x86_64__", "x86_64"),
    ("__aarch64__", "aarch64"),
    ("__i386__", "x86"),
    ("__arm__", "arm"),
    ("__powerpc64__", "powerpc64"),
    ("__riscv", "riscv64"),
];

/// Prints which of the macros are defined.
const QUESTION: &str = "#include <limits.h>\ncll: __SIZEOF_POINTER__ __GLIBC__";

/// Why a program of `compiler` with these options cannot be linked with the library of this program: it is for
/// another processor, another size of pointers or another C library. `None` if it can, and if the compiler does
/// not answer.
pub fn mismatch(compiler: &Compiler, flags: &[OsString]) -> Option<String> {
    let lines: Vec<String> =
        PROCESSORS.iter().map(|(macro_name, _)| macro_name.to_string()).collect();
    let text = format!("{QUESTION} {}\n", lines.join(" "));
    let mut child = compiler
        .command()
        .args(flags)
        .args(["-E", "-P", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // It fits into the pipe's buffer.
    std::io::Write::write_all(&mut child.stdin.take()?, text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let answer = printed.lines().find_map(|line| line.strip_prefix("cll:"))?;
    let theirs = target(answer);
    let own = target_of(ARCH, usize::BITS, cfg!(target_env = "gnu"));
    (theirs != own).then(|| {
        format!(
            "this command makes programs for {theirs}, and libcll is for {own}: annotated and BSP programs \
             cannot be linked with it"
        )
    })
}

fn target(answer: &str) -> String {
    let words: Vec<&str> = answer.split_whitespace().collect();
    let bits = 8 * words.first().and_then(|size| size.parse().ok()).unwrap_or(0);
    let defined = |index: usize| words.get(index).is_some_and(|word| !word.starts_with("__"));
    let processor = (0..PROCESSORS.len()).find(|index| defined(index + 2));
    target_of(processor.map_or("another processor", |index| PROCESSORS[index].1), bits, defined(1))
}

fn target_of(processor: &str, bits: u32, gnu: bool) -> String {
    let library =
        if gnu { "the GNU C library" } else { "a C library that is not GNU's, such as musl" };
    format!("{processor} with {bits}-bit pointers and {library}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read() {
        let description = target(" 8 2 1 __aarch64__ __i386__ __arm__ __powerpc64__ __riscv");
        assert_eq!(description, "x86_64 with 64-bit pointers and the GNU C library");
        let text = target(" 4 __GLIBC__ __x86_64__ __aarch64__ 1 __arm__ __powerpc64__ __riscv");
        assert_eq!(
            text,
            "x86 with 32-bit pointers and a C library that is not GNU's, such as musl"
        );
    }
}
