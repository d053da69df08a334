//! The calls of a run by place, with the names of functions and files.

use std::collections::{BTreeMap, BTreeSet};

use cll_calls::{Activity, ActivityTotal, Overview, Site, SiteTotal, Summary, Thread, WaitKind};
use cll_profile::Frame;
use cll_result::{
    MpiCritical, MpiDelay, MpiDetail, MpiEfficiency, MpiLink, MpiPath, MpiSegment, MpiShare,
    MpiSpread, MpiTraffic, MpiWait, MpiWithoutCore,
};
use cll_supersteps::Processor;
use cll_trace::layout::call::Op;
use cll_units::Seconds;

use super::Symbols;

/// Functions and places of calls.
pub(super) struct CallNames<'s> {
    surveys: &'s [Overview],
    symbols: Symbols,
}

impl<'s> CallNames<'s> {
    pub(super) fn new(surveys: &'s [Overview]) -> CallNames<'s> {
        CallNames { surveys, symbols: Symbols::default() }
    }

    /// The functions that lead to a call, the innermost first.
    fn frames(&mut self, process: usize, lane: u32, point: Option<u32>) -> Vec<Frame> {
        let Some((place, modules)) = self.surveys[process].place(lane, point) else {
            return Vec::new();
        };
        let processor = Processor { modules: modules.to_vec(), ..Processor::default() };
        let mut frames = self.symbols.functions(&processor, place);
        // What starts `main` is not of the program.
        let is_start = |frame: &Frame| frame.function.starts_with("__libc_start");
        if let Some(main) = frames.iter().position(|frame| frame.function == "main") {
            frames.truncate(main + 1);
        } else if let Some(start) = frames.iter().position(is_start) {
            frames.truncate(start);
        }
        frames
    }

    /// `heat.c:30`; empty if it is not known.
    pub(super) fn place(&mut self, process: usize, lane: u32, point: Option<u32>) -> String {
        self.frames(process, lane, point).first().map_or(String::new(), place)
    }

    /// `heat.c:30`.
    pub(super) fn place_of(&mut self, site: &Site) -> String {
        self.place(site.process, site.lane, site.point)
    }

    /// The functions that lead to a call, the innermost first.
    pub(super) fn functions(&mut self, site: &Site) -> Vec<String> {
        self.of_site(site).into_iter().map(|frame| frame.function).collect()
    }

    /// The innermost function that both calls are in; empty if none is known.
    pub(super) fn common_function(&mut self, after: Option<&Site>, before: &Site) -> String {
        let texts = self.functions(before);
        let other = after.map_or(texts.clone(), |after| self.functions(after));
        let pairs = texts.iter().rev().zip(other.iter().rev());
        let last = pairs.take_while(|(texts, other)| texts == other).last();
        let last = last.map(|(text, _)| text.as_str()).filter(|name| !name.contains("+0x"));
        last.unwrap_or("").to_owned()
    }

    /// The files that calls are in.
    pub(super) fn files(&mut self, sites: &[Site]) -> Vec<String> {
        let mut files = BTreeSet::new();
        for site in sites {
            files.extend(self.of_site(site).into_iter().next().map(|frame| frame.file));
        }
        files.remove("");
        files.into_iter().collect()
    }

    fn rank(&self, process: usize) -> u32 {
        self.surveys[process].rank().map_or(0, |(rank, _)| rank)
    }

    /// The same with files and lines.
    pub(super) fn frames_of(&mut self, site: &Site) -> Vec<Frame> {
        self.of_site(site)
    }

    /// Programs and libraries whose functions have no names.
    pub(super) fn silent(&self) -> Vec<String> {
        self.symbols.without_names()
    }

    fn of_site(&mut self, site: &Site) -> Vec<Frame> {
        self.frames(site.process, site.lane, site.point)
    }

    /// `MPI_Send heat.c:30`.
    fn call(&mut self, site: &Site) -> String {
        let place = self.place(site.process, site.lane, site.point);
        format!("MPI_{} {place}", site.op.name()).trim_end().to_owned()
    }
}

fn place(frame: &Frame) -> String {
    match frame.file.as_str() {
        "" => frame.function.clone(),
        file => format!("{}:{}", file.rsplit('/').next().unwrap_or(file), frame.line),
    }
}

/// The name of a kind of waiting.
pub(super) fn kind(kind: Option<WaitKind>) -> &'static str {
    match kind {
        None => "spawn",
        Some(WaitKind::LateSender) => "late sender",
        Some(WaitKind::LateReceiver) => "late receiver",
        Some(WaitKind::Collective) => "collective",
        Some(WaitKind::Fence) => "fence",
        Some(WaitKind::Together) => "creation and files",
        Some(WaitKind::Polling) => "polling",
    }
}

