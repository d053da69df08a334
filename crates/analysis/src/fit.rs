//! From data to a model: what `cll fit` does between its options and its output.

use std::path::{Path, PathBuf};

use crate::Error;
use cll_campaign_db::{CampaignDb, is_campaign_db};
use cll_diagnostic::Diagnostic;
use cll_files::Notices;
use cll_fit::CompareOptions;
use cll_formula::Complexity;
use cll_import::ImportOptions;
use cll_result::{ModelComparison, ModelFile, Notice};

use crate::campaign;
use crate::data::DataSource;
use crate::file::now;
use crate::fitting::{Choices, fit_all, fit_taken};
use crate::held_out::check_held_out;
use crate::imported::remarks;
use crate::observable::about_observable;
use crate::parts::{Part, named, parts, share_constants};
use crate::searched_ranking::searched_ranking;
use crate::time::Time;
use crate::trace::{describe, notices};

/// The request for a fit: the data to fit, and how to fit them.
#[derive(Debug, Default)]
pub struct FitRequest {
    /// The time of regions.
    pub time: Time,
    /// The choices of the fit.
    pub choices: Choices,
    /// Constants of several experiments that have one value: a list with commas for each group.
    pub shared: Vec<String>,
    /// In what the runs of a campaign differ, if they are fitted anyway.
    pub mixture: Option<String>,
}

/// Data with their origin.
#[derive(Debug)]
pub struct ReadData {
    /// The parts that are fitted separately; a single one if all is fitted together.
    pub parts: Vec<Part>,
}

impl ReadData {
    /// Data that come from no file.
    pub fn of(source: DataSource) -> ReadData {
        let (label, files) = (String::new(), Vec::new());
        ReadData { parts: vec![Part { label, files, source, beyond: 0, by: None }] }
    }

    /// Whether any of it is a trace.
    pub fn has_trace(&self) -> bool {
        self.parts.iter().any(|part| part.source.trace().is_some())
    }
}

/// Reads data to fit: traces, tables, or the runs of a campaign. The variables of the formulas are columns.
///
/// # Errors
/// If a file cannot be read, or they cannot be fitted together.
pub fn read_data(
    files: &[PathBuf],
    options: ImportOptions,
    formulas: &[Complexity],
    notices: &dyn Notices,
) -> Result<ReadData, Error> {
    let used = formulas.iter().flat_map(|formula| formula.variables());
    let used = used.map(|variable| variable.name.clone()).collect();
    let options = ImportOptions { used, ..options };
    Ok(ReadData { parts: parts(files, &options, notices)? })
}

/// In what the runs of a campaign differ, if the user allows that; `None` for other files.
///
/// # Errors
/// If they differ and the user does not allow it, or the database cannot be read.
pub fn mixture(files: &[PathBuf], allowed: bool) -> Result<Option<String>, Error> {
    let [database] = files else { return Ok(None) };
    if !is_campaign_db(database) {
        return Ok(None);
    }
    let Some(text) = campaign::mixture(&CampaignDb::open(database)?)? else {
        return Ok(None);
    };
    if allowed {
        Ok(Some(text))
    } else {
        Err(Error::data(format!(
            "the runs in {} are of different programs, or were run in different ways: {text}",
            database.display()
        ))
        .advise("--mixed fits them anyway, and the model says so"))
    }
}

/// Fits everything that was chosen, and describes where the data are from.
///
/// # Errors
/// If a named experiment or observable does not exist, there is no formula, or no data at points to hold out. An
/// experiment that cannot be fitted is no error: it says why. The data are consumed: they may fill the memory.
pub fn fit_model(mut data: ReadData, request: &FitRequest) -> Result<ModelFile, Error> {
    let FitRequest { time, choices, shared, mixture } = request;
    let mut model = ModelFile::new(now());
    let mixed = mixture.as_ref().map(|text| Notice::new("mixed-programs", text.clone()));
    model.warnings.extend(mixed);
    for part in &mut data.parts {
        fit_part(part, *time, choices, &mut model)?;
    }
    if model.experiments.is_empty() {
        return Err(Error::data("there is no experiment in these files"));
    }
    share_constants(&mut model, shared)?;
    if let Some(search) = &choices.search {
        let observable = choices.observable.as_deref();
        model.ranking = searched_ranking(&model, &data.parts, &search.at, observable);
    }
    check_held_out(&model, &choices.held_out)?;
    Ok(model)
}

