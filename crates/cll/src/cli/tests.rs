use super::*;

#[test]
fn the_definition_holds_together() {
    definition().debug_assert();
}

/// Every command, option and argument stands in `docs/commands.md`, in the
/// section of its command, and nothing that does not exist does.
#[test]
fn the_documentation_names_every_command_and_option() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/commands.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut definition = definition();
    definition.build();
    let mut wrong = Vec::new();
    for command in definition.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = command.get_name();
        let heading = format!("## cll {name}\n");
        let Some((_, rest)) = text.split_once(&heading) else {
            wrong.push(format!("no section {heading:?}"));
            continue;
        };
        let section = rest.split("\n## ").next().unwrap_or_default();
        // Commands of their own, as of `cll machine`, stand in the section of theirs.
        let options: Vec<String> = command
            .get_arguments()
            .chain(command.get_subcommands().flat_map(|inner| inner.get_arguments()))
            .filter(|argument| !["help", "version", "color"].contains(&argument.get_id().as_str()))
            .filter_map(|argument| argument.get_long())
            .map(|long| format!("--{long}"))
            .collect();
        for option in &options {
            if !section.contains(&format!("`{option}")) {
                wrong.push(format!("cll {name}: {option} is not documented"));
            }
        }
        for row in section.lines().filter_map(|line| line.strip_prefix("| `--")) {
            let long = row.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next();
            let option = format!("--{}", long.unwrap_or_default());
            if option == "--" {
                continue;
            }
            if !options.contains(&option) && name != "cc" {
                wrong.push(format!("cll {name}: {option} does not exist"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_has_an_example() {
    for command in definition().get_subcommands() {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(help.contains(&format!("cll {}", command.get_name())), "{}", command.get_name());
    }
}

#[test]
fn what_follows_cc_is_the_compilers() {
    let cc = |line: &str| {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        compiler_arguments(&words, Driver::default()).map(|args| args.arguments.len())
    };
    assert_eq!(cc("cll cc --version"), Some(1));
    assert_eq!(cc("cll cc -h x.c"), Some(2));
    assert_eq!(cc("cll cc --help"), None);
    assert_eq!(cc("cll run cc"), None);
}

#[test]
fn other_launchers_spellings_of_n_are_known_before_the_program() {
    let expanded = |line: &str| {
        let mut words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        spellings::expand(&mut words, &definition());
        words.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    };
    for (given, meant) in [
        ("cll run -np 4 ./p", "cll run -n 4 ./p"),
        ("cll run -npes 4 ./p -np 3", "cll run -n 4 ./p -np 3"),
        (
            "cll run --log -o dir --timeout 10s -np 4 ./p",
            "cll run --log -o dir --timeout 10s -n 4 ./p",
        ),
        ("cll run --output=dir -np 4 ./p", "cll run --output=dir -n 4 ./p"),
        ("cll --color never run -odir -np 4 ./p", "cll --color never run -odir -n 4 ./p"),
        ("cll run ./p -np 4", "cll run ./p -np 4"),
        ("cll run -o -np ./p", "cll run -o -np ./p"),
        ("cll run -- -np 4", "cll run -- -np 4"),
        ("cll export -np 4", "cll export -np 4"),
    ] {
        assert_eq!(expanded(given), meant);
    }
}
