//! `cll page`: all results of a model in one HTML file.

mod gather;
mod sources;

use std::path::{Path, PathBuf};

use cll_report::{Page, page};
use cll_result::{ModelFile, Predicted};

use super::fit::asked;
use crate::cli::PageArgs;
use crate::failure::Failure;
use crate::files::{self, Output};
use crate::terminal::Terminal;
use cll_analysis::{predict_all, predicted_held_out, read_model};

pub use gather::Measured;

/// Writes the page of an existing model.
pub fn run(args: &PageArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let asked = asked(&args.predict)?;
    let model = read_model(&args.model)?;
    let mut predicted = predict_all(&model, &asked)?;
    predicted.extend(predicted_held_out(&model));
    let folder = match args.model.is_dir() {
        true => args.model.as_path(),
        false => files::folder(&args.model),
    };
    let measured = Measured::beside(&model, folder)?;
    let path = args.output.clone().unwrap_or_else(|| beside(&args.model, &model));
    let output = Output::apart_from(&path, std::slice::from_ref(&args.model))?;
    write(&model, &predicted, measured, folder, output)?;
    terminal.note(&format!("the page is {}", path.display()));
    Ok(0)
}

/// Writes a model's page.
///
/// # Errors
/// If the file cannot be written.
pub fn write(
    model: &ModelFile,
    predicted: &[Predicted],
    measured: Measured,
    folder: &Path,
    to: Output,
) -> Result<(), Failure> {
    let sources = sources::sources(model, &measured.regions, folder);
    let mut notes = measured.notes;
    let missing = predicted.iter().filter(|one| one.is_missing());
    notes.extend(missing.filter_map(|one| {
        let name = &model.experiments[one.experiment].name;
        one.failure.as_ref().map(|why| format!("{name}: no prediction: {why}"))
    }));
    notes.dedup();
    let html = page(&Page {
        model,
        predicted,
        samples: &measured.samples,
        sources: &sources,
        notes: &notes,
    });
    to.write(html.as_bytes())
}

/// The page of `x.cll` is in this folder, that of `times.json` is in the same folder as the file.
fn beside(path: &Path, model: &ModelFile) -> PathBuf {
    if !path.is_dir() {
        return path.with_extension("html");
    }
    let program = model.program.as_ref().map(|program| program.name.as_str());
    let name = program.filter(|name| !name.is_empty() && !name.contains('/'));
    path.join(format!("{}.html", name.unwrap_or("model")))
}
