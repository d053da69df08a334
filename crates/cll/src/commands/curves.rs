//! Times along a variable, and what follows from them: for `cll obsp` and `cll predict`.

use cll_fit::Unit;
use cll_model::curves::{Crossover, Scaling, Sizes, crossovers, isoefficiency, scaling};
use cll_report::{
    Axis, Cell, Column, Curve, CurvePoint, PlotPoint, PlotSpec, Scale, Series, Style, SvgOptions,
    Table, Whiskers, svg, terminal_plot,
};
use serde::Serialize;

use crate::cli::CurveOptions;
use crate::failure::Failure;
use crate::files;
use crate::model::At;
use crate::sampling::Variation;
use crate::terminal::Terminal;

/// Rows of the plot on the terminal.
const ROWS: usize = 16;

/// So many notes are told.
const NOTES: usize = 6;

/// Something that takes a time at values of variables.
pub trait Timed {
    /// What it is called.
    fn name(&self) -> String;
    /// What kind of time it is: `OBSP*`, `fit`.
    fn kind(&self) -> &'static str;
    /// Its time with all that is known of it.
    fn time(&mut self, at: &[(String, f64)], terminal: &Terminal) -> Result<Found, Failure>;
    /// Its time alone, seconds.
    fn value(&mut self, at: &[(String, f64)], terminal: &Terminal) -> Result<f64, Failure> {
        Ok(self.time(at, terminal)?.value)
    }
}

/// A time.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Seconds.
    pub value: f64,
    /// Its interval.
    pub band: Option<(f64, f64)>,
    /// What other models say.
    pub beside: Vec<(String, f64)>,
    /// What should be known.
    pub notes: Vec<String>,
}

/// All curves: the JSON `cll-curves` of `docs/formats/obsp.md`.
#[derive(Serialize)]
pub struct Answer {
    pub format: &'static str,
    pub version: u32,
    pub variable: String,
    pub curves: Vec<CurveAnswer>,
    pub crossovers: Vec<CrossoverAnswer>,
    pub notes: Vec<String>,
}

#[derive(Serialize)]
pub struct CurveAnswer {
    pub name: String,
    pub kind: &'static str,
    /// Its points are of runs: they are marked.
    #[serde(skip)]
    pub of_runs: bool,
    pub points: Vec<PointAnswer>,
}

#[derive(Serialize)]
pub struct PointAnswer {
    pub at: f64,
    pub time_s: f64,
    pub low_s: Option<f64>,
    pub high_s: Option<f64>,
    pub beside: serde_json::Map<String, serde_json::Value>,
    pub scaling: Option<Scaling>,
    /// The least size that has the efficiency that was asked for; absent where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isoefficiency_size: Option<Option<f64>>,
    /// Of logs: of how many runs it is the one in the middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
}

#[derive(Serialize)]
pub struct CrossoverAnswer {
    first: String,
    second: String,
    #[serde(flatten)]
    place: Crossover,
}

