//! The time that each process spent in each call path, and when. The ledger books what the accounting finds, so its
//! sums are those of the other statistics. A page shows calls without supersteps by it, as one superstep.

use crate::{Call, FastMap, WaitKind};

use super::sites::SiteId;

/// Slices of a time line, at most.
const MOST_SLICES: usize = 1024;
/// Values of all slices and processes, at most, of each kind.
const MOST_VALUES: usize = 1 << 19;
/// The first width of a slice, seconds.
const LEAST_WIDTH_S: f64 = 1e-6;

/// Time, bytes and waiting by call path and process, and a time line.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// By call path; a [`SiteId`] is an index.
    pub sites: Vec<SiteLedger>,
    /// The run in slices of equal length.
    pub slices: Slices,
    processes: usize,
}

/// The calls of a path; all but the kinds of waiting are by process.
#[derive(Clone, Debug, Default)]
pub struct SiteLedger {
    /// How many calls.
    pub calls: Vec<u64>,
    /// Time outside of MPI before them, since the call before, and between unsuccessful polls; seconds, as all times here.
    pub computed: Vec<f64>,
    /// Time in them, with waiting.
    pub inside: Vec<f64>,
    /// Bytes sent.
    pub sent: Vec<u64>,
    /// Bytes received.
    pub received: Vec<u64>,
    /// Waiting by kind; without a kind: in `MPI_Comm_spawn` and the like.
    pub waits: Vec<(Option<WaitKind>, Vec<f64>)>,
}

/// A run in slices of equal length.
#[derive(Clone, Debug)]
pub struct Slices {
    /// Their length, seconds.
    pub width_s: f64,
    /// When the first one begins.
    pub begin_s: f64,
    /// How many there are.
    pub count: usize,
    /// Slice after slice, for each process: seconds of computation, of calls without waiting, of waiting; bytes sent and
    /// received. Threads of a process are added up.
    pub values: Vec<[f64; 4]>,
    /// For each slice the seconds of all processes by call path, with the computation before the calls.
    pub paths: Vec<FastMap<SiteId, f64>>,
    processes: usize,
    most: usize,
}

/// A call with the time outside of MPI before it, as the accounting has it; seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Booking {
    pub(super) process: usize,
    pub(super) site: SiteId,
    /// When the time outside of MPI before it began.
    pub(super) from_s: f64,
    pub(super) outside_s: f64,
    pub(super) start_s: f64,
    pub(super) end_s: f64,
    /// In the call, or in its unsuccessful polls.
    pub(super) inside_s: f64,
    /// Between unsuccessful polls.
    pub(super) between_s: f64,
}

impl Ledger {
    pub(super) fn new(processes: usize) -> Ledger {
        Ledger { sites: Vec::new(), slices: Slices::new(processes), processes }
    }

    fn site(&mut self, site: SiteId) -> &mut SiteLedger {
        let (index, count) = (site.0 as usize, self.processes);
        while self.sites.len() <= index {
            self.sites.push(SiteLedger {
                calls: vec![0; count],
                computed: vec![0.0; count],
                inside: vec![0.0; count],
                sent: vec![0; count],
                received: vec![0; count],
                waits: Vec::new(),
            });
        }
        &mut self.sites[index]
    }

    /// A call with what came before it.
    pub(super) fn add(&mut self, call: &Call, booking: Booking) {
        let (sent, received) = call.bytes();
        let Booking { process, site, .. } = booking;
        let ledger = self.site(site);
        ledger.calls[process] += u64::from(call.unsuccessful.max(1));
        ledger.computed[process] += booking.outside_s + booking.between_s;
        ledger.inside[process] += booking.inside_s;
        ledger.sent[process] += sent.get();
        ledger.received[process] += received.get();
        let slices = &mut self.slices;
        slices.add(process, site, 0, (booking.from_s, booking.start_s), booking.outside_s);
        slices.add(process, site, 0, (booking.start_s, booking.end_s), booking.between_s);
        slices.add(process, site, 1, (booking.start_s, booking.end_s), booking.inside_s);
        let bytes = (sent.get() + received.get()) as f64;
        if bytes > 0.0 {
            let slice = slices.place(booking.end_s);
            slices.values[slice * slices.processes + process][3] += bytes;
        }
    }