/// The details of a summary.
pub(super) fn detail(summary: &Summary, names: &mut CallNames<'_>) -> MpiDetail {
    let account = &summary.account;
    let sites: Vec<Site> = account.sites.iter().map(|total| total.site).collect();
    let mut by_path: Vec<MpiPath> =
        account.sites.iter().map(|total| by_path(total, summary.one_clock, names)).collect();
    // The time of beginning and ending MPI is not of the program.
    let is_life = |path: &MpiPath| Op::of_function(&path.call).is_some_and(Op::is_life);
    by_path.sort_by(|path, other| {
        is_life(path).cmp(&is_life(other)).then(other.time.total_cmp(&path.time))
    });
    let mut segments: Vec<MpiSegment> = account
        .activities
        .iter()
        .filter_map(|total| segment(total, &sites, summary.one_clock, names))
        .collect();
    segments.sort_by(|segment, other| other.time.total_cmp(&segment.time));
    let waits = account.kinds.iter();
    let waits =
        waits.map(|total| MpiWait { kind: kind(total.kind), calls: total.calls, time: total.time });
    let mut delays: Vec<MpiDelay> = Vec::new();
    for delay in &account.delays {
        let activity = &account.activities[delay.activity.0 as usize].activity;
        delays.push(MpiDelay {
            rank: names.rank(delay.process),
            doing: doing(activity, &sites, names),
            time: delay.time,
            kind: kind(Some(delay.kind)),
            waits: names.call(&sites[delay.site.0 as usize]),
            own: delay.own,
            critical: delay.critical,
            is_hidden: delay.is_hidden,
        });
    }
    let messages = account.traffic.iter().map(|traffic| MpiTraffic {
        from: traffic.from,
        to: traffic.to,
        messages: traffic.messages,
        bytes: traffic.bytes,
    });
    let efficiency = account.efficiency.map(|factors| MpiEfficiency {
        runtime: factors.runtime,
        without_core: factors.without_core,
        parallel: factors.parallel(),
        load_balance: factors.load_balance,
        serialisation: factors.serialisation,
        transfer: factors.transfer,
    });
    let critical = summary.one_clock.then(|| MpiCritical {
        time: account.critical.time,
        changes: account.critical.changes,
        mpi: account
            .activities
            .iter()
            .filter(|total| matches!(total.activity, Activity::Call(_)))
            .map(|total| total.critical)
            .sum(),
        by_rank: ranks_of(&account.critical.by_process, names),
    });
    MpiDetail {
        by_path,
        segments,
        waits: waits.collect(),
        delays,
        without_core: without_core(summary, names.surveys),
        messages: messages.collect(),
        efficiency,
        critical,
        deadlock: deadlock(summary, names),
        mismatches: mismatches(summary, names),
        ..MpiDetail::default()
    }
}

/// Pairs of collectives that do not belong together.
fn mismatches(summary: &Summary, names: &mut CallNames<'_>) -> Vec<String> {
    let mut all = Vec::new();
    for [first, other] in &summary.account.mismatches {
        let mut words = |call: &(Thread, _, _)| {
            let (Thread { process, lane }, op, point) = *call;
            let call = names.call(&Site { op, process, lane, point });
            format!("rank {} {call}", names.rank(process))
        };
        all.push(format!("{}, {}", words(first), words(other)));
    }
    all
}

/// Time without a core, with the processors of the host if it is this one.
fn without_core(summary: &Summary, surveys: &[Overview]) -> Option<MpiWithoutCore> {
    let lost = summary.account.without_core.as_ref()?;
    let mut hosts: BTreeMap<&str, u32> = BTreeMap::new();
    for survey in surveys {
        *hosts.entry(&survey.process.host).or_default() += 1;
    }
    let (host, ranks_of_host) = hosts.into_iter().max_by_key(|host| host.1)?;
    let here = cll_counters::this_machine();
    Some(MpiWithoutCore {
        time: lost.time.iter().copied().sum(),
        outside: summary
            .by_rank
            .iter()
            .map(|rank| (rank.thread - rank.mpi).max(Seconds::ZERO))
            .sum(),
        waiting: lost.waited,
        ranks_of_host,
        processors: (here.host == host).then_some(here.processors),
    })
}

