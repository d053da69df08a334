//! `scripts/selection`: what `scripts/test` runs after a change. git and cargo are replaced by functions that answer as
//! a test says.

use std::process::Command;

use crate::metadata::root;

/// Sources the script, with an earlier run in which all passed, the files that were changed since, and what uses them.
fn select(changed: &[&str], users: &str, more: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "set -u\nlogs=$0 target=$0 all=false seed=abc\necho before >$target/all-passed\n. scripts/selection\n\
         working_tree() {{ echo now; }}\n\
         git() {{ case \"$1\" in diff-tree) printf '%s\\n' {} ;; diff | cat-file) return 0 ;; *) echo 1234 ;; esac; }}\n\
         cargo() {{ printf '{users}\\n'; }}\n\
         {more}\nselect_tests\n\
         echo \"direct=$direct\"\necho \"reached=$reached\"\necho \"commands=$commands\"\n\
         echo \"pages=${{#browser_tests[@]}}\"\n\
         echo \"others=$browser,$python,$real_code\"\n\
         echo \"matrix=${{CLL_TEST_MATRIX-drawn}}\"\necho \"$selection\"\n",
        changed.join(" ")
    );
    let mut bash = Command::new("bash");
    bash.args(["-c", &script]).arg(folder.path()).current_dir(root()).env_remove("CI");
    let output = bash.env_remove("CLL_TEST_MATRIX").output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && message.is_empty(), "{message}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn has(selection: &str, lines: &[&str]) {
    for line in lines {
        assert!(selection.lines().any(|known| known.contains(line)), "{line:?} in\n{selection}");
    }
}

#[test]
fn a_changed_crate_runs_its_tests_and_a_part_of_what_uses_it() {
    let users = "cll-report v0.1.0\\ncll v0.1.0\\ncll-python v0.1.0";
    let selection = select(&["crates/report/src/lib.rs"], users, "");
    let direct = "direct=none()|(package(cll-report) - ";
    has(&selection, &[direct, "rdeps(cll-report)", "commands=package(cll)", "others=true,"]);
    has(&selection, &["changed since all passed: cll-report (1 file)", "--all runs all"]);
    // What uses it runs after some commits: seeds of the same change draw it and do not.
    let python = |seed: &str| {
        let seed = format!("seed={seed}");
        select(&["crates/fit/src/lib.rs"], users, &seed).contains(",true,false\n")
    };
    let drawn = (0..40).filter(|seed| python(&seed.to_string())).count();
    assert!((1..30).contains(&drawn), "{drawn} of 40");
    has(&select(&["crates/translate/src/lib.rs"], "xtask v0.1.0", ""), &["false,false,true"]);
    has(&select(&["crates/fit/src/lib.rs"], users, ""), &["others=true", "pages=1"]);
}

#[test]
fn parts_are_numbers_from_one_to_their_count() {
    let parts = "for name in a b c d e f g h i j; do echo \"part=$(part $name 4)\"; done";
    let selection = select(&["docs/llac.md"], "", parts);
    let parts: Vec<u32> =
        selection.lines().filter_map(|line| line.strip_prefix("part=")?.parse().ok()).collect();
    assert_eq!(parts.len(), 10, "{selection}");
    assert!(parts.iter().all(|part| (1..=4).contains(part)), "{parts:?}");
    assert!(parts.iter().any(|part| *part != parts[0]), "{parts:?}");
}

#[test]
fn a_changed_engine_runs_the_tests_of_the_library_in_programs() {
    let selection = select(&["crates/bsp/src/lib.rs"], "cll-runtime v0.1.0", "");
    has(&selection, &["|package(cll-runtime)", "commands=package(cll)", "matrix=drawn"]);
    // After it was committed, every engine.
    let committed = "git() { case \"$1\" in diff-tree) echo crates/bsp/src/lib.rs ;; cat-file) return 0 ;; \
                     diff) return 1 ;; *) echo 1234 ;; esac; }";
    let selection = select(&[], "cll-runtime v0.1.0", committed);
    has(&selection, &["matrix=1", "every engine and MPI"]);
}

#[test]
fn changed_tests_and_documents_run_themselves() {
    let changed = ["crates/cll/tests/commands/plans.rs", "docs/llac.md"];
    let selection = select(&changed, "", "");
    has(&selection, &["test(/^plans::/)", "binary(docs)", "reached=none()", "commands=none()"]);
    has(&selection, &["others=false,false,false"]);
    has(
        &selection,
        &["since all passed: documents, tests of the commands: plans (2 files); their tests run"],
    );
    // Linters run in any case.
    let linter = ["docs/llac.md", "viewer/prose/words.json"];
    let selection = select(&linter, "", "");
    has(&selection, &["documents, linter of prose (2 files)", "others=false,false,false"]);
    let folders = ["crates/cll/tests/commands/batch/slurm.rs"];
    has(&select(&folders, "", ""), &["test(/^batch::/)"]);
}

#[test]
fn without_nextest_nothing_is_said_to_be_left_out() {
    let without = "has_nextest() { false; }";
    let selection = select(&["crates/report/src/lib.rs"], "cll v0.1.0", without);
    has(&selection, &["since all passed: cll-report (1 file); cargo test runs all tests of Rust"]);
    assert!(!selection.contains("one in"), "{selection}");
}

#[test]
fn what_may_reach_everything_runs_everything() {
    for path in ["Cargo.lock", "scripts/test", ".config/nextest.toml"] {
        let selection = select(&["crates/report/src/lib.rs", path], "cll v0.1.0", "");
        has(&selection, &["direct=all()", "reached=none()", "others=true,true,true"]);
        has(&selection, &[&format!("everything runs: {path} changed")]);
    }
    for more in ["all=true", "CI=true", "rm $target/all-passed", "working_tree() { echo before; }"]
    {
        let selection = select(&["crates/report/src/lib.rs"], "cll v0.1.0", more);
        has(&selection, &["direct=all()", "everything runs"]);
    }
}
