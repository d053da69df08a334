//! Caliper's `.cali` files: profiles and traces of regions.

mod metric;
mod parameters;
mod profile;
mod records;

use crate::error::ImportError;
use crate::format::{Content, Format, Input, each_file};
use crate::measurements::{Measurements, Of, Wanted};
use crate::place::PlacedText;
use profile::Profile;

/// Lines of records. The experiment is the path of nested regions, the parameters are the numbers in which the global
/// values of the files differ.
pub(crate) const FORMAT: Format = Format { name: "caliper", title: "Caliper's .cali", is, read };

fn is(content: &Content<'_>) -> bool {
    matches!(content, Content::Text(text) if text.trim_start().starts_with("__rec="))
}

fn read(inputs: &[Input<'_>], to: &mut Measurements<'_>) -> Result<(), ImportError> {
    let mut profiles: Vec<(PlacedText<'_>, Profile)> = Vec::new();
    each_file(inputs, |input| {
        profiles.push((input.source, profile::read(input.source)?));
        Ok(())
    })?;
    let globals: Vec<&[(String, String)]> =
        profiles.iter().map(|(_, profile)| profile.globals.as_slice()).collect();
    let chosen = parameters::chosen(&globals, &to.options.used);
    for note in chosen.notes {
        to.note(note);
    }
    let mut times: Vec<(u32, String)> = Vec::new();
    for ((source, profile), values) in profiles.into_iter().zip(chosen.values) {
        if !profile.has_globals {
            to.note("a file has no record of global values at its end: it may be cut off");
        }
        if profile.has_threads {
            to.note("records name threads: of each region the slowest thread counts");
        }
        for series in &profile.series {
            let metric = metric::Metric::new(&series.attribute);
            if let Some(rank) = metric.rank() {
                times.push((rank, series.attribute.name.clone()));
            }
            let unit = metric.unit();
            for (path, value, offset) in &series.values {
                let labels = Of {
                    experiment: path,
                    metric: &series.attribute.name,
                    unit: unit.as_deref(),
                    parameters: &values,
                };
                to.add(labels, *value, source, *offset..*offset);
            }
        }
    }
    times.sort();
    to.wanted = Wanted::Preferred(times.into_iter().map(|(_, name)| name).collect());
    Ok(())
}
