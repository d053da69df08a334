//! A platform of SimGrid, with the settings of its simulation of MPI (SMPI).

use std::fmt::Write as _;

use crate::communication::Segment;
use crate::machine::Machine;
use crate::message_passing::{MessageCall, MessageLine};

/// The data that the machine lacks for a platform, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotExported(pub String);

/// Platforms of version 4.1 for SimGrid 3.32: one host for each process, all joined by links that do not hinder each other.
///
/// SMPI takes the time of a message as `os(n) + latency·lf(n) + n/(bandwidth·bf(n)) + or(n)`, where the factors are constant
/// between sizes. So latency and bandwidth are those of the first and of the last piece, and the factors give each piece its
/// own L and g. Below the eager limit os is t_e, or is t_r and the link t_t; above it the whole time is the link's, since SMPI
/// adds neither there.
///
/// `mpi` chooses the MPI (the first one if `None`); messages are those between hosts if they are known, else those on one.
/// `speed` is used where the machine has no s, in operations per second.
///
/// # Errors
/// If the machine has no whole time of messages, or no s and none is given.
pub fn simgrid(
    machine: &Machine,
    mpi: Option<&str>,
    processes: u32,
    speed: Option<f64>,
) -> Result<String, NotExported> {
    let total = total_times(machine, mpi)?;
    let rate = machine.classic.iter().find_map(|classic| classic.rate).map(|rate| rate.value);
    let Some(speed) = speed.or(rate) else {
        return Err(NotExported(
            "the machine has no s, the speed of a host: --speed gives it".into(),
        ));
    };
    let limit = machine
        .message_passing
        .library(&total.mpi, total.hosts)
        .and_then(|library| library.eager)
        .map(|size| size.value);
    let parts = limit.and_then(|limit| parts(machine, total, limit));
    let link = parts.as_ref().map_or(&total.segments, |parts| &parts.link);
    let positive = |value: f64, least: f64| value.max(least);
    let latency = positive(link.first().map_or(0.0, |segment| segment.l.value), 1e-9);
    let bandwidth = 1.0 / positive(link.last().map_or(0.0, |segment| segment.g.value), 1e-13);
    let mut settings: Vec<(String, String)> = vec![
        (
            "smpi/lat-factor".into(),
            factors(link, &|entry| positive(entry.l.value, 1e-12) / latency),
        ),
        (
            "smpi/bw-factor".into(),
            factors(link, &|entry| 1.0 / positive(entry.g.value, 1e-13) / bandwidth),
        ),
        // The times are those of undisturbed messages.
        ("network/crosstraffic".into(), "0".into()),
        ("network/TCP-gamma".into(), "0".into()),
        ("smpi/host-speed".into(), format!("{speed:.6e}f")),
    ];
    if let Some((limit, parts)) = limit.zip(parts.as_ref()) {
        settings.push(("smpi/os".into(), overhead(&parts.emission, limit)));
        settings.push(("smpi/ois".into(), overhead(&parts.emission, limit)));
        settings.push(("smpi/or".into(), overhead(&parts.reception, limit)));
    }
    if let Some(limit) = limit {
        settings.push(("smpi/async-small-thresh".into(), format!("{limit}")));
        settings.push(("smpi/send-is-detached-thresh".into(), format!("{limit}")));
    }
    Ok(platform(machine, total, (processes, speed), (latency, bandwidth), &settings))
}

/// The whole times of messages: of this MPI or the first one, between hosts if they are known.
fn total_times<'m>(
    machine: &'m Machine,
    mpi: Option<&str>,
) -> Result<&'m MessageLine, NotExported> {
    let all = &machine.message_passing.messages;
    let is_total = |line: &&MessageLine| {
        line.call == MessageCall::Total && mpi.is_none_or(|name| line.mpi.starts_with(name))
    };
    let last = all.iter().filter(is_total).max_by_key(|line| line.hosts);
    // The first MPI of the file, if several have as many hosts.
    let first =
        last.and_then(|last| all.iter().filter(is_total).find(|line| line.hosts == last.hosts));
    first.ok_or_else(|| {
        NotExported(match mpi {
            Some(name) => format!("the machine has no times of messages of {name}"),
            None => {
                "the machine has no times of messages: cll machine probe --mpi measures them".into()
            }
        })
    })
}