    /// A call waited, of the time that was booked as time in it, from one time to another.
    pub(super) fn waited(
        &mut self,
        process: usize,
        site: SiteId,
        kind: Option<WaitKind>,
        (from_s, to_s): (f64, f64),
        waited_s: f64,
    ) {
        let count = self.processes;
        let waits = &mut self.site(site).waits;
        let index = waits.iter().position(|wait| wait.0 == kind).unwrap_or_else(|| {
            waits.push((kind, vec![0.0; count]));
            waits.len() - 1
        });
        waits[index].1[process] += waited_s;
        self.slices.wait(process, (from_s, to_s), waited_s);
    }
}

impl Slices {
    fn new(processes: usize) -> Slices {
        Slices {
            width_s: LEAST_WIDTH_S,
            begin_s: f64::NAN,
            count: 0,
            values: Vec::new(),
            paths: Vec::new(),
            processes,
            most: (MOST_VALUES / processes.max(1)).clamp(64, MOST_SLICES),
        }
    }

    /// Seconds of a kind, evenly in an interval.
    fn add(&mut self, process: usize, site: SiteId, kind: usize, span: (f64, f64), seconds: f64) {
        if seconds <= 0.0 {
            return;
        }
        let (first, last) = self.places(span);
        for slice in first..=last {
            let part = seconds * self.share(slice, span);
            self.values[slice * self.processes + process][kind] += part;
            *self.paths[slice].entry(site).or_insert(0.0) += part;
        }
    }

    /// Time in calls was waiting.
    fn wait(&mut self, process: usize, span: (f64, f64), seconds: f64) {
        let (first, last) = self.places(span);
        let mut rest = 0.0;
        for slice in first..=last {
            rest += self.becomes_waiting(process, slice, seconds * self.share(slice, span));
        }
        // Calls that overlap with others of their process are booked beside them.
        for slice in (first..self.count).chain((0..first).rev()) {
            if rest <= 0.0 {
                break;
            }
            rest = self.becomes_waiting(process, slice, rest);
        }
    }

    /// Returns what the calls of a slice are too short for.
    fn becomes_waiting(&mut self, process: usize, slice: usize, seconds: f64) -> f64 {
        let values = &mut self.values[slice * self.processes + process];
        let part = seconds.min(values[1]);
        values[1] -= part;
        values[2] += part;
        seconds - part
    }

    /// The part of an interval that is in a slice.
    fn share(&self, slice: usize, (from_s, to_s): (f64, f64)) -> f64 {
        if to_s <= from_s {
            return 1.0;
        }
        let begin_s = self.begin_s + slice as f64 * self.width_s;
        // What rounding leaves over belongs to the ends.
        let low = if self.index(from_s) >= slice as f64 { from_s } else { begin_s.max(from_s) };
        let is_last = self.index(to_s) <= slice as f64;
        let high = if is_last { to_s } else { (begin_s + self.width_s).min(to_s) };
        ((high - low) / (to_s - from_s)).clamp(0.0, 1.0)
    }

    fn index(&self, time_s: f64) -> f64 {
        ((time_s - self.begin_s) / self.width_s).floor()
    }

    fn places(&mut self, (from_s, to_s): (f64, f64)) -> (usize, usize) {
        self.place(from_s);
        let last = self.place(to_s.max(from_s));
        // The second may have made slices longer.
        (self.place(from_s), last)
    }

