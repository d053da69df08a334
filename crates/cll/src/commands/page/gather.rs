//! The samples of a model, and their places in the sources.

use std::path::{Path, PathBuf};

use cll_fit::Data;
use cll_report::PageRegion;
use cll_result::{ExperimentModel, ModelFile, RunModel};
use cll_samples::{Policy, prepare};

use crate::failure::Failure;
use cll_analysis::Time;
use cll_analysis::{DataSource, Observed, read_together};

/// The data that a page shows besides the model.
#[derive(Debug)]
pub struct PageData {
    /// The samples of each experiment of the model.
    pub samples: Vec<Option<Data>>,
    /// Regions with their files.
    pub regions: Vec<(String, PageRegion)>,
    /// Notices on them.
    pub notes: Vec<String>,
}

impl PageData {
    /// From the traces of which the model was made.
    pub fn from_source(model: &ModelFile, source: &DataSource) -> PageData {
        // All experiments of a model are fits of the same observable.
        let observable = model.experiments.first().map(|experiment| experiment.observable.as_str());
        let observable = observable.filter(|name| *name != "time");
        let observed_in = |time| {
            let wanted = model.experiments.iter().any(|experiment| self::time(experiment) == time);
            if wanted { source.observed(time, observable) } else { Vec::new() }
        };
        let (inclusive, exclusive) = (observed_in(Time::Inclusive), observed_in(Time::Exclusive));
        let samples = model.experiments.iter().enumerate().map(|(index, experiment)| {
            let all = match time(experiment) {
                Time::Inclusive => &inclusive,
                Time::Exclusive => &exclusive,
            };
            let data = &nth(all, model, index)?.data;
            (!data.points.is_empty()).then(|| data.clone())
        });
        PageData { samples: samples.collect(), regions: regions(model, source), notes: Vec::new() }
    }

    /// From the traces beside the model, if there are any.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn beside(model: &ModelFile, folder: &Path) -> Result<PageData, Failure> {
        let rounds = model.sampling.iter().flat_map(|sampling| &sampling.rounds);
        let unused: Vec<u32> =
            rounds.filter(|round| !round.used).map(|round| round.round).collect();
        let fitted = |run: &&RunModel| run.round.is_none_or(|round| !unused.contains(&round));
        let named = model.runs.iter().filter(fitted).map(|run| run.trace.as_str());
        let traces: Vec<PathBuf> = named
            .filter(|name| !name.is_empty() && !name.contains('/'))
            .map(|name| folder.join(name))
            .collect();
        let there: Vec<PathBuf> = traces.iter().filter(|path| path.is_file()).cloned().collect();
        if there.is_empty() {
            let samples = vec![None; model.experiments.len()];
            return Ok(PageData { samples, regions: regions_of_model(model), notes: Vec::new() });
        }
        let policy = Policy { without_switched: model.sampling.is_some(), ..Policy::default() };
        let (trace, _) = prepare(read_together(&there)?, &policy);
        let source = DataSource::Trace(Box::new(trace));
        let mut measured = PageData::from_source(model, &source);
        if there.len() < traces.len() {
            measured.notes.push(format!(
                "{} of {} traces are not beside the model; their samples are not in this page",
                traces.len() - there.len(),
                traces.len()
            ));
        }
        Ok(measured)
    }
}

fn time(experiment: &ExperimentModel) -> Time {
    match experiment.time.as_str() {
        "exclusive" => Time::Exclusive,
        _ => Time::Inclusive,
    }
}

/// The data of an experiment of the model: the first one of its name in the traces.
fn nth<'a>(all: &'a [Observed], model: &ModelFile, index: usize) -> Option<&'a Observed> {
    let name = &model.experiments[index].name;
    let before =
        model.experiments[..index].iter().filter(|experiment| experiment.name == *name).count();
    all.iter().filter(|observed| observed.name == *name).nth(before)
}

/// The regions in the traces, with their ends.
fn regions(model: &ModelFile, source: &DataSource) -> Vec<(String, PageRegion)> {
    let DataSource::Trace(trace) = source else { return regions_of_model(model) };
    let mut regions = Vec::new();
    for (index, experiment) in model.experiments.iter().enumerate() {
        for place in
            trace.experiments.iter().filter(|e| e.name == experiment.name).flat_map(|e| &e.places)
        {
            if !experiment.places.contains(&place.to_string()) {
                continue;
            }
            let (begin, end) = (place.line as usize, place.end_line as usize);
            let region = PageRegion { experiment: index, begin, end: end.max(begin) };
            regions.push((place.file.clone(), region));
        }
    }
    regions
}

/// The places in the model: `file.c:12`.
fn regions_of_model(model: &ModelFile) -> Vec<(String, PageRegion)> {
    let mut regions = Vec::new();
    for (experiment, experiment_model) in model.experiments.iter().enumerate() {
        for place in &experiment_model.places {
            let Some((file, line)) = place.rsplit_once(':') else { continue };
            let Ok(begin) = line.parse() else { continue };
            regions.push((file.to_owned(), PageRegion { experiment, begin, end: begin }));
        }
    }
    regions
}