/// Fits what was read together, and adds its experiments to the model.
fn fit_part(
    part: &mut Part,
    time: Time,
    choices: &Choices,
    model: &mut ModelFile,
) -> Result<(), Error> {
    let Part { label, files, source, beyond, by } = part;
    let mut warnings = Vec::new();
    if let DataSource::Trace(trace) = &*source {
        describe(model, trace);
        warnings = notices(trace, files);
        warnings.extend(about_observable(trace, choices.observable.as_deref()));
    }
    if *beyond > 0 {
        let text = match beyond {
            1 => "1 run of the campaign had more processors than cores: it is left out".to_owned(),
            _ => format!(
                "{beyond} runs of the campaign had more processors than cores: they are left out"
            ),
        };
        warnings.push(Notice::new("oversubscribed", text));
    }
    warnings.extend(remarks(source.tables()));
    if !label.is_empty() {
        warnings.iter_mut().for_each(|notice| notice.text = format!("{label}: {}", notice.text));
    }
    model.warnings.extend(warnings);
    let choices = Choices { by: by.clone(), ..choices.clone() };
    let fitted = if choices.search.is_some() {
        // The ranking of what was searched adds up all samples.
        fit_all(source, time, &choices)?
    } else {
        fit_taken(source, time, &choices)?
    };
    model.experiments.extend(fitted.into_iter().map(|mut experiment| {
        experiment.name = named(&experiment.name, label);
        experiment
    }));
    Ok(())
}

/// How a formula is searched or repaired beside these options of a fit.
pub fn search_options(options: &cll_fit::Options) -> cll_search::Options {
    cll_search::Options {
        weights: options.weights,
        confidence: options.confidence,
        ..cll_search::Options::default()
    }
}

/// The terms of which a searched formula is a sum: `text` is a list with commas.
///
/// # Errors
/// The term that is wrong, with its diagnostics; `diagnose` gets those of each term.
pub fn search_terms(
    text: &str,
    mut diagnose: impl FnMut(&str, &[Diagnostic]),
) -> Result<cll_search::Dictionary, Error> {
    let mut given = Vec::new();
    for term in text.split(',') {
        let parsed = cll_formula::parse_quantity(term.trim());
        diagnose(term.trim(), &parsed.diagnostics);
        given.push(parsed.quantity.ok_or(Error::Diagnosed)?);
    }
    Ok(cll_search::Dictionary::Given(given))
}

/// A new model beside an older one.
///
/// # Errors
/// If they have no fitted experiment in common.
pub fn compare_models(
    old: &ModelFile,
    new: &ModelFile,
    options: &CompareOptions,
) -> Result<ModelComparison, Error> {
    let comparison = ModelComparison::new(old, new, options);
    if comparison.experiments.is_empty() {
        let names: Vec<&str> =
            old.experiments.iter().map(|experiment| experiment.name.as_str()).collect();
        Err(Error::data("the models have no fitted experiment in common")
            .advise(format!("the old one has {}", names.join(", "))))
    } else {
        Ok(comparison)
    }
}

/// Refuses an older model without a fit.
///
/// # Errors
/// If it has none.
pub fn check_fitted(model: &ModelFile, path: &Path) -> Result<(), Error> {
    if model.has_fit() {
        Ok(())
    } else {
        let text = format!("{} has no fitted experiment to compare with", path.display());
        Err(Error::data(text))
    }
}
