//! Sizes at which an MPI changes how it sends.

use super::{Collective, MessageCall, MessagePassing};
use crate::communication::Segment;
use crate::uncertain::Uncertain;

/// A size up to which messages are sent in one way, and beyond it in another.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The MPI.
    pub mpi: String,
    /// The kind of change at the limit.
    pub kind: LimitKind,
    /// The largest size before it, bytes.
    pub bytes: Uncertain,
    /// How many seconds a message takes more beyond it, at the limit; `None` if not known.
    pub step: Option<f64>,
}

/// The kind of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// Beyond it the sender waits for the receiver: the eager limit, for a receiver that is in MPI.
    Eager,
    /// The same for a receiver that is outside of MPI.
    EagerOutside,
    /// A collective takes another algorithm, with so many processes.
    Algorithm(Collective, u32),
}

/// A collective changes its algorithm where its time changes by at least this ratio.
const STEP: f64 = 1.1;

impl MessagePassing {
    /// The limits of an MPI whose name begins with this one, on so many hosts.
    pub fn limits(&self, mpi: &str, hosts: u32) -> Vec<Limit> {
        let is_library = |name: &str, on: u32| on == hosts && name.starts_with(mpi);
        let mut limits = Vec::new();
        for library in
            self.libraries.iter().filter(|library| is_library(&library.name, library.hosts))
        {
            let total = self.message(&library.name, hosts, MessageCall::Total, None);
            let step = |bytes: f64| total.and_then(|line| step(&line.segments, bytes));
            let both = [
                (LimitKind::Eager, library.eager),
                (LimitKind::EagerOutside, library.eager_outside),
            ];
            for (kind, bytes) in both {
                let Some(bytes) = bytes.filter(|bytes| bytes.value > 0.0) else { continue };
                let step = if kind == LimitKind::Eager { step(bytes.value) } else { None };
                let known = limits.iter().any(|limit: &Limit| limit.bytes == bytes);
                if !known {
                    limits.push(Limit { mpi: library.name.clone(), kind, bytes, step });
                }
            }
        }
        for line in self.collectives.iter().filter(|line| is_library(&line.mpi, line.hosts)) {
            for pair in line.segments.windows(2) {
                let (low, high) = (pair[0].to, pair[1].from);
                let bytes = Uncertain { value: (low * high).sqrt(), low, high };
                let (before, beyond) = (time(&pair[0], bytes.value), time(&pair[1], bytes.value));
                if before > 0.0 && !(1.0 / STEP..STEP).contains(&(beyond / before)) {
                    limits.push(Limit {
                        mpi: line.mpi.clone(),
                        kind: LimitKind::Algorithm(line.call, line.processes),
                        bytes,
                        step: Some(beyond - before),
                    });
                }
            }
        }
        limits
    }
}

fn time(segment: &Segment, bytes: f64) -> f64 {
    segment.l.value + segment.g.value * bytes
}

/// Returns the additional time at a size of the piece beyond it, compared with the one before it.
fn step(segments: &[Segment], bytes: f64) -> Option<f64> {
    let before = segments.iter().rev().find(|segment| segment.to <= bytes)?;
    let beyond = segments.iter().find(|segment| segment.from >= bytes)?;
    Some(time(beyond, bytes) - time(before, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message_passing::{CollectiveLine, MessageLine, MpiLibrary};

    fn piece(from: f64, to: f64, l: f64) -> Segment {
        Segment { from, to, g: Uncertain::exact(1e-9), l: Uncertain::exact(l) }
    }

    #[test]
    fn limits_are_those_of_one_mpi_and_of_steps_that_can_be_seen() {
        let library = |name: &str, hosts| MpiLibrary {
            name: name.into(),
            hosts,
            eager: Some(Uncertain { value: 4040.0, low: 4000.0, high: 4080.0 }),
            eager_outside: Some(Uncertain::ZERO),
            start: Vec::new(),
        };
        let collective = |l| CollectiveLine {
            mpi: "Open MPI v4.1.4".into(),
            hosts: 1,
            call: Collective::Bcast,
            processes: 2,
            oversubscribed: false,
            segments: vec![piece(8.0, 1024.0, 1e-6), piece(2048.0, 65536.0, l)],
        };
        let all = MessagePassing {
            libraries: vec![library("Open MPI v4.1.4", 1), library("MPICH 4.0", 1)],
            messages: vec![MessageLine {
                mpi: "Open MPI v4.1.4".into(),
                hosts: 1,
                call: MessageCall::Total,
                partner: None,
                segments: vec![piece(8.0, 4000.0, 1e-6), piece(4096.0, 65536.0, 4e-6)],
            }],
            collectives: vec![collective(1.05e-6), collective(3e-6)],
        };
        let limits = all.limits("Open MPI", 1);
        assert_eq!(limits.len(), 2, "{limits:?}");
        assert_eq!((limits[0].kind, limits[0].bytes.value), (LimitKind::Eager, 4040.0));
        assert!((limits[0].step.unwrap() - 3e-6).abs() < 1e-12);
        assert_eq!(limits[1].kind, LimitKind::Algorithm(Collective::Bcast, 2));
        assert_eq!((limits[1].bytes.low, limits[1].bytes.high), (1024.0, 2048.0));
        assert!(all.limits("Open MPI", 2).is_empty());
        // Of another MPI a step of the time is not known.
        assert_eq!(all.limits("MPICH", 1)[0].step, None);
    }
}
