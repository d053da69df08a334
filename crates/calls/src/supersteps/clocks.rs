//! The clocks of several hosts, related by what was sent between them (`crossings`).

use std::io::{self, Read, Seek};

use cll_trace::TraceError;

use super::engine::Engine;
use super::refused::{Note, Refused};
use super::{Places, Survey, by_rank};

/// Corrects the times of all hosts to those of rank 0's, if there are several.
pub(super) fn relate<R: Read + Seek>(
    surveys: &mut [Survey],
    open: impl FnMut(usize) -> Result<R, TraceError>,
    places: &mut Places<'_>,
) -> Result<Vec<Note>, Refused> {
    let first = surveys.first().map(|survey| survey.process.host.clone());
    if surveys.iter().all(|survey| Some(&survey.process.host) == first.as_ref()) {
        return Ok(Vec::new());
    }
    let crossings = Engine::new(&by_rank(surveys), open, places, &mut io::sink())?.crossings()?;
    let lines = crossings.lines();
    let mut notes = Vec::new();
    let mut apart = Vec::new();
    for (host, line) in crossings.names.iter().zip(&lines).skip(1) {
        match line {
            Some(line) => notes.push(Note::Related {
                host: host.clone(),
                uncertainty: line.uncertainty,
                drift: line.drift,
            }),
            None => apart.push(host.clone()),
        }
        for survey in surveys.iter_mut().filter(|survey| survey.process.host == *host) {
            survey.correction = *line;
        }
    }
    if !apart.is_empty() {
        notes.push(Note::Apart { hosts: apart });
    }
    Ok(notes)
}
