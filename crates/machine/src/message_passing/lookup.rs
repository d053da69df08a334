//! Times by size.

use super::{CollectiveLine, MessageCall, MessageLine, MessagePassing, MpiLibrary, Partner};
use crate::communication::Segment;
use crate::uncertain::Uncertain;

impl MessagePassing {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.libraries.is_empty() && self.messages.is_empty() && self.collectives.is_empty()
    }

    /// The MPI of this name on this many hosts.
    pub fn library(&self, name: &str, hosts: u32) -> Option<&MpiLibrary> {
        self.libraries.iter().find(|library| library.name == name && library.hosts == hosts)
    }

    /// A time of messages.
    pub fn message(
        &self,
        mpi: &str,
        hosts: u32,
        call: MessageCall,
        partner: Option<Partner>,
    ) -> Option<&MessageLine> {
        self.messages.iter().find(|line| {
            line.mpi == mpi && (line.hosts, line.call, line.partner) == (hosts, call, partner)
        })
    }

    /// MPIs and hosts of which there is anything, in the order of the file.
    pub fn settings(&self) -> Vec<(&str, u32)> {
        let mut all: Vec<(&str, u32)> = Vec::new();
        let named = (self.libraries.iter().map(|library| (library.name.as_str(), library.hosts)))
            .chain(self.messages.iter().map(|line| (line.mpi.as_str(), line.hosts)))
            .chain(self.collectives.iter().map(|line| (line.mpi.as_str(), line.hosts)));
        for pair in named {
            if !all.contains(&pair) {
                all.push(pair);
            }
        }
        all
    }
}

impl MessageLine {
    /// Seconds for a message of this many bytes; beyond the measured sizes by the nearest piece.
    pub fn time(&self, bytes: f64) -> Uncertain {
        time(&self.segments, bytes)
    }
}

impl CollectiveLine {
    /// Seconds for this many bytes; beyond the measured sizes by the nearest piece.
    pub fn time(&self, bytes: f64) -> Uncertain {
        time(&self.segments, bytes)
    }
}

/// By the piece that holds the size; between two pieces by the nearer one, by ratio.
fn time(segments: &[Segment], bytes: f64) -> Uncertain {
    let away = |piece: &Segment| match bytes {
        size if size < piece.from => piece.from.max(1.0) / size.max(1.0),
        size => (size / piece.to.max(1.0)).max(1.0),
    };
    let nearest = segments.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    nearest.map_or(Uncertain::ZERO, |segment| Uncertain {
        value: segment.l.value + segment.g.value * bytes,
        low: segment.l.low + segment.g.low * bytes,
        high: segment.l.high + segment.g.high * bytes,
    })
}
