//! Waiting in all tables is one sum, whatever the ranks do.

use crate::support::opener;

use cll_calls::{Overview, Summary, WaitKind};
use cll_trace::layout::call::{ANY, Got};

use crate::support::ranks::{Rank, ranks};

/// Numbers that look random, the same in each run of a test.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

/// Ranks that send to each other, wait, poll, probe and meet in collectives, each at times of its own. The times do not
/// fit together: logs of threads and of handles that are used again may not either.
fn drawn(seed: u64) -> Vec<Rank> {
    let mut draw = Draw(seed);
    let count = 2 + draw.below(4) as u32;
    let mut all = ranks(count);
    let takes = |draw: &mut Draw| 1 + draw.below(5000);
    for _ in 0..30 {
        let from = draw.below(count.into()) as usize;
        let to = (from + 1 + draw.below(u64::from(count) - 1) as usize) % count as usize;
        let tag = draw.below(3) as i64;
        let sent = [0, to as i64, tag, 8];
        let asked = [0, from as i64, tag, 8];
        let (computes, spent) = (draw.below(3000), takes(&mut draw));
        match draw.below(4) {
            0 => drop(all[from].call("Send", &sent, computes, spent)),
            1 => drop(all[from].call("Ssend", &sent, computes, spent)),
            2 => {
                let request = all[from].asks("Isend", &sent);
                all[from].waits(&[request], computes, spent);
            }
            _ => drop(all[from].call("Comm_spawn", &[0], computes, spent)),
        }
        let receiver = &mut all[to];
        let (computes, spent) = (draw.below(3000), takes(&mut draw));
        match draw.below(4) {
            0 => drop(receiver.call("Recv", &asked, computes, spent)),
            1 => {
                let request = receiver.asks("Irecv", &asked);
                receiver.waits(&[request], computes, spent);
            }
            2 => {
                // Polls of several kinds in turn, over the same time; some are a tight loop.
                let request = receiver.asks("Irecv", &asked);
                let begin = receiver.now;
                for (name, lane) in [("Test", 0), ("Testall", draw.below(2) as u32)] {
                    receiver.now = begin + draw.below(10);
                    receiver.lane = lane;
                    let spent = takes(&mut draw);
                    let inside = 1 + draw.below(spent);
                    receiver.polls(name, &[1], Some(request), spent, inside);
                }
                receiver.lane = 0;
                receiver.begin("Wait", &[1], Some(request), 0);
                receiver.returns(draw.below(50), None);
                receiver.completes(request);
            }
            _ => {
                receiver.polls("Iprobe", &[0, ANY, ANY], None, spent, spent / 2 + 1);
                receiver.begin("Iprobe", &[0, ANY, ANY], None, 0);
                receiver.returns(10, Some(Got { source: from as i64, tag, bytes: 8 }));
                receiver.call("Recv", &asked, 0, 10);
            }
        }
        if draw.below(4) == 0 {
            for rank in &mut all {
                rank.call("Allreduce", &[0, 0, 8, 8], draw.below(2000), takes(&mut draw));
            }
        }
    }
    all.iter_mut().for_each(|rank| rank.ends(0));
    all
}

#[test]
fn all_tables_have_one_sum_of_waiting_and_no_call_waits_longer_than_it_takes() {
    let mut kinds = 0;
    for seed in 0..200 {
        let all = drawn(seed);
        let count = all.len() as u32;
        let logs: Vec<_> = (0..count).map(|rank| all[rank as usize].log(rank, count)).collect();
        let mut overviews: Vec<Overview> =
            logs.iter().map(|log| Overview::read(&log[..]).expect("a log")).collect();
        let mut open = opener(&logs);
        let summary = Summary::with_ledger(&mut overviews, &mut open).expect("readable");
        let account = &summary.account;
        let no_more = |waiting: f64, time: f64, what: &str| {
            assert!(waiting <= time + 1e-12, "{seed}: {what} waits {waiting} of {time} s");
        };
        for total in &summary.by_call {
            no_more(total.waiting.get(), total.time.get(), &total.call);
        }
        for total in &summary.by_rank {
            no_more(total.waiting.get(), total.mpi.get(), "a rank");
        }
        for total in &account.sites {
            let time: f64 = total.time.iter().map(|time| time.get()).sum();
            no_more(total.waiting.get(), time, total.site.op.name());
        }
        let ledger = account.ledger.as_ref().expect("asked for");
        let by_site: Vec<f64> = (ledger.sites.iter())
            .map(|site| site.waits.iter().flat_map(|(_, each)| each).sum())
            .collect();
        let of_kind = |kind| {
            account
                .kinds
                .iter()
                .filter(|total| total.kind == kind)
                .map(|total| total.time.get())
                .sum()
        };
        let spawned: f64 = of_kind(None);
        let sums: [f64; 7] = [
            summary.by_call.iter().map(|total| total.waiting.get()).sum(),
            summary.by_rank.iter().map(|total| total.waiting.get()).sum(),
            account.sites.iter().map(|total| total.waiting.get()).sum(),
            account.kinds.iter().map(|total| total.time.get()).sum(),
            account.delays.iter().map(|delay| delay.time.get()).sum::<f64>() + spawned,
            by_site.iter().sum(),
            ledger.slices.values.iter().map(|values| values[2]).sum(),
        ];
        for sum in sums {
            assert!((sum - sums[0]).abs() < 1e-9 * sums[0].max(1e-9), "{seed}: {sums:?}");
        }
        for (site, waiting) in account.sites.iter().zip(by_site) {
            assert!((site.waiting.get() - waiting).abs() < 1e-12, "{seed}: {:?}", site.site);
        }
        let polling: f64 = of_kind(Some(WaitKind::Polling));
        kinds += u32::from(polling > 0.0) + u32::from(spawned > 0.0);
    }
    assert!(kinds > 300, "{kinds}");
}