/// A message in parts below the eager limit.
struct Parts {
    emission: Vec<Segment>,
    reception: Vec<Segment>,
    /// Transit, and above the limit the whole time.
    link: Vec<Segment>,
}

/// The parts of messages; `None` if the machine does not have them.
fn parts(machine: &Machine, total: &MessageLine, limit: f64) -> Option<Parts> {
    let line = |call| machine.message_passing.message(&total.mpi, total.hosts, call, None);
    let (e, t, r) =
        (line(MessageCall::Emission)?, line(MessageCall::Transit)?, line(MessageCall::Reception)?);
    let below = |line: &MessageLine| {
        let pieces = line.segments.iter().copied().filter(|segment| segment.from <= limit);
        pieces.map(|segment| Segment { to: segment.to.min(limit), ..segment }).collect::<Vec<_>>()
    };
    let above = total.segments.iter().copied().filter(|segment| segment.to > limit);
    let link = below(t).into_iter().chain(above).collect();
    Some(Parts { emission: below(e), reception: below(r), link })
}

/// A factor of each piece of the link; it holds for sizes above its own.
fn factors(link: &[Segment], of: &dyn Fn(&Segment) -> f64) -> String {
    let factor = |(k, segment): (usize, &Segment)| {
        let from = if k == 0 { 0.0 } else { link[k - 1].to };
        format!("{from}:{:.6e}", of(segment))
    };
    link.iter().enumerate().map(factor).collect::<Vec<_>>().join(";")
}

/// The time of each piece, and none above the limit.
fn overhead(pieces: &[Segment], limit: f64) -> String {
    let time = |(k, segment): (usize, &Segment)| {
        let from = if k == 0 { 0.0 } else { segment.from };
        format!("{from}:{:.6e}:{:.6e}", segment.l.value, segment.g.value)
    };
    let mut text: Vec<String> = pieces.iter().enumerate().map(time).collect();
    text.push(format!("{}:0:0", limit + 1.0));
    text.join(";")
}

fn platform(
    machine: &Machine,
    total: &MessageLine,
    (processes, speed): (u32, f64),
    (latency, bandwidth): (f64, f64),
    settings: &[(String, String)],
) -> String {
    let place = if total.hosts == 1 { "on one host" } else { "between hosts" };
    let mut out = format!(
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n\
         <!-- {}: messages of {} {place}, measured {} -->\n<platform version=\"4.1\">\n  <config id=\"General\">\n",
        comment(&machine.name),
        comment(&total.mpi),
        comment(&machine.origin.when)
    );
    for (key, value) in settings {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "    <prop id=\"{key}\" value=\"{value}\"/>");
    }
    out += "  </config>\n  <zone id=\"machine\" routing=\"Full\">\n";
    for k in 0..processes {
        let _ = writeln!(out, "    <host id=\"process-{k}\" speed=\"{speed:.6e}f\"/>");
    }
    let link = |id: &str| {
        format!(
            "    <link id=\"{id}\" bandwidth=\"{bandwidth:.6e}Bps\" latency=\"{latency:.6e}s\" sharing_policy=\"FATPIPE\"/>\n"
        )
    };
    out += &link("messages");
    for from in 0..processes {
        for to in from..processes {
            let _ = writeln!(
                out,
                "    <route src=\"process-{from}\" dst=\"process-{to}\"><link_ctn id=\"messages\"/></route>"
            );
        }
    }
    out += "  </zone>\n</platform>\n";
    out
}

/// A text for a comment of XML.
fn comment(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '-' | '<' | '>' | '&') { ' ' } else { c })
        .collect()
}
