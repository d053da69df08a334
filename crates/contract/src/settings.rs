//! Kinds of values that are one of a few words.

use std::ffi::OsString;

use crate::kind::ValueKind;

/// How the processors of a BSP program run and communicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Each is a process.
    Processes,
    /// Each is a thread with a copy of the program.
    Threads,
    /// Each is a process that a launcher of MPI starts.
    Mpi,
    /// Each is a process that computes in turns with the others and has a virtual clock.
    Virtual,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 4] = [Engine::Processes, Engine::Threads, Engine::Mpi, Engine::Virtual];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Processes => "processes",
            Engine::Threads => "threads",
            Engine::Mpi => "mpi",
            Engine::Virtual => "virtual",
        }
    }
}

/// The name of an [`Engine`].
#[derive(Debug)]
pub struct EngineChoice;

impl ValueKind for EngineChoice {
    type Value<'a> = Engine;

    fn decode(text: &[u8]) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.name().as_bytes() == text)
    }

    fn encode(engine: Engine) -> OsString {
        engine.name().into()
    }
}

/// How the processors of a BSP program begin if they are processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// As copies of the first.
    Fork,
    /// With `main`.
    Exec,
}

/// `exec`; anything else means a fork.
#[derive(Debug)]
pub struct StartChoice;

impl ValueKind for StartChoice {
    type Value<'a> = Start;

    fn decode(text: &[u8]) -> Option<Start> {
        Some(if text == b"exec" { Start::Exec } else { Start::Fork })
    }

    fn encode(start: Start) -> OsString {
        match start {
            Start::Fork => "fork",
            Start::Exec => "exec",
        }
        .into()
    }
}

/// The clock of regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The processor's counter.
    Counter,
    /// `CLOCK_MONOTONIC`.
    Monotonic,
}

/// `tsc`, `cntvct`, `mono`.
#[derive(Debug)]
pub struct ClockChoice;

impl ValueKind for ClockChoice {
    type Value<'a> = Clock;

    fn decode(text: &[u8]) -> Option<Clock> {
        match text {
            b"tsc" | b"cntvct" => Some(Clock::Counter),
            b"mono" => Some(Clock::Monotonic),
            _ => None,
        }
    }

    fn encode(clock: Clock) -> OsString {
        match clock {
            Clock::Counter => "tsc",
            Clock::Monotonic => "mono",
        }
        .into()
    }
}

/// The order of the values of `cll for`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they are enumerated.
    Ascending,
    /// In the reverse order.
    Descending,
    /// By a seed; `None`: by a new one each time.
    Shuffled(Option<u64>),
}

/// `ascending`, `descending`, `shuffled`, `shuffled:SEED`.
#[derive(Debug)]
pub struct OrderChoice;

impl ValueKind for OrderChoice {
    type Value<'a> = Order;

    fn decode(text: &[u8]) -> Option<Order> {
        match text {
            b"ascending" => Some(Order::Ascending),
            b"descending" => Some(Order::Descending),
            b"shuffled" => Some(Order::Shuffled(None)),
            _ => {
                let seed = std::str::from_utf8(text).ok()?.strip_prefix("shuffled:")?;
                Some(Order::Shuffled(Some(seed.parse().ok()?)))
            }
        }
    }

    fn encode(order: Order) -> OsString {
        match order {
            Order::Ascending => "ascending".into(),
            Order::Descending => "descending".into(),
            Order::Shuffled(None) => "shuffled".into(),
            Order::Shuffled(Some(seed)) => format!("shuffled:{seed}").into(),
        }
    }
}

/// How processes of MPI begin together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// A barrier.
    Barrier,
    /// A time upon which all have agreed.
    Window,
    /// A window if each process has a core.
    Auto,
}

/// `barrier`, `window`, `auto`.
#[derive(Debug)]
pub struct SyncChoice;

impl ValueKind for SyncChoice {
    type Value<'a> = Sync;

    fn decode(text: &[u8]) -> Option<Sync> {
        match text {
            b"barrier" => Some(Sync::Barrier),
            b"window" => Some(Sync::Window),
            b"auto" => Some(Sync::Auto),
            _ => None,
        }
    }

    fn encode(sync: Sync) -> OsString {
        match sync {
            Sync::Barrier => "barrier",
            Sync::Window => "window",
            Sync::Auto => "auto",
        }
        .into()
    }
}

/// The behaviour on a loaded machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// Nothing is fitted.
    Refuse,
    /// It is fitted, with a warning.
    Accept,
}

/// `refuse`, `accept`.
#[derive(Debug)]
pub struct LoadedChoice;

impl ValueKind for LoadedChoice {
    type Value<'a> = Loaded;

    fn decode(text: &[u8]) -> Option<Loaded> {
        match text {
            b"refuse" => Some(Loaded::Refuse),
            b"accept" => Some(Loaded::Accept),
            _ => None,
        }
    }

    fn encode(loaded: Loaded) -> OsString {
        match loaded {
            Loaded::Refuse => "refuse",
            Loaded::Accept => "accept",
        }
        .into()
    }
}
