//! `--auto`: a pilot run says which functions and loops can be measured; at the end all are ranked.

use std::collections::{BTreeMap, BTreeSet};

use cll_result::{NotMeasured, Ranking};
use cll_samples::pilot::{MARKERS, MAX_SHARE, Passed, Unfit, passed, unfit};
use cll_samples::{Policy, prepare};
use cll_translate::{Automatic, PASSAGE};

use super::build::{self, Sources};
use super::evaluate::Evaluation;
use super::folder::Folder;
use super::plan;
use crate::cli::ModelArgs;
use crate::compiler::Compiler;
use crate::failure::Failure;
use crate::files;
use crate::launch::{Launcher, Mpirun, Outcome, Parallelism};
use crate::model::{MAIN, RankedRun, RankingInput, ranking};
use crate::sampling::{Campaign, Grid, Launching, Progress, Round, Template, Variation, few};
use crate::terminal::Terminal;
use cll_analysis::{At, read_together};
use cll_counters::Observing;

/// What `--auto` measures, and what it does not.
pub struct Chosen {
    /// The translated sources.
    pub sources: Sources,
    /// What is left out.
    pub left_out: Vec<NotMeasured>,
}

/// What the pilot needs besides the sources.
pub struct Pilot<'a> {
    pub args: &'a ModelArgs,
    pub variations: &'a [Variation],
    pub compiler: &'a Compiler,
    pub folder: &'a Folder,
    pub grid: &'a Grid,
    pub template: &'a Template,
    pub virtually: Option<Vec<(&'static str, std::ffi::OsString)>>,
    pub terminal: &'a Terminal,
}

impl Pilot<'_> {
    /// Runs the program with the smallest and the largest values, and leaves out what cannot be measured.
    ///
    /// # Errors
    /// If the program does not compile or run, or if nothing is left to measure.
    pub fn choose(self, sources: Sources, launcher: &mut dyn Launcher) -> Result<Chosen, Failure> {
        let Pilot { args, compiler, .. } = self;
        let mut left_out = cannot(&sources);
        let is_empty = sources.units.iter().all(|unit| unit.translation.regions.is_empty());
        if is_empty && sources.units.iter().all(|unit| unit.translation.experiments.is_empty()) {
            let why: Vec<String> =
                left_out.iter().take(5).map(|one| format!("{}: {}", one.place, one.why)).collect();
            let failure = Failure::input("--auto: no function or loop can be measured");
            return Err(match why.is_empty() {
                true => failure.help("the files have no function"),
                false => failure.help(why.join("; ")),
            });
        }
        let given = args.auto.choice().unwrap_or_default();
        let pilot = Automatic { is_pilot: true, ..given.clone() };
        let probing = build::translated(args, compiler, Some(&pilot))?;
        let runs = self.run(&probing, launcher)?;
        let out = unfit(&runs, MAIN);
        if out.is_empty() {
            return Ok(Chosen { sources, left_out });
        }
        let longest = runs.last();
        left_out.extend(out.iter().map(|(name, why)| {
            let known = longest.and_then(|(all, _)| all.iter().find(|one| one.name == *name));
            let seconds = longest.map_or(1.0, |(_, seconds)| *seconds);
            not_measured(&sources, name, *why, known, seconds)
        }));
        let mut without = given.without.clone();
        without.extend(out.iter().map(|(name, _)| name.clone()));
        let choice = Automatic { without, ..given };
        let kept = build::translated(args, compiler, Some(&choice))?;
        let mut regions = kept.units.iter().flat_map(|unit| &unit.translation.regions);
        let is_left = regions.any(|region| region.name != MAIN)
            || kept
                .units
                .iter()
                .any(|unit| unit.translation.experiments.len() > unit.translation.regions.len());
        if !is_left {
            let named: Vec<String> =
                left_out.iter().filter(|one| one.seconds.is_some()).take(5).map(in_words).collect();
            return Err(Failure::fit(format!(
                "--auto: every function and loop is too short or is called too often to be measured: {}",
                named.join("; ")
            ))
            .help("a larger size (--vary) makes passages longer")
            .help("or put `#pragma cll NAME auto` … `#pragma cll end NAME` around code that calls them many times"));
        }
        Ok(Chosen { sources: kept, left_out })
    }

    /// The passages of a run of the smallest and one of the largest values, each with its time.
    fn run(
        &self,
        sources: &Sources,
        launcher: &mut dyn Launcher,
    ) -> Result<Vec<(Vec<Passed>, f64)>, Failure> {
        let Pilot { args, compiler, folder, grid, template, terminal, .. } = *self;
        let built = build::compile(args, compiler, sources, folder, terminal)?;
        let program = folder.program();
        let parallelism = Parallelism::for_model(built.model);
        let mpirun = match parallelism {
            Parallelism::Ranks => Some(Mpirun::for_program(&program)?),
            _ => None,
        };
        let place = files::temporary_folder()?;
        let mut campaign = Campaign {
            program,
            plain: None,
            name: "pilot".to_owned(),
            arguments: template.clone(),
            folder: place.path().to_path_buf(),
            work: None,
            log: super::log(folder)?,
            logged: None,
            timeout: args.timeout,
            number: None,
            watched: false,
            variables: Vec::new(),
            parallelism,
            mpirun,
            has_threads: built.has_threads,
            virtually: self.virtually.clone(),
            place: plan::place(args, sources, grid),
            observing: Observing::from_options(
                &crate::cli::ObservingOptions::default().wanted(),
                None,
            )?,
            too_long: Vec::new(),
        };
        let mut all = few(grid, 0);
        let last = all.pop();
        all.truncate(usize::from(last.is_some()));
        let launches: Vec<Launching> = all
            .into_iter()
            .chain(last)
            .map(|launching| Launching { gate: true, ..launching })
            .collect();
        let mut runs = Vec::new();
        for launched in campaign.carry_out(launches, launcher, &mut Silent)? {
            let wall = launched.outcome.wall.as_secs_f64();
            if let Some(why) = crate::launch::ending(&launched.outcome) {
                let values = super::in_words(self.variations, &launched.launching.values);
                return Err(Failure::program(format!(
                    "--auto: the pilot run ({values}) failed: {why}"
                )));
            }
            let Some(trace) = &launched.outcome.trace else { continue };
            let (trace, _) =
                prepare(read_together(std::slice::from_ref(trace))?, &Policy::default());
            let passed = passed(&trace, PASSAGE);
            let main = passed.iter().find(|one| one.name == MAIN && one.passages > 0.0);
            let seconds = main.map_or(wall, |main| main.seconds);
            runs.push((passed, seconds));
        }
        Ok(runs)
    }
}