/// Ranks that wait for each other for ever.
pub(super) fn deadlock(summary: &Summary, names: &mut CallNames<'_>) -> Vec<MpiLink> {
    let mut links = Vec::new();
    for link in &summary.deadlock {
        let of_rank = |survey: &Overview| survey.rank().is_some_and(|(rank, _)| rank == link.rank);
        let process = names.surveys.iter().position(of_rank).unwrap_or(0);
        let site = Site { op: link.op, process, lane: link.thread, point: link.point };
        links.push(MpiLink { rank: link.rank, call: names.call(&site), awaits: link.awaits });
    }
    links
}

fn ranks_of(by_process: &[Seconds], names: &CallNames<'_>) -> Vec<MpiShare> {
    let mut all: Vec<MpiShare> = by_process
        .iter()
        .enumerate()
        .map(|(process, &time)| MpiShare {
            rank: names.rank(process),
            time: time.max(Seconds::ZERO),
        })
        .collect();
    all.sort_by_key(|share| share.rank);
    all
}

fn by_path(total: &SiteTotal, one_clock: bool, names: &mut CallNames<'_>) -> MpiPath {
    let frames = names.of_site(&total.site);
    MpiPath {
        call: format!("MPI_{}", total.site.op.name()),
        place: frames.first().map_or(String::new(), place),
        path: frames.iter().map(|frame| frame.function.clone()).collect(),
        calls: total.calls.0,
        unsuccessful: total.calls.1,
        sent: total.sent,
        received: total.received,
        time: total.time.iter().copied().sum(),
        waiting: one_clock.then_some(total.waiting),
        spread: spread(&total.time, names),
    }
}

fn spread(times: &[Seconds], names: &CallNames<'_>) -> MpiSpread {
    let some: Vec<(usize, Seconds)> =
        times.iter().copied().enumerate().filter(|time| time.1 > Seconds::ZERO).collect();
    let Some(&(most_process, most)) = some.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return MpiSpread::default();
    };
    let mean = some.iter().map(|pair| pair.1).sum::<Seconds>() / some.len() as f64;
    let least = some.iter().map(|pair| pair.1).min_by(Seconds::total_cmp).unwrap_or(most);
    let (ranks, most_rank) = (some.len() as u32, names.rank(most_process));
    MpiSpread { ranks, most_rank, most, least, imbalance: most / mean }
}

fn segment(
    total: &ActivityTotal,
    sites: &[Site],
    one_clock: bool,
    names: &mut CallNames<'_>,
) -> Option<MpiSegment> {
    let Activity::Computation { after, before } = total.activity else { return None };
    let (site, other) = (sites[before.0 as usize], after.map(|after| sites[after.0 as usize]));
    Some(MpiSegment {
        function: names.common_function(other.as_ref(), &site),
        after: other.map_or(String::new(), |other| names.call(&other)),
        before: names.call(&site),
        times: total.times,
        time: total.time.iter().copied().sum(),
        critical: if one_clock { total.critical } else { Seconds::ZERO },
        spread: spread(&total.time, names),
    })
}

/// `computing in main, between MPI_Recv heat.c:12 and MPI_Send heat.c:30`, `MPI_Send heat.c:30`.
fn doing(activity: &Activity, sites: &[Site], names: &mut CallNames<'_>) -> String {
    match *activity {
        Activity::Call(site) => format!("in {}", names.call(&sites[site.0 as usize])),
        Activity::WithoutCore(site) => {
            format!("without a core, before {}", names.call(&sites[site.0 as usize]))
        }
        Activity::Computation { after, before } => {
            let from = after.map(|after| sites[after.0 as usize]);
            let before = &sites[before.0 as usize];
            let function = match names.common_function(from.as_ref(), before).as_str() {
                "" => String::new(),
                function => format!(" in {function}"),
            };
            let to = names.call(before);
            match from {
                Some(from) => {
                    format!("computing{function}, from {} to {to}", names.call(&from))
                }
                None => format!("computing{function}, before {to}"),
            }
        }
    }
}
