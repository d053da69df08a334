//! `cll completions` and `cll man`, from the definition of the command line.

use std::path::Path;

use clap_complete::{generate, shells};
use clap_mangen::Man;

use crate::cli::{CompletionsArgs, ManArgs, Shell, definition};
use crate::failure::Failure;
use crate::files;
use crate::terminal::{Terminal, output};

/// Prints the completion script of a shell.
pub fn completions(args: &CompletionsArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    terminal.print(completion(args.shell))?;
    Ok(0)
}

/// The completion script of a shell.
pub fn completion(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    let mut command = definition();
    match shell {
        Shell::Bash => generate(shells::Bash, &mut command, "cll", &mut text),
        Shell::Zsh => generate(shells::Zsh, &mut command, "cll", &mut text),
        Shell::Fish => generate(shells::Fish, &mut command, "cll", &mut text),
    }
    text
}

/// Prints the main page, or writes all pages.
pub fn man(args: &ManArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    match &args.folder {
        None => {
            let (_, text) = pages()?.swap_remove(0);
            terminal.print(text)?;
        }
        Some(folder) => write_pages(folder)?,
    }
    Ok(0)
}

/// Writes all pages into a folder.
pub fn write_pages(folder: &Path) -> Result<(), Failure> {
    files::make_folder(folder)?;
    for (name, text) in pages()? {
        files::replace(&folder.join(name), &text)?;
    }
    Ok(())
}

/// The pages with their names: `cll.1` first, then `cll-model.1` and the others; `cll-machine-probe.1` for
/// subcommands.
fn pages() -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut main = definition();
    main.build();
    let mut pages = vec![("cll.1".to_owned(), page(main.clone())?)];
    below(&main, "cll", &mut pages)?;
    Ok(pages)
}

fn below(
    command: &clap::Command,
    called: &str,
    pages: &mut Vec<(String, Vec<u8>)>,
) -> Result<(), Failure> {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let name = format!("{called}-{}", inner.get_name());
        let renamed = inner.clone().name(name.clone()).display_name(name.clone());
        pages.push((format!("{name}.1"), page(renamed)?));
        below(inner, &name, pages)?;
    }
    Ok(())
}

fn page(command: clap::Command) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let man = Man::new(command).source(concat!("cll ", env!("CARGO_PKG_VERSION"))).manual("cll");
    man.render(&mut text).map_err(|error| output(&error))?;
    Ok(text)
}
