//! `cll profile view`.

use std::path::PathBuf;
use std::sync::Arc;

use cll_analysis::profile;
use cll_analysis::profile_sources;
use cll_files::serve::{Server, Site};
use cll_profile::diff::diff;
use cll_report::{ProfilePage, profile_page};
use cll_result::{PageMachine, PageProfile};

use crate::cli::ProfileViewArgs;
use crate::failure::Failure;
use crate::files::{self, Output};
use crate::terminal::Terminal;

/// Of the interval of a difference; there is none between two runs.
const CONFIDENCE: f64 = 0.95;

/// Values of supersteps of each metric that a page holds, and one that is served.
const PAGE_ROOM: usize = 1 << 21;
const SERVED_ROOM: usize = 1 << 24;

/// A page that takes nothing.
struct Served(Arc<str>);

impl Site for Served {
    fn page(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

/// Writes the page, or serves it.
pub fn run(args: &ProfileViewArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let runs = profile::runs(&args.files)?;
    if runs.len() > 2 {
        let wrong = format!("one run is shown, or two are compared: {} are given", runs.len());
        return Err(Failure::usage(wrong).help("cll profile diff compares sets of runs"));
    }
    let room = if args.serve { SERVED_ROOM } else { PAGE_ROOM };
    let mut found = Vec::new();
    let mut as_on = None;
    for run in &runs {
        let (profile, supersteps) = profile::with_supersteps(run, room, terminal)?;
        let on = super::on(&args.on, &profile, terminal)?;
        let mut machines = PageMachine::published(profile.processors);
        if let Some(on) = on {
            machines.retain(|one| one.name != on.name);
            machines.insert(0, PageMachine::new(on.name.clone(), &on.costs, on.notes));
            as_on = Some(on.name);
        }
        let sources = profile_sources(&profile, files::folder(&run[0]));
        found.push((profile, supersteps, sources, machines));
    }
    // Both in one unit of the h-relation, as `diff` has it.
    if let [(one, ..), (other, ..)] = &found[..]
        && one.h_unit != other.h_unit
    {
        found = found.into_iter().map(|(one, s, t, m)| (one.in_words(), s, t, m)).collect();
    }
    let difference = match &found[..] {
        [(before, ..), (after, ..)] => {
            let of = std::slice::from_ref;
            Some(diff(of(before), of(after), CONFIDENCE))
        }
        _ => None,
    };
    let names: Vec<String> = runs.iter().map(|run| files::base(&run[0])).collect();
    let profiles: Vec<PageProfile<'_>> = (found.iter().zip(&names))
        .map(|((profile, supersteps, sources, machines), file)| PageProfile {
            file,
            profile,
            supersteps: supersteps.as_ref(),
            sources,
            machines,
        })
        .collect();
    let html = profile_page(&ProfilePage {
        profiles: &profiles,
        difference: difference.as_ref(),
        as_on: as_on.as_deref(),
        tool: concat!("cll ", env!("CARGO_PKG_VERSION")),
    });
    if args.serve {
        let server = Server::bind(args.port)?;
        let site = Served(html.into());
        terminal.note(&format!("the page is {} until Ctrl-C", server.address(&site)));
        server.run(&site);
        return Ok(0);
    }
    let path: PathBuf = args.output.clone().unwrap_or_else(|| runs[0][0].with_extension("html"));
    Output::apart_from(&path, &args.files)?.write(html.as_bytes())?;
    terminal.note(&format!("the page is {}", path.display()));
    Ok(0)
}
