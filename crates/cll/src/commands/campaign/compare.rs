//! Compares two campaigns of one plan.

use cll_campaign::change;
use cll_report::comparison_text;
use cll_result::{Compared, Comparison};

use crate::cli::CampaignCompareArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;
use cll_analysis::campaign::{mixture, observed};
use cll_campaign_db::CampaignDb;

const CONFIDENCE: f64 = 0.90;

/// `cll campaign compare`.
pub fn run(args: &CampaignCompareArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (before, after) = (CampaignDb::open(&args.before)?, CampaignDb::open(&args.after)?);
    let (times, later) = (observed(&before)?, observed(&after)?);
    let mut compared = Vec::new();
    for ((experiment, point), times) in &times.times {
        let Some(later) = later.times.get(&(experiment.clone(), point.clone())) else { continue };
        if let Some(change) = change(times, later, CONFIDENCE) {
            let runs = (times.len(), later.len());
            compared.push(Compared {
                experiment: experiment.clone(),
                point: point.clone(),
                change,
                runs,
            });
        }
    }
    for (database, path) in [(&before, &args.before), (&after, &args.after)] {
        if let Some(text) = mixture(database)? {
            terminal.warn(&format!("{}: {text}", path.display()));
        }
    }
    let environments = (before.environments()?, after.environments()?);
    let differs = match (environments.0.last(), environments.1.last()) {
        (Some(before), Some(after)) => after.differs(before),
        _ => Vec::new(),
    };
    let compared = Comparison::new(compared, differs, CONFIDENCE);
    if args.json {
        terminal.json(&compared)?;
        return Ok(0);
    }
    if compared.is_empty() {
        return Err(Failure::fit("the campaigns have no point in common for which both have runs"));
    }
    terminal.print(comparison_text(&compared, &terminal.style()))?;
    Ok(0)
}
