//! Times along a variable, with derived values: for `cll obsp` and `cll predict`.

use cll_model::curves::{Sizes, crossovers, isoefficiency, scaling};
use cll_report::{SvgOptions, curves_plot, curves_text, svg, terminal_plot};
use cll_result::{CurveCrossover, Curves, Doubts, TimedCurve, TimedPoint};
use cll_units::Seconds;

use crate::cli::CurveOptions;
use crate::failure::Failure;
use crate::files;
use crate::sampling::Variation;
use crate::terminal::Terminal;
use cll_analysis::Location;

/// Rows of the plot on the terminal.
const ROWS: usize = 16;

/// The largest number of notes that are printed.
const MAX_NOTES: usize = 6;

/// A program or model with a time at values of variables.
pub trait CurveSource {
    /// The name of the program or model.
    fn name(&self) -> String;
    /// The kind of its time: `OBSP*`, `fit`.
    fn kind(&self) -> &'static str;
    /// Why its times are not to be believed as they stand.
    fn doubts(&self) -> Doubts {
        Doubts::default()
    }
    /// Computes the time with interval and notes.
    fn time(&mut self, point: &[(String, f64)], terminal: &Terminal) -> Result<CurveTime, Failure>;
    /// Computes the time alone, seconds.
    fn value(&mut self, point: &[(String, f64)], terminal: &Terminal) -> Result<f64, Failure> {
        Ok(self.time(point, terminal)?.value)
    }
}

/// A time.
#[derive(Clone, Debug, Default)]
pub struct CurveTime {
    /// Seconds.
    pub value: f64,
    /// The interval of the time.
    pub band: Option<(f64, f64)>,
    /// Whether it is beyond the data; `None` if it is not from data.
    pub beyond: Option<bool>,
    /// The times of other models.
    pub beside: Vec<(String, f64)>,
    /// Notices.
    pub notes: Vec<String>,
}

/// The values of the other variables along the curve.
pub fn base(asked: &[Location], options: &CurveOptions) -> Result<Vec<(String, f64)>, Failure> {
    let variation = variation(options)?;
    let mut base = match asked {
        [] => Vec::new(),
        [point] => point.values().to_vec(),
        _ => {
            return Err(Failure::usage("a curve needs one value for each other variable")
                .help("give one value for each variable except that of the curve"));
        }
    };
    base.retain(|(name, _)| *name != variation.name);
    Ok(base)
}

fn variation(options: &CurveOptions) -> Result<Variation, Failure> {
    parse(options.curves.as_deref().unwrap_or_default(), "--curves", "P=1:1024:*2")
}

fn parse(text: &str, option: &str, example: &str) -> Result<Variation, Failure> {
    text.parse().map_err(|error| {
        Failure::usage(format!("{option} {text}: {error}"))
            .help(format!("such as {option} {example}"))
    })
}

fn with(base: &[(String, f64)], name: &str, value: f64) -> Vec<(String, f64)> {
    let mut point = base.to_vec();
    match point.iter_mut().find(|(known, _)| known == name) {
        Some((_, place)) => *place = value,
        None => point.push((name.to_owned(), value)),
    }
    point
}

