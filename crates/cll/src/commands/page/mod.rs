//! `cll page`: all results of one model, or of several, in one HTML file.

mod gather;
mod serve;
mod sets;
mod sources;

use std::path::{Component, Path, PathBuf};

use cll_fit::CompareOptions;
use cll_report::{ComparisonView, Page, PageLive, PageSource, page};
use cll_result::{ModelComparison, ModelFile, Predicted};

use super::fit::asked;
use crate::cli::PageArgs;
use crate::failure::Failure;
use crate::files::{self, Output};
use crate::terminal::Terminal;
use cll_analysis::{Location, predict_all, predicted_held_out, read_model};

pub use gather::PageData;
use sets::SetsPlace;

/// Writes the page of an existing model.
pub fn run(args: &PageArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let asked = asked(&args.predict)?;
    let [single] = &args.models[..] else { return of_several(args, &asked, terminal) };
    let model = read_model(single)?;
    let mut predicted = predict_all(&model, &asked)?;
    predicted.extend(predicted_held_out(&model));
    let folder = folder_of(single);
    let measured = PageData::beside(&model, folder)?;
    if args.serve {
        let sources = sources::sources(&model, &measured.regions, folder);
        let place = SetsPlace::choose(args.upsilon.as_deref(), &sources)?;
        let known = place.clone();
        let make = |version: &str| {
            let parts =
                PageParts { place: Some(&known), version: Some(version), ..PageParts::default() };
            html(&model, &predicted, &measured, folder, parts)
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
            Some(SetsPlace::choose(Some(file), &sources)?)
        }
        None => None,
    };
    let path = args.output.clone().unwrap_or_else(|| beside(single, &model));
    let output = output(&path, args)?;
    let parts = PageParts { place: place.as_ref(), ..PageParts::default() };
    let html = html(&model, &predicted, &measured, folder, parts)?;
    output.write(html.as_bytes())?;
    terminal.note(&format!("the page is {}", path.display()));
    Ok(0)
}

/// One page of several models: what has changed from the first to the others, and their experiments, without sources
/// and sampling.
fn of_several(args: &PageArgs, asked: &[Location], terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.serve || args.upsilon.is_some() {
        let wrong = "--serve and --upsilon are for the page of one model, which has its sources";
        return Err(Failure::usage(wrong));
    }
    for (number, path) in args.models.iter().enumerate() {
        if args.models[..number].contains(path) {
            return Err(Failure::usage(format!("{} is given twice", path.display())));
        }
    }
    let mut models: Vec<(String, ModelFile)> = Vec::new();
    let mut measured = PageData { samples: Vec::new(), regions: Vec::new(), notes: Vec::new() };
    for (label, path) in labels(&args.models).into_iter().zip(&args.models) {
        let model = read_model(path)?;
        let own = PageData::beside(&model, folder_of(path))?;
        measured.samples.extend(own.samples);
        measured.notes.extend(own.notes.into_iter().map(|note| format!("{label}: {note}")));
        models.push((label, model));
    }
    measured.notes.push(
        "sources, runs and sampling are in the page of each single model: cll page MODEL"
            .to_owned(),
    );
    let model = ModelFile::together(models.clone());
    let mut predicted = predict_all(&model, asked)?;
    predicted.extend(predicted_held_out(&model));
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from("models.html"));
    let output = output(&path, args)?;
    let names: Vec<&str> = models.iter().map(|(label, _)| label.as_str()).collect();
    let title = match &names[..] {
        [before, after] => format!("{before} → {after}"),
        names => names.join(", "),
    };
    // Each with the first.
    let compared: Vec<ModelComparison> = (models[1..].iter())
        .map(|(_, new)| ModelComparison::new(&models[0].1, new, &CompareOptions::default()))
        .collect();
    let comparisons: Vec<ComparisonView<'_>> = (compared.iter().zip(&models[1..]))
        .filter(|(comparison, _)| !comparison.is_empty())
        .map(|(comparison, (label, new))| ComparisonView {
            comparison,
            new,
            names: (names[0], label.as_str()),
        })
        .collect();
    let parts =
        PageParts { title: Some(&title), comparisons: &comparisons, ..PageParts::default() };
    output.write(html(&model, &predicted, &measured, Path::new("."), parts)?.as_bytes())?;
    terminal.note(&format!("the page is {}", path.display()));
    Ok(0)
}

