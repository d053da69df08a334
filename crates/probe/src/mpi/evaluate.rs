//! From rounds to the costs of MPIs, and whether they are reliable.

use std::collections::BTreeMap;

use cll_fit::rounds::{RoundSelection, RoundsTable, Signs, marks, select_rounds};
use cll_launch::machine_state::BestSeen;
use cll_machine::{MessageCall, MessagePassing, MpiSample, MpiSamples, Regimes};
use cll_sampling::signs;

use super::rounds::MpiRounds;
use crate::messages;
use cll_units::text::{BinaryUnit, BytesDigits, BytesUnit, bytes};

/// The parts of the time of a message that a file of an MPI has, and their symbols.
const COMPONENTS: [(MessageCall, &str); 4] = [
    (MessageCall::Emission, "t_e"),
    (MessageCall::Transit, "t_t"),
    (MessageCall::Reception, "t_r"),
    (MessageCall::Total, "the whole time of a message"),
];

/// The results of the rounds.
pub struct MpiFound {
    /// The costs.
    pub costs: MessagePassing,
    /// Times that were seen in several regimes.
    pub regimes: Vec<Regimes>,
    /// The tasks that could not be measured, in words.
    pub missing: Vec<String>,
    /// How reliable they are.
    pub judgement: RoundSelection,
    /// The highest speed that this machine has shown.
    pub known: BestSeen,
    /// How it was measured, in words.
    pub how: String,
    /// Seconds of the messages between two processors before and after launches.
    pub messages: Vec<f64>,
}

/// Selects rounds and fits their samples. With more than `cores` processes on a host they are oversubscribed.
pub fn evaluate(rounds: &mut MpiRounds<'_>, known: BestSeen, cores: u32, seconds: f64) -> MpiFound {
    name_starts(rounds);
    let known = rounds.seen.iter().fold(known, |known, seen| known.with(seen));
    let signs: Vec<Signs> = rounds.seen.iter().map(|seen| signs(seen, &known)).collect();
    let table = table(rounds);
    let judgement = select_rounds(&marks(&signs, &table.slowness()), &signs, &table);
    let wider = judgement.off.map_or(0.0, |off| off.below.max(off.above));
    let is_used = |round: usize| judgement.used.get(round).copied().unwrap_or(true);
    let used = rounds.samples.iter().filter(|timed| is_used(timed.sample.round));
    let samples: Vec<MpiSample> = used.map(|timed| timed.sample.clone()).collect();
    let all = MpiSamples { all: &samples, cores, wider };
    let mut costs = all.evaluate();
    let regimes = all.regimes(&mut costs);
    let mut missing = rounds.libraries.missing.clone();
    for library in &costs.libraries {
        let (name, hosts) = (&library.name, library.hosts);
        if library.eager.is_none()
            && costs.messages.iter().any(|line| line.mpi == *name && line.hosts == hosts)
        {
            missing.push(format!("{name}: the eager limit"));
        }
        let without =
            COMPONENTS.iter().filter(|(call, _)| costs.message(name, hosts, *call, None).is_none());
        let without: Vec<&str> = without.map(|(_, word)| *word).collect();
        if !without.is_empty() {
            let place = if hosts == 1 { String::new() } else { format!(" between {hosts} hosts") };
            missing.push(format!(
                "{name}{place}: {}: too few sizes were measured",
                without.join(", ")
            ));
        }
    }
    if costs.settings().iter().all(|(_, hosts)| *hosts == 1) {
        missing
            .push("messages between hosts (CLL_MPIRUN names a launcher that uses several)".into());
    }
    let used = judgement.used.iter().filter(|is| **is).count();
    let how = format!(
        "MPI: {} rounds ({used} used) in {seconds:.0} s, seed {}; messages of 8 bytes to {}, {} sizes to an octave; \
         times are medians of 11 repetitions",
        rounds.done,
        rounds.seed,
        bytes(rounds.plan.largest as f64, BytesUnit::Only(BinaryUnit::Kib), BytesDigits::Down),
        rounds.plan.per_octave
    );
    let messages = messages(&rounds.seen);
    MpiFound { costs, regimes, missing, judgement, known, how, messages }
}

/// The start is of the MPI whose family it has.
fn name_starts(rounds: &mut MpiRounds<'_>) {
    let mut names: Vec<String> =
        rounds.samples.iter().map(|timed| timed.sample.mpi.clone()).collect();
    names.sort_unstable();
    names.dedup();
    for timed in rounds.samples.iter_mut().filter(|timed| timed.sample.call == "start") {
        let family = timed.sample.mpi.clone();
        if let Some(name) =
            names.iter().find(|name| name.len() > family.len() && name.starts_with(&family))
        {
            timed.sample.mpi.clone_from(name);
        }
    }
}

/// Calls of two processes on one host, by which rounds are compared.
fn table(rounds: &MpiRounds<'_>) -> RoundsTable {
    let mut points: BTreeMap<(&str, &str, &str, u64), Vec<Vec<f64>>> = BTreeMap::new();
    for MpiSample { mpi, call, partner, bytes, round, value, .. } in rounds
        .samples
        .iter()
        .map(|timed| &timed.sample)
        .filter(|sample| sample.hosts == 1 && sample.partner != "-")
    {
        if call == "eager" {
            continue;
        }
        let key = (mpi.as_str(), call.as_str(), partner.as_str(), bytes.to_bits());
        let observed = points.entry(key).or_insert_with(|| vec![Vec::new(); rounds.done]);
        if let Some(values) = observed.get_mut(*round) {
            values.push(*value);
        }
    }
    let mut table = RoundsTable::new(rounds.done);
    points.into_values().for_each(|observed| table.add(observed));
    table
}
