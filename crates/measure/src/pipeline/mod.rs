//! The whole way from a request to a model: translate, compile, sample, fit, describe.

mod describe;
mod program;
mod request;
mod world;

use std::path::PathBuf;

use crate::Error;
use cll_analysis::{DataSource, Location};
use cll_counters::this_machine;
use cll_launch::machine_state::{BestSeen, LaunchBaseline};
use cll_result::ModelFile;
use cll_sampling::Launched;

use crate::compare_code::compare_code;
use crate::folder::Folder;
use crate::sample::Sampled;
use program::BuiltProgram;
pub use request::Request;
pub use world::World;

/// The result of a measurement, and the model of it.
pub struct Measured {
    /// The folder with the program, the traces and what else the sampling left.
    pub folder: Folder,
    /// Every experiment with its place.
    pub experiments: Vec<String>,
    /// The launches of this call, in their order.
    pub launched: Vec<Launched>,
    /// The values at which experiments are predicted, of the variables that they save.
    pub asked: Vec<Location>,
    /// The seed of the order of the launches.
    pub seed: u64,
    /// The model with the samples that it is fitted to; `None` if nothing was recorded.
    pub model: Option<(ModelFile, DataSource)>,
}

/// Translates, compiles, samples and fits. Rounds of an earlier call in the same folder are continued.
///
/// # Errors
/// If the request contradicts itself or the sources, or a step fails. What was recorded until then stays in the folder.
pub fn model(request: &Request<'_>, world: &mut World<'_>) -> Result<Measured, Error> {
    let mut program = BuiltProgram::prepare(request, world)?;
    let saved = program.resume(request, world)?;
    let machine = this_machine();
    let machine_name = format!("{}: {}", machine.host, machine.cpu);
    let baseline = LaunchBaseline::measure(&program.place).unwrap_or_default();
    let best_seen = BestSeen { baseline, ..BestSeen::read(&machine_name) };
    world.view.starts(&program.asked, program.folder.path());
    let observing = std::mem::take(&mut program.observing);
    let mut sampler = program.sampler(
        request,
        (world.toolchain, world.listener),
        observing,
        (saved, best_seen),
    )?;
    let Sampled { made: launches, stopped, evaluation } = {
        let mut launcher = (world.launcher)()?;
        sampler.sample(&mut *launcher, world.view)?
    };
    sampler.best_seen.write(&machine_name);
    compare_code(
        request.compare_code,
        &request.settings,
        &program.compiler,
        &program.sources,
        &program.folder,
        &mut sampler,
        world.listener,
    );
    let seed = sampler.saved.seed;
    let is_canary_known = best_seen.is_known();
    let model = match evaluation {
        Some(evaluation) => {
            let sampling = describe::Described { request, program: &program, sampler: &sampler };
            let mut model =
                sampling.model((world.now)(), &evaluation, (stopped, is_canary_known))?;
            model.machine = Some(machine);
            Some((model, evaluation.source))
        }
        None => None,
    };
    drop(sampler);
    let BuiltProgram { folder, built, asked, .. } = program;
    Ok(Measured { folder, experiments: built.experiments, launched: launches, asked, seed, model })
}

/// The folder of a request: the one that it names, or one with the program's name.
fn folder(request: &Request<'_>) -> PathBuf {
    let given = request.folder.clone();
    given.unwrap_or_else(|| format!("{}.cll", request.name).into())
}