/// A name for each model: that of its file or folder, with as many folders above as make it different from the others.
fn labels(paths: &[PathBuf]) -> Vec<String> {
    let parts = |path: &PathBuf| -> Vec<String> {
        let path = if path.file_name().is_some_and(|name| name == cll_analysis::FILE_NAME) {
            path.parent().unwrap_or(path)
        } else {
            path
        };
        let normal = |part: Component<'_>| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        };
        let mut parts: Vec<String> = path.components().filter_map(normal).collect();
        if let Some(last) = parts.last_mut() {
            *last = files::stem(Path::new(last.as_str()));
        }
        parts
    };
    let all: Vec<Vec<String>> = paths.iter().map(parts).collect();
    let named =
        |parts: &[String], count: usize| parts[parts.len().saturating_sub(count)..].join("/");
    let label = |index: usize| {
        let own = &all[index];
        let is_alone = |count: &usize| {
            let label = named(own, *count);
            let mut others = all.iter().enumerate().filter(|(other, _)| *other != index);
            !label.is_empty() && others.all(|(_, other)| named(other, *count) != label)
        };
        let count = (1..=own.len()).find(is_alone);
        count.map_or_else(|| paths[index].display().to_string(), |count| named(own, count))
    };
    (0..paths.len()).map(label).collect()
}

/// Where the traces and the page of a model are.
fn folder_of(model: &Path) -> &Path {
    if model.is_dir() { model } else { files::folder(model) }
}

/// Writes a model's page, and gives it.
///
/// # Errors
/// If the file cannot be written.
pub fn write(
    model: &ModelFile,
    predicted: &[Predicted],
    measured: PageData,
    folder: &Path,
    to: Output,
) -> Result<String, Failure> {
    let html = html(model, predicted, &measured, folder, PageParts::default())?;
    to.write(html.as_bytes())?;
    Ok(html)
}

/// The page of a model that is still being measured.
///
/// # Errors
/// If a source there cannot be read.
pub fn of_measurement(
    model: &ModelFile,
    predicted: &[Predicted],
    measured: &PageData,
    folder: &Path,
    live: PageLive<'_>,
) -> Result<String, Failure> {
    let parts = PageParts { live: Some(live), ..PageParts::default() };
    html(model, predicted, measured, folder, parts)
}

/// The page of a model, with the traces and sources that are in or beside a folder.
///
/// # Errors
/// If a trace there cannot be read.
pub fn of_model(model: &ModelFile, folder: &Path) -> Result<String, Failure> {
    let measured = PageData::beside(model, folder)?;
    html(model, &predicted_held_out(model), &measured, folder, PageParts::default())
}

/// The parts that not every page has.
#[derive(Clone, Copy, Default)]
struct PageParts<'a> {
    /// The sets of a Υ file and, if the page is served, the version of that file.
    place: Option<&'a SetsPlace>,
    version: Option<&'a str>,
    /// The title and the changes of a page of several models.
    title: Option<&'a str>,
    comparisons: &'a [ComparisonView<'a>],
    /// The state of a measurement that goes on.
    live: Option<PageLive<'a>>,
}

fn html(
    model: &ModelFile,
    predicted: &[Predicted],
    measured: &PageData,
    folder: &Path,
    parts: PageParts<'_>,
) -> Result<String, Failure> {
    let PageParts { place, version, title, comparisons, live } = parts;
    let mut page_sources = sources::sources(model, &measured.regions, folder);
    sets::add(&mut page_sources, place, version)?;
    let sources: Vec<PageSource> = page_sources.into_iter().map(|(source, _)| source).collect();
    let mut notes = measured.notes.clone();
    let missing = predicted.iter().filter(|prediction| prediction.is_missing());
    notes.extend(missing.filter_map(|prediction| {
        let name = &model.experiments[prediction.experiment].name;
        prediction.failure.as_ref().map(|why| format!("{name}: no prediction: {why}"))
    }));
    notes.dedup();
    Ok(page(&Page {
        model,
        title,
        comparisons,
        predicted,
        samples: &measured.samples,
        sources: &sources,
        notes: &notes,
        live,
    }))
}

/// The page that was named, or that of a derived name.
fn output(path: &Path, args: &PageArgs) -> Result<Output, Failure> {
    Ok(match &args.output {
        Some(_) => Output::apart_from(path, &args.models)?,
        None => Output::derived_page(path, args.force)?,
    })
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
