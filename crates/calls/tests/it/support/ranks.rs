//! Logs of calls made by hand.

use cll_calls::{Note, Overview, Refused, supersteps};
use cll_supersteps::Log;
use cll_trace::layout::call::{Begun, CallRecord, CallWriter, Got, Op};
use cll_trace::layout::{BlockHeader, KIND_CALLS, meta_block};
use cll_trace::meta::{Clock, Communicator, End, Meta, Module, Mpi, Point, Process, Window};

use super::{opener, sealed};

/// Ticks at which all begin.
pub const BEGIN: u64 = 1_000_000;

/// The calls of a rank, one after the other; times are nanoseconds.
#[derive(Clone, Default)]
pub struct Rank {
    host: String,
    /// The time that its host's clock shows at the beginning, and when it opens its log.
    zero: u64,
    opened: u64,
    records: Vec<(u32, CallRecord)>,
    pub now: u64,
    /// The thread that makes the next calls.
    pub lane: u32,
    /// Whether the log says how long threads had no core.
    pub is_watched: bool,
    requests: u64,
    pub communicators: Vec<Communicator>,
    pub windows: Vec<Window>,
}

impl Rank {
    pub fn new(rank: u32, ranks: u32) -> Rank {
        Rank::on("here", BEGIN, 0, rank, ranks)
    }

    pub fn on(host: &str, zero: u64, opened: u64, rank: u32, ranks: u32) -> Rank {
        let communicators = vec![communicator(0, "0", rank, vec![(0, ranks, 1)])];
        let host = host.to_owned();
        let mut own = Rank { host, zero, opened, now: opened, communicators, ..Rank::default() };
        own.call("Init", &[], 0, 0);
        own
    }

    /// A call after so much computation, which takes so long.
    pub fn call(&mut self, name: &str, fields: &[i64], computes: u64, takes: u64) -> &mut Rank {
        self.begin(name, fields, None, computes);
        self.returns(takes, None);
        self
    }

    pub fn begin(&mut self, name: &str, fields: &[i64], request: Option<u64>, computes: u64) {
        self.now += computes;
        let mut all = [0; 7];
        all[..fields.len()].copy_from_slice(fields);
        let op = Op::named(name).expect("a call");
        // Each call of MPI has a place of its own.
        let point = Some(u32::from(op.number()));
        let start = self.zero + self.now;
        let begun = Begun { op, point, fields: all, request, start };
        self.push(CallRecord::Begun(begun));
    }

    pub fn returns(&mut self, takes: u64, got: Option<Got>) {
        self.now += takes;
        self.push(CallRecord::Returned { end: self.zero + self.now, got, new: None, error: 0 });
    }

    fn push(&mut self, record: CallRecord) {
        self.records.push((self.lane, record));
    }

    /// A barrier after so much time outside of MPI, for so much of which the rank had no core.
    pub fn starves(&mut self, outside: u64, ready: u64, takes: u64) {
        self.is_watched = true;
        self.begin("Barrier", &[0, 0, 0, 0], None, outside);
        self.push(CallRecord::OffCore { ns: ready, ready_ns: Some(ready) });
        self.returns(takes, None);
    }

    /// A call that returns a request.
    pub fn asks(&mut self, name: &str, fields: &[i64]) -> u64 {
        self.requests += 1;
        self.begin(name, fields, Some(self.requests), 0);
        self.returns(0, None);
        self.requests
    }

    /// The start of a persistent request.
    pub fn starts(&mut self, request: u64, computes: u64) {
        self.begin("Start", &[1], Some(request), computes);
        self.returns(0, None);
        self.push(CallRecord::Started { request });
    }

    /// A call that is made in vain for so long, of which so much is in it.
    pub fn polls(
        &mut self,
        name: &str,
        fields: &[i64],
        request: Option<u64>,
        takes: u64,
        inside: u64,
    ) {
        self.begin(name, fields, request, 0);
        self.now += takes;
        self.push(CallRecord::Unsuccessful { count: 7, end: self.zero + self.now, inside });
    }

