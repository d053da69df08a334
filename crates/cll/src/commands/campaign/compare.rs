//! What has changed between two campaigns of one plan.

use cll_campaign::{Change, change};
use cll_report::{Cell, Column, Table};
use serde_json::{Value, json};

use crate::book::{Book, mixture, observed};
use crate::cli::CampaignCompareArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;

const CONFIDENCE: f64 = 0.90;

/// A point that both have.
struct Compared {
    experiment: String,
    at: String,
    change: Change,
    runs: (usize, usize),
}

/// `cll campaign compare`.
pub fn run(args: &CampaignCompareArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (before, after) = (Book::open(&args.before)?, Book::open(&args.after)?);
    let (times, later) = (observed(&before)?, observed(&after)?);
    let mut compared = Vec::new();
    for ((experiment, at), times) in &times.times {
        let Some(later) = later.times.get(&(experiment.clone(), at.clone())) else { continue };
        if let Some(change) = change(times, later, CONFIDENCE) {
            let runs = (times.len(), later.len());
            compared.push(Compared {
                experiment: experiment.clone(),
                at: at.clone(),
                change,
                runs,
            });
        }
    }
    for (book, path) in [(&before, &args.before), (&after, &args.after)] {
        if let Some(text) = mixture(book)? {
            terminal.warn(&format!("{}: {text}", path.display()));
        }
    }
    let environments = (before.environments()?, after.environments()?);
    let differs = match (environments.0.last(), environments.1.last()) {
        (Some(before), Some(after)) => after.differs(before),
        _ => Vec::new(),
    };
    if args.json {
        terminal.json(&answer(&compared, &differs))?;
        return Ok(0);
    }
    if compared.is_empty() {
        return Err(Failure::fit("the books have no point in common that both have runs of"));
    }
    for (what, before, now) in &differs {
        let line = format!("{what}: {} → {}", short(before), short(now));
        terminal.line(cll_report::escape(&line))?;
    }
    if differs.is_empty() {
        terminal.line("the environments are the same")?;
    }
    let columns = vec![
        Column::left("experiment"),
        Column::left("at"),
        Column::right("factor"),
        Column::left("90 % interval"),
        Column::left(""),
    ];
    let mut table = Table::new(columns);
    for one in &compared {
        let interval = match one.change.interval {
            Some((low, high)) => format!("{low:.3} to {high:.3}"),
            None => format!("too few runs ({} and {})", one.runs.0, one.runs.1),
        };
        table.row(vec![
            Cell::from(cll_report::escape(&one.experiment)),
            Cell::from(cll_report::escape(&one.at)),
            Cell::from(format!("{:.3}", one.change.ratio)),
            Cell::from(interval),
            Cell::from(word(&one.change).to_owned()),
        ]);
    }
    terminal.print(table.render(&terminal.style(), 0))?;
    let known = compared.iter().filter(|one| one.change.interval.is_some()).count();
    let changed = compared.iter().filter(|one| one.change.is_seen() == Some(true)).count();
    terminal.line(format!(
        "{changed} of {known} points have changed by their intervals; of {known} that have not, about {:.0} \
         would seem to by chance",
        (1.0 - CONFIDENCE) * known as f64
    ))?;
    Ok(0)
}

fn word(change: &Change) -> &'static str {
    match (change.is_seen(), change.ratio > 1.0) {
        (Some(true), true) => "slower",
        (Some(true), false) => "faster",
        _ => "",
    }
}

/// Hashes and lists are not read to their end.
fn short(text: &str) -> String {
    const MOST: usize = 40;
    match text.chars().count() > MOST {
        true => format!("{}…", text.chars().take(MOST).collect::<String>()),
        false if text.is_empty() => "(none)".to_owned(),
        false => text.to_owned(),
    }
}

fn answer(compared: &[Compared], differs: &[(&'static str, String, String)]) -> Value {
    let point = |one: &Compared| {
        json!({
            "experiment": one.experiment, "at": one.at, "ratio": one.change.ratio,
            "low": one.change.interval.map(|(low, _)| low),
            "high": one.change.interval.map(|(_, high)| high),
            "changed": one.change.is_seen(),
            "runs": [one.runs.0, one.runs.1],
        })
    };
    let differs: Vec<Value> = differs
        .iter()
        .map(|(what, before, after)| json!({ "what": what, "before": before, "after": after }))
        .collect();
    json!({
        "format": "cll-campaign-compare",
        "version": 1,
        "confidence": CONFIDENCE,
        "environments": differs,
        "points": compared.iter().map(point).collect::<Vec<_>>(),
    })
}