/// A pilot shows no progress.
struct Silent;

impl Progress for Silent {
    fn begins(&mut self, _: &Launching) {}
    fn ended(&mut self, _: &Outcome) {}
}

/// What the translator could not place.
fn cannot(sources: &Sources) -> Vec<NotMeasured> {
    let units = sources.units.iter();
    let all = units.flat_map(|unit| {
        unit.translation.left_out.iter().map(|one| NotMeasured {
            name: one.name.clone(),
            place: format!("{}:{}", unit.name(), one.line),
            why: one.why.clone(),
            passages: None,
            seconds: None,
            cost: None,
        })
    });
    all.collect()
}

fn not_measured(
    sources: &Sources,
    name: &str,
    why: Unfit,
    known: Option<&Passed>,
    seconds: f64,
) -> NotMeasured {
    let place = regions(sources).into_iter().find(|(known, _)| known == name);
    let why = match why {
        Unfit::Short => format!("a passage takes less than {:.1} µs", 1e7 * MARKERS),
        Unfit::Often => "it is passed too often".to_owned(),
        Unfit::Costly => format!(
            "measuring it costs most, and all together would cost more than {:.0} %",
            100.0 * MAX_SHARE
        ),
    };
    NotMeasured {
        name: name.to_owned(),
        place: place.map(|(_, place)| place).unwrap_or_default(),
        why,
        passages: known.map(|one| one.passages),
        seconds: known.map(Passed::each),
        cost: known.map(|one| one.cost() / seconds),
    }
}

fn in_words(one: &NotMeasured) -> String {
    let passages = one.passages.unwrap_or_default();
    let each = one.seconds.unwrap_or_default();
    format!("{} ({passages:.0} passages of {:.0} ns)", one.name, 1e9 * each)
}

/// The experiments that no pragma names, with their places.
pub fn regions(sources: &Sources) -> Vec<(String, String)> {
    let units = sources.units.iter();
    let all = units.flat_map(|unit| {
        let place = |line: usize| format!("{}:{line}", unit.name());
        unit.translation.regions.iter().map(move |region| (region.name.clone(), place(region.line)))
    });
    all.collect()
}

/// The ranking of everything that was measured.
///
/// # Errors
/// If traces cannot be read.
pub fn rank(
    args: &ModelArgs,
    (regions, left_out): (&[(String, String)], Vec<NotMeasured>),
    rounds: &[Round],
    evaluation: &Evaluation,
    asked: &[At],
    folder: &Folder,
    options: &cll_search::Options,
) -> Result<Ranking, Failure> {
    let used = rounds
        .iter()
        .enumerate()
        .filter(|(index, _)| evaluation.judgement.used.get(*index).copied().unwrap_or(true));
    let used: Vec<&Round> = used.map(|(_, round)| round).collect();
    let traces: Vec<_> = used.iter().flat_map(|round| round.traces(folder.path())).collect();
    let (trace, _) = prepare(read_together(&traces)?, &Policy::default());
    let runs = used.iter().flat_map(|round| &round.runs);
    let runs: Vec<_> = runs.filter(|run| !run.description.trace.is_empty()).collect();
    let counts: BTreeSet<Option<u32>> = runs.iter().map(|run| run.description.processors).collect();
    let is_counted = counts.len() > 1 && !args.vary.iter().any(|one| one.name == "P");
    let mut variables: Vec<String> = args.vary.iter().map(|one| one.name.clone()).collect();
    if is_counted {
        variables.push("P".to_owned());
    }
    let ranked: BTreeMap<u32, RankedRun> = runs
        .iter()
        .enumerate()
        .map(|(number, run)| {
            let mut values = run.values.clone();
            if is_counted {
                values.push(run.description.processors.map_or(f64::NAN, f64::from));
            }
            let wall = run.description.wall.map(|wall| wall.get());
            (number as u32, RankedRun { values, wall })
        })
        .collect();
    Ok(ranking(RankingInput {
        trace: &trace,
        runs: &ranked,
        variables: &variables,
        target: asked.first(),
        options,
        regions,
        left_out,
    }))
}