    /// The call that was begun last has completed a request.
    pub fn completes(&mut self, request: u64) {
        self.push(CallRecord::Done { request, got: None, cancelled: false });
    }

    /// A wait for requests.
    pub fn waits(&mut self, requests: &[u64], computes: u64, takes: u64) -> &mut Rank {
        self.begin("Waitall", &[requests.len() as i64], requests.first().copied(), computes);
        self.returns(takes, None);
        for &request in requests {
            self.push(CallRecord::Done { request, got: None, cancelled: false });
        }
        self
    }

    pub fn ends(&mut self, computes: u64) {
        self.call("Finalize", &[], computes, 0);
    }

    pub fn log(&self, rank: u32, ranks: u32) -> Vec<u8> {
        let process = Process {
            format: 2,
            clock: Clock::Mono,
            pid: 7,
            program: "/a/program".into(),
            host: self.host.clone(),
            ..Process::default()
        };
        let mut all = vec![
            Meta::Process(process),
            Meta::Mpi(Mpi {
                library: "An MPI".into(),
                rank,
                ranks,
                watched_ns: if self.is_watched { 100_000 } else { 0 },
                ..Mpi::default()
            }),
        ];
        all.extend(self.communicators.iter().cloned().map(Meta::Communicator));
        all.extend(self.windows.iter().cloned().map(Meta::Window));
        let lanes = 1 + self.records.iter().map(|record| record.0).max().unwrap_or(0);
        all.extend((0..lanes).map(|processor| {
            Meta::Module(Module { path: "/a/program".into(), processor, ..Module::default() })
        }));
        for (processor, op) in (0..lanes).flat_map(|lane| Op::all().map(move |op| (lane, op))) {
            let id = u32::from(op.number());
            let path = vec![(0, 0x100 + u64::from(id))];
            all.push(Meta::Point(Point { id, processor, path, ..Point::default() }));
        }
        all.push(Meta::End(End::default()));
        let mut log = meta_block(&all, BlockHeader { process: 7, ..BlockHeader::default() });
        for thread in 0..lanes {
            let mut writer = CallWriter::new(self.zero + self.opened);
            let own = self.records.iter().filter(|record| record.0 == thread);
            own.for_each(|(_, record)| writer.push(record));
            let header = BlockHeader {
                kind: KIND_CALLS,
                process: 7,
                thread,
                ticks_open: self.zero + self.opened,
                mono_open: self.zero + self.opened,
                ..BlockHeader::default()
            };
            log.extend(sealed(header, &writer.finish(), self.zero + self.now));
        }
        log
    }
}

pub fn communicator(id: u32, key: &str, rank: u32, ranks: Vec<(i32, u32, i32)>) -> Communicator {
    let size = ranks.iter().map(|stretch| stretch.1).sum();
    Communicator { id, key: key.into(), rank, size, ranks, ..Communicator::default() }
}

pub fn ranks(count: u32) -> Vec<Rank> {
    (0..count).map(|rank| Rank::new(rank, count)).collect()
}

pub fn convert(ranks: &[Rank]) -> Result<(Log, Vec<Note>), Refused> {
    let count = ranks.len() as u32;
    // The files may lie in any order.
    let logs: Vec<Vec<u8>> =
        (0..count).rev().map(|rank| ranks[rank as usize].log(rank, count)).collect();
    let mut overviews: Vec<Overview> =
        logs.iter().map(|log| Overview::read(&log[..]).expect("a log")).collect();
    let mut out = Vec::new();
    let mut sites = |_: &Overview, _: u32, point: &Point| ("a.c".to_owned(), point.id);
    let notes = supersteps(&mut overviews, &mut opener(&logs), &mut sites, &mut out)?;
    let log = cll_supersteps::read(&out[..]).expect("a log of supersteps");
    assert!(log.damage.is_empty(), "{:?}", log.damage);
    Ok((log, notes))
}
