//! `-np` and `-npes` of `cll run`, as launchers of MPI and of other BSPlibs spell `-n`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use clap::{Arg, ArgAction, Command};

/// Replaces them by `-n`, before the program's name only. clap accepts only one letter after one dash.
pub fn expand(arguments: &mut [OsString], definition: &Command) {
    let mut index = 1;
    let Some(run) = definition.find_subcommand("run") else { return };
    // Options before the command's name belong to all commands.
    let mut command = definition;
    let mut inside = false;
    while let Some(word) = arguments.get(index) {
        let bytes = word.as_bytes();
        if inside && matches!(bytes, b"-np" | b"-npes") {
            arguments[index] = "-n".into();
            index += 2;
            continue;
        }
        if bytes == b"--" {
            return;
        }
        if !bytes.starts_with(b"-") || bytes == b"-" {
            if inside || bytes != b"run" {
                return;
            }
            (inside, command) = (true, run);
            index += 1;
            continue;
        }
        index += if takes_the_next(bytes, [command, definition]) { 2 } else { 1 };
    }
}

/// Whether the value of the word's option is the next word.
fn takes_the_next(word: &[u8], commands: [&Command; 2]) -> bool {
    let arguments = || commands.into_iter().flat_map(Command::get_arguments);
    if let Some(long) = word.strip_prefix(b"--") {
        let is_it = |arg: &&Arg| arg.get_long().is_some_and(|name| name.as_bytes() == long);
        return arguments().find(is_it).is_some_and(takes_a_value);
    }
    // Letters without values can be combined; the first that takes a value takes the rest of the word.
    for (place, &letter) in word.iter().enumerate().skip(1) {
        let is_it = |arg: &&Arg| arg.get_short() == Some(char::from(letter));
        if arguments().find(is_it).is_some_and(takes_a_value) {
            return place + 1 == word.len();
        }
    }
    false
}

fn takes_a_value(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Set | ArgAction::Append)
}
