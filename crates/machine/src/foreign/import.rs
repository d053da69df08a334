//! A text of another program, to a machine.

use cll_diagnostic::Diagnostic;

use super::bsp_table;
use super::messages::{Subject, Timed, Writer};
use crate::communication::Segment;
use crate::machine::{Machine, Origin};
use crate::measured::{lines, middle};
use crate::message_passing::{Collective, CollectiveLine, MessageLine};
use crate::read::read;
use crate::uncertain::Uncertain;
use crate::write::write;

/// The defaults for facts that a text of a benchmark of MPI does not contain.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportDefaults {
    /// The MPI.
    pub mpi: String,
    /// How many hosts the processes were on.
    pub hosts: u32,
    /// The processes of collectives.
    pub processes: Option<u32>,
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The program that has written the text, in words; empty if it is not known.
    pub writer: &'static str,
    /// The machine: what it has of the format, and where that is from; `None` if an error is among the diagnostics.
    pub machine: Option<Machine>,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a table of (s, g, l) of the Oxford BSP Toolset, the last line of `bspbench`, or the output of the OSU
/// micro-benchmarks, the Intel MPI Benchmarks, MPBench or NetPIPE. Which it is follows from the text. `file` is its name, for
/// the source.
pub fn import(text: &[u8], file: &str, defaults: &ImportDefaults) -> Imported {
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let offset = error.valid_up_to();
            let wrong = Diagnostic::error("M001", offset..offset + 1, "the text is not UTF-8");
            return Imported { diagnostics: vec![wrong], ..Imported::default() };
        }
    };
    let mut diagnostics = Vec::new();
    let mut machine = Machine::default();
    let writer = match (bsp_table::is_table(text), Writer::from_text(text)) {
        (true, _) => {
            machine.classic = bsp_table::read(text, &mut diagnostics);
            machine
                .missing
                .push("g and L by pattern and message size: one (g, l) serves all".into());
            "a table of (s, g, l)"
        }
        (_, Some(writer)) => {
            let tables = writer.read(text, &mut diagnostics);
            messages(&tables, defaults, &mut machine, &mut diagnostics);
            machine.missing.push("t_e, t_t and t_r apart, the eager limit".into());
            writer.name()
        }
        _ => {
            let first = text.find('\n').unwrap_or(text.len());
            diagnostics.push(
                Diagnostic::error("M020", 0..first, "this is none of the formats that are known")
                    .help("a table of (s, g, l) has a head such as `p s(Mflops) g(flops/word) l(flops)`")
                    .help("output of the OSU micro-benchmarks has `# OSU MPI Latency Test`, of IMB `# Benchmarking PingPong`, of MPBench a head such as `bytes,send_us,receive_us`; NetPIPE's np.out has three numbers a line"),
            );
            ""
        }
    };
    let is_empty = machine.classic.is_empty() && machine.message_passing.is_empty();
    if is_empty && !diagnostics.iter().any(Diagnostic::is_error) {
        let first = text.find('\n').unwrap_or(text.len());
        diagnostics.push(
            Diagnostic::error("M022", 0..first, format!("{writer}, and nothing of it can be used"))
                .help("at least four sizes of a call are needed"),
        );
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    machine.name = file.to_owned();
    machine.origin = Origin { source: Some(format!("{writer}, file {file}")), ..Origin::default() };
    // A machine file has no numbers that are too large.
    if !diagnostics.iter().any(Diagnostic::is_error)
        && read(write(&machine).as_bytes()).machine.is_none()
    {
        let first = text.find('\n').unwrap_or(text.len());
        let wrong = "the numbers are too large or too small to be costs";
        diagnostics.push(Diagnostic::error("M022", 0..first, wrong));
    }
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    Imported { writer, machine: (!failed).then_some(machine), diagnostics }
}

fn messages(
    tables: &[Timed],
    defaults: &ImportDefaults,
    machine: &mut Machine,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let all = &mut machine.message_passing;
    for table in tables {
        let (mpi, hosts) = (defaults.mpi.clone(), defaults.hosts);
        // Of messages of 0 bytes the next sizes say as much, and a relative fit needs a size.
        let rows = table.rows.iter().copied().filter(|(bytes, _)| *bytes > 0.0);
        let segments = match table.subject {
            Subject::Collective(Collective::Barrier) => {
                let l = middle(table.rows.iter().map(|row| row.1).collect(), 0.0);
                l.map(|l| vec![Segment { from: 0.0, to: 0.0, g: Uncertain::ZERO, l }])
            }
            _ => lines::pieces(rows, 0.0),
        };
        let Some(segments) = segments else {
            diagnostics.push(
                Diagnostic::error("M022", table.place.clone(), "too few sizes")
                    .help("at least four sizes of a call are needed for L and g"),
            );
            continue;
        };
        match table.subject {
            Subject::Message(call, partner) => {
                if all.message(&mpi, hosts, call, partner).is_none() {
                    all.messages.push(MessageLine { mpi, hosts, call, partner, segments });
                }
            }
            Subject::Collective(call) => {
                let Some(processes) = table.processes.or(defaults.processes) else {
                    diagnostics.push(
                        Diagnostic::error(
                            "M024",
                            table.place.clone(),
                            "the output does not say of how many processes",
                        )
                        .help("--processes N says it"),
                    );
                    continue;
                };
                all.collectives.push(CollectiveLine {
                    mpi,
                    hosts,
                    call,
                    processes,
                    oversubscribed: false,
                    segments,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests;
