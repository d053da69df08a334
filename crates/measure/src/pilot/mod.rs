//! `--auto`: a pilot run says which functions and loops can be measured; at the end all are ranked.

mod marker;
mod messages;

use std::collections::{BTreeMap, BTreeSet};

use cll_result::{NotMeasured, Notice, Ranking};
use cll_samples::pilot::{Passed, counted, passed, unfit};
use cll_samples::{Policy, prepare};
use cll_translate::{Automatic, PASSAGE};

use crate::Error;
use crate::build::Sources;
use crate::evaluate::Evaluation;
use crate::folder::Folder;
use crate::plan;
use crate::settings::{Settings, observing_nothing};
use crate::toolchain::Toolchain;
use crate::words::in_words;
use cll_analysis::ranking::{MAIN, RankedRun, RankingInput, powers_of_two, ranking};
use cll_analysis::{Location, read_together};
use cll_driver::compiler::{Compiler, Language};
use cll_files as files;
use cll_launch::{Launcher, Mpirun, Outcome, Parallelism};
use cll_sampling::{Campaign, Grid, Launching, Progress, Round, Template, Variation, few};

/// How often it is looked again at what is left to measure.
const MOST_TRIES: usize = 4;

/// The regions that `--auto` measures, and those that it does not.
pub struct Chosen {
    /// The translated sources.
    pub sources: Sources,
    /// The regions that are left out.
    pub left_out: Vec<NotMeasured>,
    /// The names of what is left out.
    pub names: Vec<String>,
    /// The seconds of the markers of one passage, and whether they were measured.
    pub marker: (f64, bool),
}

impl Chosen {
    /// Everything, without a pilot.
    pub(crate) fn all(sources: Sources) -> Chosen {
        Chosen { sources, left_out: Vec::new(), names: Vec::new(), marker: (f64::NAN, false) }
    }
}

/// Which values a run of a pilot has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// The smallest and the largest; passages are sampled.
    Both,
    /// The largest; every passage is measured.
    Longest,
}

/// The settings that the pilot needs besides the sources.
pub struct Pilot<'a> {
    /// The program, and how it is built and run.
    pub args: &'a Settings<'a>,
    /// The varied arguments, with their values.
    pub variations: &'a [Variation],
    /// Makes its programs.
    pub toolchain: &'a dyn Toolchain,
    /// The compiler of its files.
    pub compiler: &'a Compiler,
    /// Where it is built.
    pub folder: &'a Folder,
    /// The values of its runs.
    pub grid: &'a Grid,
    /// The arguments.
    pub template: &'a Template,
    /// The settings of virtual processors, if it has them.
    pub virtually: Option<Vec<(&'static str, std::ffi::OsString)>>,
}

impl Sources {
    fn has_experiments(&self) -> bool {
        let mut units = self.units.iter();
        units.any(|unit| !unit.translation.experiments.is_empty())
    }

    /// Whether a source is in C++.
    fn has_cxx(&self) -> bool {
        self.units.iter().any(|unit| unit.language == Language::Cxx)
    }

    /// Whether something besides this experiment is measured.
    fn has_more_than(&self, name: &str) -> bool {
        let mut all = self.units.iter().flat_map(|unit| &unit.translation.experiments);
        all.any(|experiment| experiment.name != name)
    }
}