/// Evaluates all subjects along the variable, and reports.
pub fn run(
    subjects: &mut [Box<dyn CurveSource + '_>],
    base: &[(String, f64)],
    options: &CurveOptions,
    json: bool,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let variation = variation(options)?;
    let name = variation.name.as_str();
    let mut places = variation.range.values().to_vec();
    places.sort_by(f64::total_cmp);
    let sizes = match &options.sizes {
        Some(text) => Some(parse(text, "--sizes", "N=1024:1e9:*2")?),
        None => None,
    };
    if sizes.is_some() && name != "P" {
        return Err(Failure::usage("--isoefficiency needs a curve along P")
            .help("such as --curves P=1:1024:*2"));
    }
    let mut notes: Vec<String> = Vec::new();
    let mut curves = Vec::new();
    for subject in subjects.iter_mut() {
        let mut points = Vec::new();
        let sequential = match name {
            "P" => Some(subject.value(&with(base, "P", 1.0), terminal)?),
            _ => None,
        };
        for &place in &places {
            let point = with(base, name, place);
            let prediction = subject.time(&point, terminal)?;
            for note in prediction.notes {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            let iso = match (&sizes, options.isoefficiency) {
                (Some(sizes), Some(wanted)) => {
                    Some(iso(subject.as_mut(), &point, place, wanted, sizes, terminal)?)
                }
                _ => None,
            };
            points.push(TimedPoint {
                at: place,
                time: Seconds(prediction.value),
                low: prediction.band.map(|band| Seconds(band.0)),
                high: prediction.band.map(|band| Seconds(band.1)),
                beyond: prediction.beyond,
                beside: prediction
                    .beside
                    .into_iter()
                    .map(|(name, time)| (name, time.into()))
                    .collect(),
                // No time has no speed-up.
                scaling: sequential
                    .filter(|&value| value > 0.0 && prediction.value > 0.0)
                    .map(|value| scaling(place, Seconds(prediction.value), Seconds(value))),
                isoefficiency_size: iso,
                runs: None,
            });
        }
        curves.push(TimedCurve {
            name: subject.name(),
            kind: subject.kind(),
            of_runs: false,
            doubts: subject.doubts(),
            points,
        });
    }
    let crossovers = pairs(subjects, base, name, &places, terminal)?;
    let answer = Curves::new(name.to_owned(), curves, crossovers, notes);
    let text = curves_text(&answer, &terminal.style());
    report(&answer, text, options, json, terminal)?;
    Ok(0)
}

/// Draws and prints.
pub fn report(
    answer: &Curves,
    text: String,
    options: &CurveOptions,
    json: bool,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let spec = curves_plot(answer);
    if let Some(path) = &options.svg {
        files::replace(path, svg(&spec, &SvgOptions::default()).as_bytes())?;
    }
    if json {
        terminal.json(answer)?
    } else {
        let style = terminal.style();
        terminal.print(text)?;
        if options.svg.is_none() {
            terminal.print(format!("\n{}", terminal_plot(&spec, &style, ROWS)))?;
        }
        notices(&answer.notes, terminal)?;
    }
    Ok(())
}

/// Prints the first of the notes, after the output to which they refer, even if both go to one file.
pub fn notices(notes: &[String], terminal: &mut Terminal) -> Result<(), Failure> {
    terminal.flush()?;
    for note in notes.iter().take(MAX_NOTES) {
        terminal.warn(note);
    }
    if notes.len() > MAX_NOTES {
        let others = notes.len() - MAX_NOTES;
        terminal.warn(&format!("and {others} more such warnings: --json lists all"));
    }
    Ok(())
}

fn iso(
    subject: &mut dyn CurveSource,
    point: &[(String, f64)],
    processors: f64,
    wanted: f64,
    sizes: &Variation,
    terminal: &Terminal,
) -> Result<Option<f64>, Failure> {
    let mut grid = sizes.range.values().to_vec();
    grid.sort_by(f64::total_cmp);
    // A size that is not possible on this number of processors (fewer elements than processors) has no efficiency.
    let efficiency = |size: f64| -> Result<f64, Failure> {
        let point = with(point, &sizes.name, size);
        let time = subject.value(&point, terminal)?;
        let value = subject.value(&with(&point, "P", 1.0), terminal)?;
        Ok(scaling(processors, Seconds(time), Seconds(value)).efficiency)
    };
    isoefficiency(wanted, &Sizes::Grid(&grid), efficiency)
}

/// Values from which one of two becomes faster, for all pairs.
fn pairs(
    subjects: &mut [Box<dyn CurveSource + '_>],
    base: &[(String, f64)],
    name: &str,
    places: &[f64],
    terminal: &Terminal,
) -> Result<Vec<CurveCrossover>, Failure> {
    let mut all = Vec::new();
    for first in 0..subjects.len() {
        for second in first + 1..subjects.len() {
            let names = (subjects[first].name(), subjects[second].name());
            let times = |place: f64| -> Result<(f64, f64), Failure> {
                let point = with(base, name, place);
                let value = subjects[first].value(&point, terminal)?;
                Ok((value, subjects[second].value(&point, terminal)?))
            };
            // Between two numbers of processors the programs may allow none.
            for place in crossovers(places, name != "P", times)? {
                let (first, second) = names.clone();
                all.push(CurveCrossover { first, second, place });
            }
        }
    }
    Ok(all)
}
