//! The program of a request, ready to be sampled.

use std::path::PathBuf;

use crate::Error;
use cll_analysis::{Choices, Location, SearchChoice, check_planned};
use cll_contract::Setting;
use cll_counters::{Observing, is_own_doing};
use cll_driver::Listener;
use cll_driver::compiler::Compiler;
use cll_files as files;
use cll_launch::machine_state::{BestSeen, Placement};
use cll_launch::{Mpirun, Parallelism};
use cll_result::{Against, NotMeasured};
use cll_sampling::{Campaign, Goal, Grid, SavedRounds};

use super::{Request, World, folder};
use crate::build::{Built, Sources, processors};
use crate::evaluate::Fitting;
use crate::folder::Folder;
use crate::guided::Guided;
use crate::pilot::{Chosen, Pilot, regions};
use crate::plan::{self, RunSettings};
use crate::sample::{Overhead, Sampler};
use crate::toolchain::Toolchain;

/// A built program, and how it will be run.
pub(super) struct BuiltProgram {
    pub sources: Sources,
    pub compiler: Compiler,
    pub built: Built,
    pub folder: Folder,
    /// The values at which experiments are predicted, of the variables that they save.
    pub asked: Vec<Location>,
    pub place: Placement,
    pub observing: Observing,
    /// How counters are divided among runs, in words.
    pub divided: Option<String>,
    /// The experiments that no pragma names, with their places.
    pub regions: Vec<(String, String)>,
    /// The regions that the pilot has left out.
    pub left_out: Vec<NotMeasured>,
    /// The seconds of the markers of one passage, and whether they were measured.
    pub marker: (f64, bool),
    grid: Grid,
    executable: PathBuf,
    mpirun: Option<Mpirun>,
    virtually: Option<Vec<Setting>>,
}

impl BuiltProgram {
    /// Translates and compiles.
    pub fn prepare(request: &Request<'_>, world: &mut World<'_>) -> Result<BuiltProgram, Error> {
        let settings = &request.settings;
        let mut observing = settings.observing()?;
        let (sources, compiler) = world.toolchain.translate(settings, world.listener)?;
        observing.divide(&sources.counters());
        let divided = observing.in_words();
        if let Some(text) = &divided {
            world.listener.note(text);
        }
        let grid = grid(request, &sources, &observing, world)?;
        for text in check_planned(&request.held_out, &sources.planned(&request.variations, &grid))?
        {
            world.listener.warn(&text);
        }
        let most = grid.processors.iter().flatten().max().copied();
        let virtually = (world.virtual_processors)(sources.model(), most)?;
        let folder = Folder::claim(folder(request), &request.name)?;
        let Chosen { sources, left_out, names, marker } = match &settings.automatic {
            Some(_) => {
                let pilot = Pilot {
                    args: settings,
                    toolchain: world.toolchain,
                    variations: &request.variations,
                    compiler: &compiler,
                    folder: &folder,
                    grid: &grid,
                    template: &request.arguments,
                    virtually: virtually.clone(),
                };
                pilot.choose(sources, &mut *(world.launcher)()?)?
            }
            None => Chosen::all(sources),
        };
        let asked = match &settings.automatic {
            // The size for the ranking is that of the arguments; experiments have variables of their own.
            Some(_) => sources.own(&request.asked, settings)?,
            None => request.asked.clone(),
        };
        let built = world.toolchain.compile(settings, &compiler, &sources, &folder)?;
        if settings.automatic.is_some() {
            let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
            files::replace(&folder.left_out(), lines.as_bytes())?;
        }
        let executable = folder.program();
        let mpirun = match Parallelism::for_model(built.model) {
            Parallelism::Ranks => Some(Mpirun::for_program(&executable)?),
            _ => None,
        };
        Ok(BuiltProgram {
            place: plan::place(settings, &sources, &grid),
            regions: regions(&sources),
            sources,
            compiler,
            built,
            folder,
            asked,
            observing,
            divided,
            left_out,
            marker,
            grid,
            executable,
            mpirun,
            virtually,
        })
    }

    /// The rounds of an earlier call, or none.
    pub fn resume(&self, request: &Request<'_>, world: &World<'_>) -> Result<SavedRounds, Error> {
        let how = RunSettings {
            built: &self.built,
            program: &self.executable,
            mpirun: self.mpirun.as_ref(),
            observing: &self.observing,
            virtually: self.virtually.as_deref(),
        };
        let flags = self.sources.flags();
        let plan =
            plan::plan(&request.settings, flags, &self.compiler, &self.grid, &self.place, how)?;
        plan::resume(plan, request.seed, request.is_fresh, &self.folder, world.progress)
    }