    /// The slice of a time, which is made if there is none yet.
    fn place(&mut self, time_s: f64) -> usize {
        if self.begin_s.is_nan() {
            self.begin_s = time_s;
        }
        loop {
            let index = self.index(time_s);
            let before = if index < 0.0 { -index } else { 0.0 };
            let needed = (self.count as f64 + before).max(index + 1.0);
            if needed > self.most as f64 {
                self.merge();
                continue;
            }
            let (before, needed) = (before as usize, needed as usize);
            if before > 0 {
                let none = vec![[0.0; 4]; before * self.processes];
                self.values.splice(0..0, none);
                self.paths.splice(0..0, vec![FastMap::default(); before]);
                self.begin_s -= before as f64 * self.width_s;
            }
            self.count = needed;
            self.values.resize(needed * self.processes, [0.0; 4]);
            self.paths.resize(needed, FastMap::default());
            return (index.max(0.0) as usize).min(needed - 1);
        }
    }

    /// Makes one slice of every two.
    fn merge(&mut self) {
        let half = self.count.div_ceil(2);
        for slice in 1..self.count {
            let (to, from) = (slice / 2 * self.processes, slice * self.processes);
            if slice % 2 == 0 {
                self.values.copy_within(from..from + self.processes, to);
                self.paths.swap(slice / 2, slice);
                continue;
            }
            for process in 0..self.processes {
                for kind in 0..4 {
                    let value = self.values[from + process][kind];
                    self.values[to + process][kind] += value;
                }
            }
            for (site, seconds) in std::mem::take(&mut self.paths[slice]) {
                *self.paths[slice / 2].entry(site).or_insert(0.0) += seconds;
            }
        }
        self.count = half;
        self.values.truncate(half * self.processes);
        self.paths.truncate(half);
        self.width_s *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(slices: &Slices, process: usize) -> [f64; 4] {
        let mut sums = [0.0; 4];
        for slice in 0..slices.count {
            for (sum, value) in
                sums.iter_mut().zip(slices.values[slice * slices.processes + process])
            {
                *sum += value;
            }
        }
        sums
    }

    #[test]
    fn slices_keep_all_time_however_long_the_run_is() {
        let mut slices = Slices::new(2);
        let mut time_s = 5.0;
        for step in 0..4000 {
            let long_s = 1e-6 * f64::from(1 + step % 97) * f64::from(1 + step / 500);
            slices.add(0, SiteId(step % 3), 0, (time_s, time_s + long_s), long_s);
            slices.add(0, SiteId(7), 1, (time_s + long_s, time_s + 2.0 * long_s), long_s);
            slices.wait(0, (time_s + long_s, time_s + 1.5 * long_s), 0.5 * long_s);
            time_s += 2.0 * long_s;
        }
        let all_s = time_s - 5.0;
        let [computed, called, waited, _] = sums(&slices, 0);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * all_s;
        assert!(near(computed, all_s / 2.0) && near(called, all_s / 4.0), "{computed} {called}");
        assert!(near(waited, all_s / 4.0), "{waited}");
        assert!(slices.count <= MOST_SLICES && slices.count > MOST_SLICES / 4);
        let paths: f64 = slices.paths.iter().flat_map(|path| path.values()).sum();
        assert!(near(paths, all_s));
        // No slice has more than its length.
        let most = (0..slices.count).map(|index| slices.values[index * 2][..3].iter().sum::<f64>());
        assert!(most.fold(0.0, f64::max) <= slices.width_s * (1.0 + 1e-9));
    }

    #[test]
    fn what_is_read_later_may_have_been_before() {
        let mut slices = Slices::new(1);
        slices.add(0, SiteId(0), 0, (10.0, 10.1), 0.1);
        slices.add(0, SiteId(0), 0, (9.0, 9.5), 0.5);
        slices.add(0, SiteId(0), 1, (10.2, 10.2), 0.0);
        assert!(slices.begin_s <= 9.0 && slices.count <= MOST_SLICES);
        assert!((sums(&slices, 0)[0] - 0.6).abs() < 1e-12);
    }
}
