//! Options of other BSPlibs' drivers, which `bspcc` and `bspcxx` accept.

use std::ffi::OsString;

use crate::Error;
use crate::compiler::{CompilerKind, split_words};
use crate::files::Notices;

/// The meaning of an option here.
enum Meaning {
    /// Tunes or checks the other library; ignored.
    Nothing,
    /// The same, with a value.
    NothingWithValue,
    /// Requests a profile; ignored with a note.
    Profile,
    /// The value of the option has words for the compiler.
    Words,
    /// Sizes are `size_t`.
    Sizes,
}

/// The Oxford BSP Toolset's and BSPonMPI's.
fn meaning(option: &str, kind: CompilerKind) -> Option<Meaning> {
    Some(match option {
        "-flibrary-level"
        | "-fcombine-puts-buffer"
        | "-fcontention-resolve"
        | "-bspfifo"
        | "-bspbuffer"
        | "-f77flags" => Meaning::NothingWithValue,
        "-fcombine-puts" | "-fno-combine-puts" => Meaning::Nothing,
        "-prof" | "-cgprof" => Meaning::Profile,
        "-cflags" if !kind.is_cxx() => Meaning::Words,
        "-c++flags" if kind.is_cxx() => Meaning::Words,
        "-cflags" | "-c++flags" => Meaning::NothingWithValue,
        "-ldflags" => Meaning::Words,
        "--mcbsp" => Meaning::Sizes,
        _ => return None,
    })
}

/// The arguments as `cll cc` has them.
pub fn understood(
    arguments: Vec<OsString>,
    kind: CompilerKind,
    notices: &dyn Notices,
) -> Result<Vec<OsString>, Error> {
    let mut words = Vec::with_capacity(arguments.len());
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str().and_then(|option| meaning(option, kind)) {
            None => words.push(argument),
            Some(Meaning::Nothing) => {}
            Some(Meaning::NothingWithValue) => drop(arguments.next()),
            Some(Meaning::Profile) => notices.note(&format!(
                "{} is left out: cll run --log and cll profile give the profile of any BSP program",
                argument.display()
            )),
            Some(Meaning::Words) => {
                let value = arguments.next().unwrap_or_default();
                match split_words(&value) {
                    Ok(value) => words.extend(value),
                    Err(why) => {
                        let (option, why) = (argument, Box::new(why));
                        return Err(Error::OptionWords { option, value, why });
                    }
                }
            }
            Some(Meaning::Sizes) => words.push("-DBSP_SIZE_T".into()),
        }
    }
    Ok(words)
}
