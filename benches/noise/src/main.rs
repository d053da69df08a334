//! Shows in pictures what disturbs measurements on this machine.
//!
//! `cargo build --release && cargo run --release -p bench-noise [FOLDER]`
//!
//! Writes two SVGs, by default to `target/noise`; those in `docs/images` are of this program.
//! `noise-core.svg`: how long the two canaries take, over twenty seconds of an idle machine.
//! `noise-load.svg`: the matrix product as `cll model` measures it on the quiet machine, and beside
//! two busy programs, with and without what `cll model` does against them.

#![forbid(unsafe_code)]

mod core;
mod load;
#[path = "../../kernels/src/program.rs"]
mod program;
#[path = "../../../crates/launch/src/machine_state/speed_test.rs"]
#[allow(dead_code)]
mod speed_test;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cll_fit::Unit;
use cll_report::{Axis, PlotPoint, PlotSpec, Scale, Series, SvgOptions, Whiskers, svg};

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let folder = match std::env::args_os().nth(1) {
        Some(folder) => PathBuf::from(folder),
        None => root.join("target/noise"),
    };
    std::fs::create_dir_all(&folder)?;
    write(&folder.join("noise-core.svg"), &core::picture())?;
    write(&folder.join("noise-load.svg"), &load::picture(&root)?)
}

fn write(path: &Path, spec: &PlotSpec) -> Result<()> {
    let options = SvgOptions { height: 420, ..SvgOptions::default() };
    std::fs::write(path, svg(spec, &options)).with_context(|| path.display().to_string())?;
    println!("{}", path.display());
    Ok(())
}

/// A plot of points alone.
fn points(title: &str, description: &str, x: Axis, y: Axis, series: Vec<Series>) -> PlotSpec {
    PlotSpec {
        title: title.to_owned(),
        formula: Vec::new(),
        description: description.to_owned(),
        x,
        y,
        series,
        boundaries: Vec::new(),
        references: Vec::new(),
        markers: Vec::new(),
        confidence: 0.9,
        notes: Vec::new(),
        doubts: Default::default(),
    }
}

fn axis(title: &str, unit: Unit, scale: Scale) -> Axis {
    Axis { title: title.to_owned(), unit, scale }
}

fn bare() -> Unit {
    Unit::Other(String::new())
}

fn series(label: &str, points: Vec<PlotPoint>) -> Series {
    Series { label: label.to_owned(), points, curves: Vec::new(), at: Default::default() }
}

/// A point with the spread of what stands for it.
fn point(x: f64, y: f64, spread: Whiskers) -> PlotPoint {
    let (error, errors) = (0.0, (0.0, 0.0));
    PlotPoint { x, y, spread, model: y, error, errors, excluded: false, points: 1 }
}