impl Pilot<'_> {
    /// Runs the program with the smallest and the largest values, and leaves out what cannot be measured. Then runs it
    /// with what is left, since in the pilot runs all the others took time, too.
    ///
    /// # Errors
    /// If the program does not compile or run, or if nothing is left to measure.
    pub fn choose(self, sources: Sources, launcher: &mut dyn Launcher) -> Result<Chosen, Error> {
        let Pilot { args, toolchain, compiler, .. } = self;
        let mut left_out = messages::cannot(&sources);
        if !sources.has_experiments() {
            return Err(messages::nothing(&left_out, sources.has_cxx()));
        }
        let marker = marker::measure(&self, &sources, launcher)?;
        let given = args.automatic.clone().unwrap_or_default();
        let pilot = Automatic { is_pilot: true, ..given.clone() };
        let probing = toolchain.translate_again(args, compiler, &pilot)?;
        let runs = self.run(&probing, Which::Both, launcher)?;
        let mut out = unfit(&runs, MAIN, marker.0);
        let mut longest = runs.last().cloned();
        let mut chosen = given;
        let mut kept = sources;
        for _ in 0..MOST_TRIES {
            if out.is_empty() {
                break;
            }
            left_out.extend(out.iter().map(|(name, why)| {
                messages::not_measured(&kept, name, *why, longest.as_ref(), marker.0)
            }));
            chosen.without.extend(out.iter().map(|(name, _)| name.clone()));
            kept = toolchain.translate_again(args, compiler, &chosen)?;
            if !kept.has_more_than(MAIN) {
                return Err(messages::all_too_short(&left_out));
            }
            let runs = self.run(&kept, Which::Longest, launcher)?;
            out = unfit(&runs, MAIN, marker.0);
            longest = runs.last().cloned();
        }
        let names = chosen.without;
        Ok(Chosen { sources: kept, left_out, names, marker })
    }

    /// The passages of a run of the smallest and one of the largest values, each with its time; of the largest only, if
    /// every passage is measured.
    fn run(
        &self,
        sources: &Sources,
        which: Which,
        launcher: &mut dyn Launcher,
    ) -> Result<Vec<(Vec<Passed>, f64)>, Error> {
        let Pilot { args, toolchain, compiler, folder, grid, template, .. } = *self;
        let built = toolchain.compile(args, compiler, sources, folder)?;
        let program = folder.program();
        let parallelism = Parallelism::for_model(built.model);
        let mpirun = match parallelism {
            Parallelism::Ranks => Some(Mpirun::for_program(&program)?),
            _ => None,
        };
        let place = files::temporary_folder()?;
        let mut campaign = Campaign {
            name: "pilot".to_owned(),
            parallelism,
            mpirun,
            has_threads: built.has_threads,
            virtually: self.virtually.clone(),
            place: plan::place(args, sources, grid),
            observing: observing_nothing()?,
            ..Campaign::new(
                program,
                template.clone(),
                place.path().to_path_buf(),
                folder.open_log()?,
                args.timeout,
            )
        };
        let mut all = few(grid, 0);
        let last = all.pop();
        all.truncate(usize::from(last.is_some() && which == Which::Both));
        let launches: Vec<Launching> = all
            .into_iter()
            .chain(last)
            .map(|launching| Launching { gate: true, ..launching })
            .collect();
        let mut runs = Vec::new();
        for launched in campaign.carry_out(launches, launcher, &mut Silent)? {
            let wall = launched.outcome.wall.as_secs_f64();
            if let Some(why) = cll_launch::ending(&launched.outcome) {
                let values = in_words(self.variations, &launched.launching.values);
                return Err(Error::Pilot { values, why });
            }
            let Some(trace) = &launched.outcome.trace else { continue };
            let (trace, _) =
                prepare(read_together(std::slice::from_ref(trace))?, &Policy::default());
            let passed = match which {
                Which::Both => passed(&trace, PASSAGE),
                Which::Longest => counted(&trace),
            };
            let main = passed.iter().find(|passage| passage.name == MAIN && passage.passages > 0.0);
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

/// The experiments that no pragma names, with their places.
pub fn regions(sources: &Sources) -> Vec<(String, String)> {
    let units = sources.units.iter();
    let all = units.flat_map(|unit| {
        let place = |line: usize| format!("{}:{line}", unit.name());
        unit.translation.regions.iter().map(move |region| (region.name.clone(), place(region.line)))
    });
    all.collect()
}

/// The regions that are ranked.
pub struct Ranked<'a> {
    /// The experiments that no pragma names, with their places.
    pub regions: &'a [(String, String)],
    /// The regions that are not measured.
    pub left_out: Vec<NotMeasured>,
    /// The seconds of the markers of one passage, and whether they were measured.
    pub marker: (f64, bool),
    /// The observable in place of the time.
    pub observable: Option<&'a str>,
}

/// The ranking of everything that was measured.
///
/// # Errors
/// If traces cannot be read.
pub fn rank(
    args: &Settings<'_>,
    chosen: Ranked<'_>,
    rounds: &[Round],
    evaluation: &Evaluation,
    asked: &[Location],
    folder: &Folder,
    options: &cll_search::Options,
) -> Result<(Ranking, Option<Notice>), Error> {
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
    let is_counted = counts.len() > 1 && !args.vary.iter().any(|name| name == "P");
    let mut variables: Vec<String> = args.vary.clone();
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
    let Ranked { regions, left_out, marker, observable } = chosen;
    let input = RankingInput {
        trace: &trace,
        runs: &ranked,
        variables: &variables,
        target: asked.first(),
        options,
        regions,
        left_out,
        marker,
        observable,
    };
    let ranking = ranking(&input);
    let first = ranking.spots.first().map(|spot| spot.name.as_str()).unwrap_or_default();
    let notice = powers_of_two(&input, first).map(|two| {
        let values = |list: &[f64]| list.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let name = two.variable;
        let text = format!(
            "{}, and all sizes {name} are powers of two, at which rows and columns share few sets of the caches: \
             measure {} as well (--vary {name}={})",
            if two.by_logarithm { format!("the formula of {first} has a logarithm beside a power") } else { format!("the formula of {first} misses its times") },
            values(&two.between),
            values(&two.all),
        );
        Notice::new("powers-of-two", text)
    });
    Ok((ranking, notice))
}
