//! Table 3 of the CALL paper on the examples' FFT: `cargo run --release -p bench-llac -- table3`.
//!
//! The FFT is measured on 1 to 32 virtual processors at N = 2^10 to 2^17, and at N = 2^21, which is never fitted. The
//! formula of figure 4 and the composed blocks of equations 5 to 8 stand beside what was measured there.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Rounds; in each every number of processors is run once.
const ROUNDS: usize = 3;

/// Equation 8, and figure 4's formula.
const SCRIPT: &str = "
large = open LARGE
phi(N,P) = if P == 1 then G(N = N) else phi(N/2, P/2) + A() + B() + C() + D(size = 16*N/2) + E(n = N/2) + F(n = N/2)
compare phi, f at N = 1024:131072:*2, P = 1:32:*2
compare phi, f against large.f at N = 2^21, P = 1:32:*2
";

/// Measures and compares.
pub fn run(program: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fft/fft.c");
    let source = std::fs::read_to_string(example).context(example)?;
    let mut large = source.clone();
    for (from, to) in
        [("LARGEST = 131072", "LARGEST = 2097152"), ("for (N = 1024;", "for (N = LARGEST;")]
    {
        ensure!(large.contains(from), "{example} has no `{from}`");
        large = large.replace(from, to);
    }
    std::fs::write(folder.join("fft.c"), source)?;
    std::fs::write(folder.join("large.c"), large)?;
    let cll = |arguments: &[&str]| -> Result<String> {
        let output = Command::new(program)
            .current_dir(folder)
            .env("COLUMNS", "140")
            .args(arguments)
            .output()?;
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        ensure!(output.status.success(), "cll {arguments:?}: {out}{err}");
        Ok(out.into_owned())
    };
    for name in ["fft", "large"] {
        cll(&["cc", "-O2", &format!("{name}.c"), "-o", name, "-lm"])?;
    }
    for round in 1..=ROUNDS {
        for processors in ["1", "2", "4", "8", "16", "32"] {
            for name in ["./fft", "./large"] {
                eprintln!("round {round} of {ROUNDS}: {name} on {processors} virtual processors");
                cll(&["run", "-n", processors, "--engine", "virtual", "--cores", "1", name])?;
            }
        }
    }
    let traces = |name: &str| -> Vec<String> {
        let number = 0..ROUNDS * 6;
        number.map(|number| format!("{name}.cll.{number}.dat")).collect()
    };
    let opened: Vec<String> = traces("large").iter().map(|file| format!("\"{file}\"")).collect();
    let script = SCRIPT.replace("LARGE", &opened.join(", "));
    std::fs::write(folder.join("table3.llac"), script)?;
    let small = traces("fft");
    let mut line = vec!["llac"];
    line.extend(small.iter().map(String::as_str));
    line.extend(["-f", "table3.llac"]);
    println!("{}", cll(&line)?);
    Ok(())
}
