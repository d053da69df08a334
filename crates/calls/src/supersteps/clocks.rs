//! Relates the clocks of several hosts by the messages between them (`crossings`).

use std::io;

use super::engine::Engine;
use super::refused::{Note, Refused};
use super::{CallSites, Overview, by_rank};
use crate::Opener;

/// If there are several hosts, corrects the times of all to those of rank 0's host.
pub(super) fn relate(
    overviews: &mut [Overview],
    open: &mut Opener<'_>,
    sites: &mut CallSites<'_>,
) -> Result<Vec<Note>, Refused> {
    let first = overviews.first().map(|overview| overview.process.host.clone());
    if overviews.iter().all(|overview| Some(&overview.process.host) == first.as_ref()) {
        return Ok(Vec::new());
    }
    let crossings = Engine::new(&by_rank(overviews), open, sites, &mut io::sink())?.crossings()?;
    let lines = crossings.lines();
    let mut notes = Vec::new();
    let mut unrelated = Vec::new();
    for (host, line) in crossings.names.iter().zip(&lines).skip(1) {
        match line {
            Some(line) => notes.push(Note::Related {
                host: host.clone(),
                uncertainty: line.uncertainty,
                drift: line.drift,
            }),
            None => unrelated.push(host.clone()),
        }
        for overview in overviews.iter_mut().filter(|overview| overview.process.host == *host) {
            overview.correction = *line;
        }
    }
    if !unrelated.is_empty() {
        notes.push(Note::Unrelated { hosts: unrelated });
    }
    Ok(notes)
}
