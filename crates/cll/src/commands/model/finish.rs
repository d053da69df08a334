//! The files and the report of a model that was measured.

use cll_analysis::{
    DataSource, HoldOut, Location, check_held_out, predict_all, predicted_held_out, references,
    write_model,
};
use cll_measure::Folder;
use cll_report::{PlotOptions, SvgOptions, experiment_plot, svg};
use cll_result::{ModelComparison, ModelFile, ModelJson, Predicted};

use crate::cli::{Loaded, ModelArgs};
use crate::commands::page;
use crate::commands::report::{self, Shown};
use crate::failure::Failure;
use crate::files;
use crate::model::Older;
use crate::terminal::Terminal;

/// The results of a model that was written and reported.
pub struct Finished {
    /// Whether plots were drawn.
    pub drawn: bool,
    /// How it differs from an older model.
    pub comparison: Option<ModelComparison>,
    pub page: String,
}

/// Writes the model and reports it.
pub fn finish(
    args: &ModelArgs,
    model: &ModelFile,
    source: &DataSource,
    (asked, older): (&[Location], Option<&Older>),
    folder: &Folder,
    loaded: Loaded,
    terminal: &mut Terminal,
) -> Result<Finished, Failure> {
    write_model(model, files::Output::at(&folder.model())?)?;
    check_held_out(model, &HoldOut::all(&args.fit.hold_out)?)?;
    let mut predicted = predict_all(model, asked)?;
    predicted.extend(predicted_held_out(model));
    let accept = loaded == Loaded::Accept;
    // A plot cannot show that a fit is unreliable.
    let may_draw = accept || !model.is_not_measurable();
    let drawn = may_draw && plots(model, &predicted, folder)?;
    let measured = page::PageData::from_source(model, source);
    let output = files::Output::at(&folder.page())?;
    let page = page::write(model, &predicted, measured, folder.path(), output)?;
    if accept && let Some(reservation) = model.reservation() {
        terminal.warn(&reservation);
    }
    let comparison = older.map(|older| older.compare(model, !args.json, terminal)).transpose()?;
    if args.json {
        terminal.json(&ModelJson::of(model, &predicted).compared(comparison.as_ref()))?
    } else {
        let path = folder.page();
        let shown = Shown {
            details: args.details,
            points: args.points,
            accept,
            model: Some(folder.path()),
            page: Some(&path),
        };
        report::print(model, &predicted, shown, terminal)?;
    }
    terminal.flush()?;
    Ok(Finished { drawn, comparison, page })
}

/// One SVG for each fit.
fn plots(model: &ModelFile, predicted: &[Predicted], folder: &Folder) -> Result<bool, Failure> {
    let mut drawn = false;
    for (index, experiment) in model.experiments.iter().enumerate() {
        let views: Vec<_> = predicted
            .iter()
            .filter(|predicted| predicted.experiment == index && predicted.view.result.is_ok())
            .map(|predicted| predicted.view.clone())
            .collect();
        // A fit without a variable has no plot.
        let drawn_fit = experiment_plot(model, experiment, &views, &PlotOptions::default());
        let Some(Ok(mut spec)) = drawn_fit else { continue };
        spec.references = references(model.machine.as_ref(), experiment, &spec.x.title);
        let twin =
            model.experiments[..index].iter().filter(|other| other.name == experiment.name).count();
        let name = match twin {
            0 => experiment.name.clone(),
            _ => format!("{}-{}", experiment.name, twin + 1),
        };
        files::replace(&folder.plot(&name)?, svg(&spec, &SvgOptions::default()).as_bytes())?;
        drawn = true;
    }
    Ok(drawn)
}
