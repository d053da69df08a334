//! `cll page`: all results of one model, or of several, in one HTML file.

mod gather;
mod serve;
mod sets;
mod sources;

use std::path::{Path, PathBuf};

use cll_report::{Page, PageSource, page};
use cll_result::{ModelFile, Predicted};

use super::fit::asked;
use crate::cli::PageArgs;
use crate::failure::Failure;
use crate::files::{self, Output};
use crate::terminal::Terminal;
use cll_analysis::{At, predict_all, predicted_held_out, read_model};

pub use gather::Measured;
use sets::Place;

/// Writes the page of an existing model.
pub fn run(args: &PageArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let asked = asked(&args.predict)?;
    let [single] = &args.models[..] else { return of_several(args, &asked, terminal) };
    let model = read_model(single)?;
    let mut predicted = predict_all(&model, &asked)?;
    predicted.extend(predicted_held_out(&model));
    let folder = folder_of(single);
    let measured = Measured::beside(&model, folder)?;
    if args.serve {
        let sources = sources::sources(&model, &measured.regions, folder);
        let place = Place::choose(args.upsilon.as_deref(), &sources)?;
        let known = place.clone();
        let make = |version: &str| {
            html(&model, &predicted, &measured, folder, Some(&known), Some(version))
        };
        return serve::serve(place, args.port, &make, terminal);
    }
    let place = match &args.upsilon {
        Some(file) if !file.exists() => {
            return Err(Failure::input(format!("--upsilon: there is no {}", file.display()))
                .help("cll upsilon propose FILE.c writes it"));
        }
        Some(file) => {
            let sources = sources::sources(&model, &measured.regions, folder);
            Some(Place::choose(Some(file), &sources)?)
        }
        None => None,
    };
    let path = args.output.clone().unwrap_or_else(|| beside(single, &model));
    let output = output(&path, args)?;
    let html = html(&model, &predicted, &measured, folder, place.as_ref(), None)?;
    output.write(html.as_bytes())?;
    terminal.note(&format!("the page is {}", path.display()));
    Ok(0)
}

/// One page of several models: their experiments, without sources and sampling.
fn of_several(args: &PageArgs, asked: &[At], terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.serve || args.upsilon.is_some() {
        let wrong = "--serve and --upsilon are for the page of one model, which has its sources";
        return Err(Failure::usage(wrong));
    }
    let mut models = Vec::new();
    let mut measured = Measured { samples: Vec::new(), regions: Vec::new(), notes: Vec::new() };
    for path in &args.models {
        let label = path.display().to_string();
        if models.iter().any(|(known, _)| *known == label) {
            return Err(Failure::usage(format!("{label} is given twice")));
        }
        let model = read_model(path)?;
        let own = Measured::beside(&model, folder_of(path))?;
        measured.samples.extend(own.samples);
        measured.notes.extend(own.notes.into_iter().map(|note| format!("{label}: {note}")));
        models.push((label, model));
    }
    measured.notes.push(
        "sources, runs and sampling are in the page of each single model: cll page MODEL"
            .to_owned(),
    );
    let model = ModelFile::together(models);
    let mut predicted = predict_all(&model, asked)?;
    predicted.extend(predicted_held_out(&model));
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from("models.html"));
    let output = output(&path, args)?;
    write(&model, &predicted, measured, Path::new("."), output)?;
    terminal.note(&format!("the page is {}", path.display()));
    Ok(0)
}

/// Where the traces and the page of a model are.
fn folder_of(model: &Path) -> &Path {
    if model.is_dir() { model } else { files::folder(model) }
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
    to.write(html(model, predicted, &measured, folder, None, None)?.as_bytes())
}

/// The page of a model, with the traces and sources that are in or beside a folder.
///
/// # Errors
/// If a trace there cannot be read.
pub fn of_model(model: &ModelFile, folder: &Path) -> Result<String, Failure> {
    html(model, &predicted_held_out(model), &Measured::beside(model, folder)?, folder, None, None)
}

/// The page, with the sets of a Υ file and, if it is served, the version of that file.
fn html(
    model: &ModelFile,
    predicted: &[Predicted],
    measured: &Measured,
    folder: &Path,
    place: Option<&Place>,
    version: Option<&str>,
) -> Result<String, Failure> {
    let mut found = sources::sources(model, &measured.regions, folder);
    sets::add(&mut found, place, version)?;
    let sources: Vec<PageSource> = found.into_iter().map(|(source, _)| source).collect();
    let mut notes = measured.notes.clone();
    let missing = predicted.iter().filter(|one| one.is_missing());
    notes.extend(missing.filter_map(|one| {
        let name = &model.experiments[one.experiment].name;
        one.failure.as_ref().map(|why| format!("{name}: no prediction: {why}"))
    }));
    notes.dedup();
    Ok(page(&Page {
        model,
        predicted,
        samples: &measured.samples,
        sources: &sources,
        notes: &notes,
    }))
}

/// The page that was named, or that of a derived name.
fn output(path: &Path, args: &PageArgs) -> Result<Output, Failure> {
    match &args.output {
        Some(_) => Output::apart_from(path, &args.models),
        None => Output::derived_page(path, args.force),
    }
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
