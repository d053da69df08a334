//! Runs of situations, and of programs that state what comes of them.

use crate::build::number_of_situations;
use crate::machine::Ended;
use crate::stated::Stated;
use crate::support::Program;
use crate::surroundings::Surroundings;

/// Runs the situations with this number of processors; all must hold.
pub fn play(
    program: &Program,
    surroundings: &Surroundings,
    engine: &str,
    processors: usize,
    environment: &[(&str, &str)],
) {
    let mut machine = surroundings.machine(&program.path, engine, processors);
    machine.command.envs(environment.iter().copied());
    if let Some(chosen) = std::env::var_os("SITUATIONS") {
        machine.command.env("SITUATIONS", chosen);
    }
    machine.command.env("SITUATIONS_SHOWN", "1");
    let ended = machine.run();
    let reported: Vec<&str> = ended.output.lines().filter(|line| !line.starts_with("# ")).collect();
    let last = ended.output.lines().rfind(|line| line.starts_with("# ")).unwrap_or("none");
    let here = format!("{processors} processors, {engine}, {environment:?}");
    assert!(
        ended.is_well() && !reported.iter().any(|line| line.starts_with("FAILED")),
        "{here}; the last situation of processor 0: {last}; {:?}{}\n{}\n{}",
        ended.status,
        if ended.endless { ", killed since it did not end" } else { "" },
        reported.join("\n"),
        ended.messages
    );
    let all = number_of_situations();
    for pid in 0..processors {
        let line = format!("processor {pid} of {processors} played ");
        let played = reported.iter().find_map(|reported| reported.strip_prefix(&line));
        let chosen = std::env::var_os("SITUATIONS").is_some();
        let expected = format!("{all} situations");
        assert!(played.is_some_and(|count| chosen || count == expected), "{here}: {reported:?}");
    }
}

/// Whether a program has ended as it states.
pub fn is_as_stated(stated: &Stated, processors: usize, ended: &Ended) -> Result<(), String> {
    let mut output: Vec<&str> = ended.output.lines().collect();
    if stated.unordered {
        output.sort_unstable();
    }
    if output == stated.output(processors)
        && stated.status.is(ended.status, 0)
        && ended.messages.is_empty()
        && !ended.endless
    {
        Ok(())
    } else {
        Err(format!("{ended:?}"))
    }
}
