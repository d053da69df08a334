//! Names of the program other than `cll`. A link with such a name is a separate command.

use std::ffi::OsString;
use std::path::Path;

pub use cll_driver::Driver;

/// Links that `cll install` makes beside the program.
pub const LINKS: [&str; 6] = ["call", "llac", "cllcc", "cllc++", "cllmpicc", "cllmpicxx"];

/// Links that `cll install --bsp-names` makes: the drivers of other BSPlibs.
pub const BSP_LINKS: [&str; 3] = ["bspcc", "bspcxx", "bsprun"];

/// The arguments as if the program had been called `cll`, and the compiler driver that its name chooses.
pub fn expand(mut arguments: Vec<OsString>) -> (Vec<OsString>, Driver) {
    let path = arguments.first().cloned().unwrap_or_default();
    let name = Path::new(&path).file_name().unwrap_or_default();
    let driver = Driver::named(name);
    let command = match name.to_str() {
        Some("call") => "translate",
        Some("llac") => "llac",
        Some("bsprun") => {
            let given = arguments.split_off(1);
            arguments.extend(as_run(given));
            "run"
        }
        _ if driver.is_some() => "cc",
        _ => return (arguments, Driver::default()),
    };
    arguments[0] = "cll".into();
    arguments.insert(1, command.into());
    (arguments, driver.unwrap_or_default())
}

/// Converts the options of other BSPlibs' `bsprun` to those of `cll run`. Words after the program's name are
/// unchanged.
fn as_run(given: Vec<OsString>) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut given = given.into_iter();
    while let Some(word) = given.next() {
        match word.to_str().unwrap_or_default() {
            "-np" | "-npes" => {
                words.push("-n".into());
                words.extend(given.next());
            }
            // Options of BSPonMPI for its messages.
            "--msg" | "--rma" => {}
            text if text.starts_with("--max-msg-size=")
                || text.starts_with("--small-exchange-size=") => {}
            text if text.starts_with('-') && text != "--" => {
                let has_value = takes_next(text);
                words.push(word);
                words.extend(given.by_ref().take(has_value.into()));
            }
            _ => {
                words.push(word);
                words.extend(given.by_ref());
            }
        }
    }
    words
}

/// Whether the value of an option of `cll run` is the next word.
fn takes_next(option: &str) -> bool {
    let definition = super::definition();
    let run = definition.find_subcommand("run");
    let mut known = run.into_iter().flat_map(|run| run.get_arguments());
    known.any(|argument| {
        let short = argument.get_short().map(|letter| format!("-{letter}"));
        let long = argument.get_long().map(|name| format!("--{name}"));
        let is_it = short.as_deref() == Some(option) || long.as_deref() == Some(option);
        is_it && argument.get_action().takes_values()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::CompilerKind;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_name_is_a_command() {
        for (called, meant) in [
            ("/usr/bin/call a.c", "cll translate a.c"),
            ("llac -e show a", "cll llac -e show a"),
            ("cll fit a", "cll fit a"),
            ("/opt/bin/cllcc -O2 a.c", "cll cc -O2 a.c"),
            ("bspcxx -prof a.cc", "cll cc -prof a.cc"),
            ("bsprun -npes 4 ./a -np 3", "cll run -n 4 ./a -np 3"),
            ("bsprun -np 4 --rma ./a --rma", "cll run -n 4 ./a --rma"),
            ("bsprun --engine mpi -npes 2 --log ./a", "cll run --engine mpi -n 2 --log ./a"),
            ("bsprun -n 4 -- ./a -np 3", "cll run -n 4 -- ./a -np 3"),
        ] {
            assert_eq!(expand(words(called)).0, words(meant), "{called}");
        }
    }

    #[test]
    fn a_driver_chooses_the_compiler() {
        let driver = |called: &str| expand(words(called)).1;
        assert_eq!(driver("cllmpicxx a.cc"), Driver { kind: CompilerKind::MpiCxx, for_bsp: false });
        assert_eq!(driver("bspcc a.c"), Driver { kind: CompilerKind::C, for_bsp: true });
        assert_eq!(driver("cll cc a.c"), Driver::default());
    }

    #[test]
    fn every_link_has_a_meaning() {
        for name in LINKS.into_iter().chain(BSP_LINKS) {
            assert_eq!(expand(vec![name.into()]).0[0], "cll", "{name}");
        }
    }
}