/// The one point that the curve goes through.
pub fn base(asked: &[At], options: &CurveOptions) -> Result<Vec<(String, f64)>, Failure> {
    let variation = variation(options)?;
    let mut base = match asked {
        [] => Vec::new(),
        [one] => one.values().to_vec(),
        _ => {
            return Err(Failure::usage("a curve goes through one point, and there are several")
                .help("give one value for each variable that the curve does not follow"));
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
    let mut at = base.to_vec();
    match at.iter_mut().find(|(known, _)| known == name) {
        Some((_, place)) => *place = value,
        None => at.push((name.to_owned(), value)),
    }
    at
}

/// Evaluates all along the variable, and reports.
pub fn run(
    subjects: &mut [Box<dyn Timed + '_>],
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
        return Err(Failure::usage("isoefficiency is the size for each number of processors")
            .help("follow the processors: --curves P=1:1024:*2"));
    }
    let mut notes: Vec<String> = Vec::new();
    let mut curves = Vec::new();
    for subject in subjects.iter_mut() {
        let mut points = Vec::new();
        let one = match name {
            "P" => Some(subject.value(&with(base, "P", 1.0), terminal)?),
            _ => None,
        };
        for &place in &places {
            let at = with(base, name, place);
            let found = subject.time(&at, terminal)?;
            for note in found.notes {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            let iso = match (&sizes, options.isoefficiency) {
                (Some(sizes), Some(wanted)) => {
                    Some(iso(subject.as_mut(), &at, place, wanted, sizes, terminal)?)
                }
                _ => None,
            };
            points.push(PointAnswer {
                at: place,
                time_s: found.value,
                low_s: found.band.map(|band| band.0),
                high_s: found.band.map(|band| band.1),
                beside: found.beside.into_iter().map(|(name, time)| (name, time.into())).collect(),
                scaling: one.map(|one| scaling(place, found.value, one)),
                isoefficiency_size: iso,
                runs: None,
            });
        }
        curves.push(CurveAnswer {
            name: subject.name(),
            kind: subject.kind(),
            of_runs: false,
            points,
        });
    }
    let crossovers = pairs(subjects, base, name, &places, terminal)?;
    let answer = Answer {
        format: "cll-curves",
        version: 1,
        variable: name.to_owned(),
        curves,
        crossovers,
        notes,
    };
    let text = text(&answer, &terminal.style());
    report(&answer, text, options, json, terminal)?;
    Ok(0)
}

/// Draws and prints.
pub fn report(
    answer: &Answer,
    text: String,
    options: &CurveOptions,
    json: bool,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let spec = picture(answer);
    if let Some(path) = &options.svg {
        files::replace(path, svg(&spec, &SvgOptions::default()).as_bytes())?;
    }
    match json {
        true => terminal.json(answer)?,
        false => {
            let style = terminal.style();
            terminal.print(text)?;
            if options.svg.is_none() {
                terminal.print(format!("\n{}", terminal_plot(&spec, &style, ROWS)))?;
            }
            // Behind what they are about, also where both go to one file.
            terminal.flush()?;
            for note in answer.notes.iter().take(NOTES) {
                terminal.warn(note);
            }
            if answer.notes.len() > NOTES {
                let others = answer.notes.len() - NOTES;
                terminal.warn(&format!("and {others} others of this kind: --json lists all"));
            }
        }
    }
    Ok(())
}

fn iso(
    subject: &mut dyn Timed,
    at: &[(String, f64)],
    processors: f64,
    wanted: f64,
    sizes: &Variation,
    terminal: &Terminal,
) -> Result<Option<f64>, Failure> {
    let mut grid = sizes.range.values().to_vec();
    grid.sort_by(f64::total_cmp);
    // A size that the program does not have for so many processors (fewer elements than these) has no efficiency.
    let efficiency = |size: f64| -> Result<f64, Failure> {
        let at = with(at, &sizes.name, size);
        let time = subject.value(&at, terminal)?;
        let one = subject.value(&with(&at, "P", 1.0), terminal)?;
        Ok(scaling(processors, time, one).efficiency)
    };
    isoefficiency(wanted, &Sizes::Grid(&grid), efficiency)
}

/// Where one of two becomes the quicker, for all pairs.
fn pairs(
    subjects: &mut [Box<dyn Timed + '_>],
    base: &[(String, f64)],
    name: &str,
    places: &[f64],
    terminal: &Terminal,
) -> Result<Vec<CrossoverAnswer>, Failure> {
    let mut all = Vec::new();
    for first in 0..subjects.len() {
        for second in first + 1..subjects.len() {
            let names = (subjects[first].name(), subjects[second].name());
            let times = |place: f64| -> Result<(f64, f64), Failure> {
                let at = with(base, name, place);
                let one = subjects[first].value(&at, terminal)?;
                Ok((one, subjects[second].value(&at, terminal)?))
            };
            // Between two numbers of processors there may be none that the programs can have.
            for place in crossovers(places, name != "P", times)? {
                let (first, second) = names.clone();
                all.push(CrossoverAnswer { first, second, place });
            }
        }
    }
    Ok(all)
}

fn text(answer: &Answer, style: &Style) -> String {
    let notation = style.notation();
    let mut out = String::new();
    for curve in &answer.curves {
        let mut columns = vec![Column::right(&answer.variable), Column::right("time")];
        columns.push(Column::left("interval"));
        let others: Vec<&String> =
            curve.points.first().map_or(Vec::new(), |point| point.beside.keys().collect());
        columns.extend(others.iter().map(|name| Column::right(name)));
        columns.extend(["speed-up", "efficiency", "serial", "size for it"].map(Column::right));
        let mut table = Table::new(columns);
        for point in &curve.points {
            let band = point.low_s.zip(point.high_s).filter(|(low, high)| low < high);
            let mut cells = vec![
                Cell::new(notation.number(point.at)),
                Cell::new(notation.quantity(point.time_s, &Unit::Seconds)),
                Cell::new(band.map_or(String::new(), |(low, high)| {
                    notation.range(low, high, &Unit::Seconds)
                })),
            ];
            cells.extend(others.iter().map(|name| {
                let time = point.beside.get(*name).and_then(serde_json::Value::as_f64);
                Cell::new(
                    time.map_or(String::new(), |time| notation.quantity(time, &Unit::Seconds)),
                )
            }));
            let scaling = point.scaling;
            let number = |value: Option<f64>, text: &dyn Fn(f64) -> String| {
                Cell::new(value.map_or(String::new(), text))
            };
            cells.push(number(scaling.map(|s| s.speed_up), &|v| format!("{v:.2}")));
            cells.push(number(scaling.map(|s| s.efficiency), &|v| notation.percent(v)));
            cells.push(number(scaling.and_then(|s| s.serial_fraction), &|v| notation.percent(v)));
            cells.push(Cell::new(match point.isoefficiency_size {
                None => String::new(),
                Some(None) => "none".to_owned(),
                Some(Some(size)) => notation.number(size),
            }));
            table.row(cells);
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&format!("{}: {}\n", curve.name, curve.kind));
        out.push_str(&table.render(style, 2));
    }
    if answer.curves.len() > 1 {
        out.push('\n');
        if answer.crossovers.is_empty() {
            out.push_str("no crossover: the same one is the quickest everywhere\n");
        }
    }
    for one in &answer.crossovers {
        let (quick, slow) = match one.place.first_wins {
            true => (&one.first, &one.second),
            false => (&one.second, &one.first),
        };
        let variable = &answer.variable;
        let place = match one.place.high - one.place.low > 1e-5 * one.place.high {
            true => format!(
                "between {variable} = {} and {}",
                notation.number(one.place.low),
                notation.number(one.place.high)
            ),
            false => format!("{variable} = {}", notation.number(one.place.at)),
        };
        out.push_str(&format!("crossover: from {place} on {quick} is quicker than {slow}\n"));
    }
    out
}

/// A run, beside what is predicted for it.
fn mark(run: &PointAnswer, model: f64) -> PlotPoint {
    let (count, y) = (1, run.time_s);
    let spread = Whiskers { count, minimum: y, lower_quartile: y, upper_quartile: y, maximum: y };
    let error = (y - model) / y;
    let errors = (error, error);
    PlotPoint { x: run.at, y, spread, model, error, errors, excluded: false, points: 1 }
}

/// The points of a curve of runs.
fn marks(answer: &Answer, curve: &CurveAnswer) -> Vec<PlotPoint> {
    let predicted = |run: &PointAnswer| {
        let mut others = answer.curves.iter().filter(|o| !o.of_runs && o.name == curve.name);
        let point = others.find_map(|other| other.points.iter().find(|p| p.at == run.at));
        point.map_or(run.time_s, |point| point.time_s)
    };
    let runs = curve.points.iter().filter(|_| curve.of_runs);
    runs.map(|run| mark(run, predicted(run))).collect()
}

/// All curves in one plot; of one program that follows processors also the ideal.
fn picture(answer: &Answer) -> PlotSpec {
    let mut places: Vec<f64> =
        answer.curves.iter().flat_map(|curve| curve.points.iter().map(|p| p.at)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let powers = places.iter().all(|&at| at > 0.0 && at.log2().fract() == 0.0);
    let wide = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(v), h.max(v)));
        low > 0.0 && high >= 10.0 * low
    };
    let times = answer.curves.iter().flat_map(|curve| curve.points.iter().map(|p| p.time_s));
    let series = |label: String, points: Vec<CurvePoint>| Series {
        label,
        at: Default::default(),
        points: Vec::new(),
        curves: vec![Curve { interval: 0, beyond: false, points }],
    };
    let mut all: Vec<Series> = (answer.curves.iter())
        .map(|curve| {
            let point =
                |p: &PointAnswer| CurvePoint { x: p.at, y: p.time_s, band: p.low_s.zip(p.high_s) };
            let label = format!("{}: {}", curve.name, curve.kind);
            let drawn = series(label, curve.points.iter().map(point).collect());
            Series { points: marks(answer, curve), ..drawn }
        })
        .collect();
    if let [curve] = &answer.curves[..] {
        let names: Vec<String> =
            curve.points.first().map_or(Vec::new(), |p| p.beside.keys().cloned().collect());
        for name in names {
            let point = |p: &PointAnswer| {
                let y = p.beside.get(&name)?.as_f64()?;
                Some(CurvePoint { x: p.at, y, band: None })
            };
            let points = curve.points.iter().filter_map(point).collect();
            all.push(series(format!("{}: {name}", curve.name), points));
        }
    }
    // What was measured comes first.
    let mut names: Vec<&str> = answer.curves.iter().map(|curve| curve.name.as_str()).collect();
    names.dedup();
    if let [_] = names[..] {
        let mut points = answer.curves.iter().flat_map(|curve| &curve.points);
        if let Some(one) = points.find_map(|p| p.scaling.map(|s| s.time_s * s.speed_up)) {
            let ideal = places.iter().map(|&x| CurvePoint { x, y: one / x, band: None });
            all.push(series("ideal: T(1)/P".to_owned(), ideal.collect()));
        }
    }
    PlotSpec {
        title: names.join(", "),
        formula: Vec::new(),
        description: match answer
            .curves
            .iter()
            .any(|curve| curve.points.iter().any(|p| p.runs.is_some()))
        {
            true => format!("Measured and predicted times over {}.", answer.variable),
            false => format!("Predicted times over {}.", answer.variable),
        },
        x: Axis {
            title: answer.variable.clone(),
            unit: Unit::Other(String::new()),
            scale: match (powers, wide(&mut places.iter().copied())) {
                (true, _) => Scale::Binary,
                (false, true) => Scale::Log,
                _ => Scale::Linear,
            },
        },
        y: Axis {
            title: "time".to_owned(),
            unit: Unit::Seconds,
            scale: if wide(&mut times.into_iter()) { Scale::Log } else { Scale::Linear },
        },
        series: all,
        boundaries: Vec::new(),
        references: Vec::new(),
        markers: Vec::new(),
        confidence: 0.9,
        notes: Vec::new(),
    }
}
