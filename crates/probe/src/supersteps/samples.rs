//! Samples: the raw file in the folder of the machine's file, and the input of the fit.

use cll_statistics::median;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use cll_fit::rounds::RoundsTable;
use cll_machine::{EmptySample, Measured, Sample, Synchronisation};
use cll_units::Seconds;

use super::launch::Launched;
use super::plan::Launching;
use cll_launch::machine_state::MachineObservation;

/// A completed launch.
#[derive(Debug)]
pub struct Made {
    /// The settings.
    pub launching: Launching,
    /// The round, from 0.
    pub round: usize,
    /// The result.
    pub launched: Launched,
}

/// The first titles, also in files of earlier versions.
const FIRST_TITLES: &[u8] = b"round,engine,";

const TITLES: &str = "round,engine,processors,oversubscribed,synchronisation,pattern,bytes,h_max_bytes,\
                      h_sum_bytes,supersteps,sync_s,sync_lower_quartile_s,sync_upper_quartile_s,calls_s,fetch_s,\
                      launch_wall_s,launch_cpu_s,launch_involuntary_switches,launch_steal_share,\
                      canary_chain_ns,canary_width,canary_partner_ns\n";

/// Whether a file that begins so is a raw file.
pub fn is_csv(start: &[u8]) -> bool {
    start.starts_with(FIRST_TITLES)
}

/// The raw file: a row for each pattern and size of each launch; pattern `empty` for supersteps without
/// communication.
pub fn csv(launches: &[Made]) -> String {
    let mut out = TITLES.to_owned();
    for launch in launches {
        let Launching { engine, processors, oversubscribed, synchronisation } = &launch.launching;
        let head = format!(
            "{},{},{processors},{oversubscribed},{}",
            launch.round,
            engine.name(),
            synchronisation.name()
        );
        let tail = regime(&launch.launched.seen);
        for row in &launch.launched.output.samples {
            let (low, high) = row.quartiles;
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{head},{},{},{},{},{},{:e},{low:e},{high:e},{:e},{:e},{tail}",
                row.pattern.name(),
                row.bytes,
                row.h_max,
                row.h_sum,
                row.count,
                row.sync,
                row.calls,
                row.fetch
            );
        }
        for (_, seconds) in &launch.launched.output.empty {
            let _ = writeln!(out, "{head},empty,0,0,0,1,{seconds:e},,,0,0,{tail}");
        }
    }
    out
}

fn regime(seen: &MachineObservation) -> String {
    let best = |value_of: fn(&cll_launch::machine_state::SpeedTest) -> f64| {
        let best = seen.speed_tests.iter().map(value_of).fold(f64::INFINITY, f64::min);
        if best.is_finite() { format!("{best:.3}") } else { String::new() }
    };
    format!(
        "{:.4},{:.4},{},{:.4},{},{},{}",
        seen.wall,
        seen.cpu,
        seen.involuntary,
        seen.steal(),
        best(|look| look.chain),
        best(|look| look.width),
        seen.message_ns.map_or(String::new(), |ns| format!("{ns:.1}"))
    )
}

/// The input of the fit: the samples of the rounds that are used.
pub fn measured(launches: &[Made], used: &[bool], disagreement: f64) -> Measured {
    let mut measured = Measured { disagreement, every_pattern: true, ..Measured::default() };
    for launch in launches.iter().filter(|launch| used.get(launch.round).copied().unwrap_or(true)) {
        let setting = launch.launching.setting();
        let Made { launching, round, launched } = launch;
        measured.rates.extend(launched.output.rate);
        measured.samples.extend(launched.output.samples.iter().map(|row| Sample {
            setting: setting.clone(),
            synchronisation: launching.synchronisation,
            pattern: row.pattern,
            h_max: row.h_max,
            h_sum: row.h_sum,
            round: *round,
            time: Seconds(row.sync),
            calls: Seconds(row.calls),
            fetch: Seconds(row.fetch),
        }));
        for synchronisation in Synchronisation::ALL {
            let timings = launched.output.empty.iter().filter(|(kind, _)| *kind == synchronisation);
            let batches: Vec<f64> = timings.map(|(_, seconds)| *seconds).collect();
            if let Some(seconds) = median(batches.iter().copied()) {
                let setting = setting.clone();
                measured.empty.push(EmptySample {
                    setting,
                    synchronisation,
                    round: *round,
                    time: Seconds(seconds),
                    batches,
                });
            }
        }
    }
    measured
}

/// The times of each pattern and size in each round, with a core for each processor. Rounds are compared by them.
/// If there is no such launch, the times of all launches.
pub fn table(launches: &[Made], rounds: usize) -> RoundsTable {
    let own_cores = launches.iter().any(|launch| !launch.launching.oversubscribed);
    let all = measured(launches, &[], 0.0);
    let mut points: BTreeMap<_, Vec<Vec<f64>>> = BTreeMap::new();
    for sample in all.samples.iter().filter(|sample| sample.setting.oversubscribed != own_cores) {
        let key = (&sample.setting, sample.synchronisation, sample.pattern, sample.h_max.to_bits());
        let observed = points.entry(key).or_insert_with(|| vec![Vec::new(); rounds]);
        observed[sample.round].push(sample.time.get());
    }
    let mut table = RoundsTable::new(rounds);
    points.into_values().for_each(|observed| table.add(observed));
    table
}

/// The observed state of the machine in each round: during launches with a core for each processor and without MPI,
/// since MPI has processes that disturb. If there are none, during all launches.
pub fn seen(launches: &[Made], rounds: usize) -> Vec<MachineObservation> {
    let good = |launch: &Made| {
        !launch.launching.oversubscribed && launch.launching.engine != cll_contract::Engine::Mpi
    };
    let any = launches.iter().any(good);
    let of_round = |round: usize| {
        let used = launches.iter().filter(|launch| launch.round == round && (!any || good(launch)));
        let all = used.map(|launch| launch.launched.seen.clone()).reduce(|mut all, more| {
            all.add(more);
            all
        });
        let mut all = all.unwrap_or_default();
        if !any {
            // MPI has many processes, and they make each other wait.
            (all.involuntary, all.waiting) = (0.0, None);
        }
        all
    };
    (0..rounds).map(of_round).collect()
}
