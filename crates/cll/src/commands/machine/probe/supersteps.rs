//! The probes of supersteps.

use cll_contract::Engine;
use cll_probe::supersteps::{
    Launches, MAX_ROUNDS, MIN_ROUNDS, Programs, Rounds, Sizes, csv, is_there, launches,
};

use super::bar::Bar;
use super::outcome::{self, Outcome, Taken};
use crate::cli::ProbeArgs;
use crate::failure::Failure;
use crate::launch::Local;
use crate::machine_state::BestSeen;
use crate::terminal::Terminal;

const MAX_BYTES: u64 = 16 << 20;
const MAX_BYTES_QUICK: u64 = 1 << 20;

/// The engines to be measured, and why others are missing.
pub struct Engines {
    /// The engines.
    pub engines: Vec<Engine>,
    /// Why an engine is not among them, in words.
    pub missing: Vec<String>,
}

/// Measures supersteps for this number of seconds; the result and the raw samples.
///
/// # Errors
/// If a probe cannot be compiled or fails, or the user interrupts it too early.
pub fn measure(
    args: &ProbeArgs,
    Engines { engines, missing }: Engines,
    (budget, seed): (f64, u64),
    known: BestSeen,
    taken: &Taken<'_>,
    terminal: &mut Terminal,
) -> Result<(Outcome, String), Failure> {
    let most = args.processors.unwrap_or(taken.host.processors);
    let launches = launches(&engines, taken.host.processors, most);
    let programs = Programs::build(&launches, terminal)?;
    let mut rounds = Rounds {
        launches: Launches { programs: &programs, scheduler: taken.scheduler },
        plan: launches,
        sizes: Sizes {
            largest: args.largest.unwrap_or(if args.quick { MAX_BYTES_QUICK } else { MAX_BYTES }),
            per_octave: if args.quick { 1 } else { 4 },
        },
        budget,
        most_rounds: if args.quick { MIN_ROUNDS } else { MAX_ROUNDS },
        seed,
        must_run: !args.engine.is_empty(),
        completed: Vec::new(),
        done: 0,
        missing,
    };
    let mut bar = Bar::new(args.quiet);
    let measured = rounds.measure(&mut Local::new(terminal)?, &mut bar);
    bar.finish();
    let seconds = measured?;
    // The first engine of a file is the default.
    rounds.completed.sort_by_key(|round| {
        (round.launching.engine as u8, round.launching.processors, round.round)
    });
    let outcome = outcome::evaluate(&rounds, known, seconds, taken)?;
    Ok((outcome, csv(&rounds.completed)))
}

impl Engines {
    /// The requested engines, or all available ones.
    ///
    /// # Errors
    /// If a requested one is not available.
    pub fn from_args(args: &ProbeArgs) -> Result<Engines, Failure> {
        let mut missing = Vec::new();
        if args.engine.is_empty() {
            let all = [Engine::Processes, Engine::Threads, Engine::Mpi];
            let there = |engine: &Engine| match is_there(*engine) {
                Ok(()) => true,
                Err(why) => {
                    missing.push(format!("engine {}: {why}", engine.name()));
                    false
                }
            };
            let engines = all.into_iter().filter(there).collect();
            return Ok(Engines { engines, missing });
        }
        let mut engines: Vec<Engine> = Vec::new();
        for &engine in &args.engine {
            if engine == Engine::Virtual {
                return Err(Failure::usage(
                    "--engine virtual: its costs are those of a machine file",
                )
                .help("measure processes, threads or mpi"));
            }
            is_there(engine).map_err(|error| Failure::usage(error.to_string()))?;
            if !engines.contains(&engine) {
                engines.push(engine);
            }
        }
        Ok(Engines { engines, missing })
    }
}
