//! Help, man pages, completions.

use crate::support::{Place, have};

const COMMANDS: [&str; 25] = [
    "translate",
    "campaign",
    "profile",
    "cc",
    "run",
    "model",
    "fit",
    "show",
    "predict",
    "plan",
    "plot",
    "llac",
    "schema",
    "page",
    "counters",
    "machine",
    "upsilon",
    "why",
    "what-if",
    "mpi",
    "obsp",
    "export",
    "install",
    "completions",
    "man",
];

#[test]
fn every_command_has_help_with_an_example() {
    let place = Place::new();
    place.cll(&["--help"]).expect(0).prints(&["Examples:", "Exit codes"]);
    for command in COMMANDS {
        let done = place.cll(&[command, "--help"]).expect(0);
        done.prints(&["Examples:", &format!("cll {command}"), "Usage: cll"]);
        let short = place.cll(&[command, "-h"]).expect(0);
        assert!(short.out.contains("Examples:"), "{command}");
    }
    place.cll(&["--version"]).expect(0).prints(&["cll 0."]);
    place.cll(&[]).expect(2);
}

#[test]
fn man_pages_are_written_for_every_command() {
    let place = Place::new();
    place.cll(&["man", "pages"]).expect(0);
    let mut expected: Vec<String> = COMMANDS.iter().map(|name| format!("cll-{name}.1")).collect();
    let of_machine = ["probe", "list", "show", "compare", "check", "import", "export"];
    expected.extend(of_machine.map(|name| format!("cll-machine-{name}.1")));
    let of_upsilon = ["propose", "show", "import", "check"];
    expected.extend(of_upsilon.map(|name| format!("cll-upsilon-{name}.1")));
    let of_campaign = ["check", "run", "resume", "status", "compare", "merge"];
    expected.extend(of_campaign.map(|name| format!("cll-campaign-{name}.1")));
    let of_profile = ["show", "view", "diff", "export"];
    expected.extend(of_profile.map(|name| format!("cll-profile-{name}.1")));
    for name in ["model", "stats", "diff", "graph", "export"] {
        expected.push(format!("cll-mpi-{name}.1"));
    }
    expected.push("cll.1".into());
    expected.sort();
    assert_eq!(place.list("pages"), expected);
    place.cll(&["man"]).expect(0).prints(&[".TH cll 1"]);
    assert!(place.read("pages/cll-model.1").contains("Examples"));
    if have("man", "man_pages_are_written_for_every_command") {
        let done = place.sh("man --warnings -l pages/cll-model.1 | cat").expect(0);
        assert!(done.out.contains("--launches"), "{}", done.out);
    }
}

#[test]
fn completions_are_those_of_each_shell() {
    let place = Place::new();
    for (shell, part) in
        [("bash", "complete -F"), ("zsh", "#compdef cll"), ("fish", "complete -c cll")]
    {
        let done = place.cll(&["completions", shell]).expect(0).prints(&[part]);
        for command in COMMANDS {
            assert!(done.out.contains(command), "{shell}: {command}");
        }
    }
    place.sh("cll completions bash > c && bash -n c").expect(0);
}