    /// Everything that sampling needs.
    pub fn sampler<'a>(
        &'a self,
        request: &'a Request<'_>,
        (toolchain, listener): (&dyn Toolchain, &'a dyn Listener),
        observing: Observing,
        (saved, best_seen): (SavedRounds, BestSeen),
    ) -> Result<Sampler<'a>, Error> {
        let mut grid = self.grid.clone();
        let limits = (request.precision, request.budget);
        let variations = &request.variations;
        let guided = if request.is_adaptive {
            Some(Guided::new(&self.sources, variations, &mut grid, &saved, &self.asked, limits)?)
        } else {
            None
        };
        let is_simulated = observing.is_simulated();
        let (overhead, plain) = self.overhead(request, toolchain, is_simulated);
        Ok(Sampler {
            campaign: self.campaign(request, plain, observing)?,
            grid,
            goal: Goal {
                precision: request.precision,
                budget: request.budget,
                strict: request.is_strict,
                // The values are equal each time: one round is enough.
                launches: request.launches.or(is_simulated.then_some(1)),
            },
            fitting: Fitting {
                choices: self.choices(request),
                time: request.time,
                asked: &self.asked,
                folder: self.folder.path(),
                exact: request.observable.as_deref().is_some_and(is_own_doing),
                in_turns: request.settings.is_virtual,
            },
            saved,
            guided,
            best_seen,
            overhead,
            notices: listener,
        })
    }

    /// The comparison with a program without markers, and that program.
    fn overhead(
        &self,
        request: &Request<'_>,
        toolchain: &dyn Toolchain,
        is_simulated: bool,
    ) -> (Overhead, Option<PathBuf>) {
        let (settings, compiler, sources) = (&request.settings, &self.compiler, &self.sources);
        // A simulation gives no meaningful times; and with MPI only the launcher would be observed.
        let is_compared = !is_simulated && self.mpirun.is_none();
        let without = if is_compared {
            let plain = toolchain.plain(settings, compiler, sources, &self.folder);
            plain.map_err(|error| error.to_string())
        } else {
            Err(String::new())
        };
        let against = match &without {
            Ok(_) => Against::Plain,
            Err(_) => Against::Gate,
        };
        let overhead =
            Overhead::new(is_compared.then_some(against), without.as_ref().err().cloned());
        let empty = |place: &_| toolchain.empty(settings, compiler, sources, place);
        (overhead.with_empty(empty), without.ok())
    }

    fn campaign(
        &self,
        request: &Request<'_>,
        plain: Option<PathBuf>,
        observing: Observing,
    ) -> Result<Campaign, Error> {
        Ok(Campaign {
            plain,
            name: request.name.clone(),
            watched: true,
            parallelism: Parallelism::for_model(self.built.model),
            mpirun: self.mpirun.clone(),
            has_threads: self.built.has_threads,
            virtually: self.virtually.clone(),
            place: self.place.clone(),
            observing,
            ..Campaign::new(
                self.executable.clone(),
                request.arguments.clone(),
                self.folder.path().to_path_buf(),
                self.folder.open_log()?,
                request.settings.timeout,
            )
        })
    }

    fn choices(&self, request: &Request<'_>) -> Choices {
        Choices {
            options: request.options.clone(),
            formulas: Vec::new(),
            experiments: request.experiments.clone(),
            working_sets: request.working_sets.clone(),
            observable: request.observable.clone(),
            by: None,
            held_out: request.held_out.clone(),
            search: None,
            suggest: None,
            auto: SearchChoice { options: request.search(), at: self.asked.clone() },
        }
    }
}

/// The values of all launches of a round.
fn grid(
    request: &Request<'_>,
    sources: &Sources,
    observing: &Observing,
    world: &World<'_>,
) -> Result<Grid, Error> {
    let variations = &request.variations;
    let grid = Grid {
        values: variations.iter().map(|variation| variation.range.values().to_vec()).collect(),
        processors: processors(&request.settings, sources, world.listener)?,
        groups: observing.groups.len(),
        points: Vec::new(),
    };
    let names: Vec<&str> = variations.iter().map(|variation| variation.name.as_str()).collect();
    let has_counts = grid.processors.iter().any(Option::is_some);
    request
        .arguments
        .check_processors(&names, has_counts)
        .map_err(cll_sampling::Error::Arguments)?;
    Ok(grid)
}
