//! The model of a program that was sampled.

use crate::Error;
use cll_analysis::{about_observable, describe, share_constants};
use cll_result::{Compiled, ModelFile, Notice, ProgramModel, Stopped};
use cll_sampling::CPU_TIME;

use super::Request;
use super::program::BuiltProgram;
use crate::account::{account, own_doing, unseen};
use crate::build::competition;
use crate::evaluate::Evaluation;
use crate::pilot::{Ranked, rank};
use crate::sample::Sampler;

/// The parts of a measurement that are described.
pub(super) struct Described<'a> {
    pub request: &'a Request<'a>,
    pub program: &'a BuiltProgram,
    pub sampler: &'a Sampler<'a>,
}

impl Described<'_> {
    /// The model of an evaluation. Its machine is not there yet.
    ///
    /// # Errors
    /// If traces cannot be read.
    pub fn model(
        &self,
        now: String,
        evaluation: &Evaluation,
        (stopped, is_canary_known): (Stopped, bool),
    ) -> Result<ModelFile, Error> {
        let Described { request, program, sampler } = self;
        let mut model = ModelFile::new(now);
        model.program = Some(self.program_model());
        model.runs = sampler.saved.runs();
        model.seed = Some(sampler.saved.seed);
        self.describe_trace(&mut model, evaluation);
        model.sampling =
            Some(account(sampler, evaluation, stopped, is_canary_known, request.accepts_load));
        let divided = program.divided.clone();
        model.warnings.extend(divided.map(|text| Notice::new("counters", text)));
        model.warnings.extend(own_doing(&sampler.saved.rounds));
        if let Some(competition) = competition(&request.settings, &sampler.grid) {
            // It was asked for.
            model.warnings.retain(|warning| warning.code != competition.code);
            model.warnings.push(competition);
        }
        model.warnings.extend(evaluation.notices.iter().cloned());
        model.experiments.clone_from(&evaluation.experiments);
        if let Err(failure) = share_constants(&mut model, &request.shared) {
            // What was measured is not lost for that.
            model.warnings.push(Notice::new("not-shared", failure.to_string()));
        }
        if request.settings.automatic.is_some() {
            self.rank(&mut model, evaluation)?;
        }
        Ok(model)
    }

    fn program_model(&self) -> ProgramModel {
        let built = &self.program.built;
        ProgramModel {
            name: self.request.name.clone(),
            sources: built.sources.clone(),
            model: built.model.name().to_owned(),
            compiled: Some(Compiled {
                command: built.command.clone(),
                version: built.version.clone(),
            }),
        }
    }

    fn describe_trace(&self, model: &mut ModelFile, evaluation: &Evaluation) {
        let Some(trace) = evaluation.source.trace() else { return };
        describe(model, trace);
        if self.request.settings.automatic.is_none() {
            model.warnings = unseen(&self.request.variations, trace);
        }
        model.warnings.extend(about_observable(trace, self.request.observable.as_deref()));
        if let Some(simulation) = &self.sampler.campaign.observing.simulation {
            let caches = simulation.caches().join(" ");
            let text = format!("simulated caches (bytes, lines per set, bytes per line): {caches}");
            model.warnings.push(Notice::new("simulated-caches", text));
        }
    }

    /// Adds the ranking of all regions.
    fn rank(&self, model: &mut ModelFile, evaluation: &Evaluation) -> Result<(), Error> {
        let Described { request, program, sampler } = self;
        // Regions and their formulas are of one time: where wall times are disturbed both are of processor time.
        let fitted = request.observable.as_deref();
        let observable = fitted.or(evaluation.by_processor_time.then_some(CPU_TIME));
        let (ranking, notice) = rank(
            &request.settings,
            Ranked {
                regions: &program.regions,
                left_out: program.left_out.clone(),
                marker: program.marker,
                observable,
            },
            &sampler.saved.rounds,
            evaluation,
            &request.asked,
            &program.folder,
            &request.search(),
        )?;
        model.experiments.retain(|experiment| !ranking.not_reached.contains(&experiment.name));
        model.ranking = Some(ranking);
        model.warnings.extend(notice);
        Ok(())
    }
}
