//! Checks and chores of the project that are not tests: `cargo xtask NAME`.

#![forbid(unsafe_code)]

mod real_code;
mod record;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask NAME [ARGUMENTS]

  record [--cll PROGRAM] [NAME…]   make the recorded runs of the tests anew
  real-code [--quick | PROJECT…]   translate the C sources of other people's
                                   programs and compare the object code";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        Some((name, rest)) if name == "real-code" => real_code::run(rest),
        Some((name, rest)) if name == "record" => record::run(rest),
        Some((name, rest)) if name == real_code::recorder::NAME => real_code::recorder::run(rest),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("xtask: {error:#}");
        ExitCode::FAILURE
    })
}
