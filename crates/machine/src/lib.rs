//! The costs of a machine: a file that people read and write, and the numbers that cost models need.
//!
//! A [`Machine`] holds the (s, g, l) of the BSP literature ([`Classic`]) and
//! the cost of a superstep by pattern and size ([`Line`]s of [`Segment`]s).
//! [`Machine::cost`] returns the cost of a superstep with an h-relation of a given size, and lists the substitutes that
//! it used for missing data.
//!
//! [`Memory`] and [`Operation`]s are what [`analyze`] makes of the samples of the probes of memory and operations: the levels
//! of the hierarchy are found by [`levels()`], and not believed from the system. [`MessagePassing`] has the
//! primitives of MPIs. [`compare`] says in what two machines differ.
//!
//! [`import`] reads what other programs have measured; [`simgrid`] and [`schedulers`] write what others read.
//!
//! All values are in seconds and bytes; only files have other units.

#![forbid(unsafe_code)]

mod communication;
mod difference;
mod foreign;
mod lookup;
mod machine;
mod measured;
mod memory;
mod message_passing;
mod published;
mod quantity;
mod read;
mod regimes;
mod uncertain;
mod write;

pub use communication::{Classic, Combine, Empty, Line, Pattern, Segment, Synchronisation};
pub use difference::{Difference, Differences, compare};
pub use foreign::{
    ImportDefaults, Imported, NotExported, SchedulerEntry, Schedulers, arch, import, schedulers,
    simgrid,
};
pub use lookup::{Ask, ClassicCost, Cost, Missing, Substitution};
pub use machine::{Cache, Host, Machine, Origin, Repeated};
pub use measured::{EmptySample, Evaluated, Explained, Measured, Sample, Setting};
pub use memory::{
    Access, Analyzed, AnalyzerSample, BandwidthCurve, BandwidthPoint, Contention, IndependentCurve,
    LatencyCurve, LatencyPoint, Level, LoadedCurve, LoadedPoint, Memory, Operation, Pages,
    SampleKind, Translation, analyze, contention, levels, translation,
};
pub use message_passing::{
    Collective, CollectiveLine, Limit, LimitKind, MessageCall, MessageLine, MessagePassing,
    MpiLibrary, MpiSample, MpiSamples, Partner, ProcessStart,
};
pub use published::{PUBLISHED, Published};
pub use read::{Read, read};
pub use regimes::{NEIGHBOURS, Regime, Regimes};
pub use uncertain::Uncertain;
pub use write::write;
