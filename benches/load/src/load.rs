//! Other programs: children of this one, which end with it whatever ends it.

use std::hint::black_box;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::ValueEnum;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// The other load of the machine.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Nothing
    Idle,
    /// Two threads that wake up every 5 to 50 ms, for a quarter of a core together
    Browser,
    /// A busy core
    One,
    /// Two busy cores, one of which reads memory
    Two,
    /// Eight busy processes, two of which read memory
    Eight,
}

/// The work of a child process.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Part {
    Browser,
    Spin,
    Stream,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Kind::Idle, Kind::Browser, Kind::One, Kind::Two, Kind::Eight];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Idle => "idle",
            Kind::Browser => "browser",
            Kind::One => "one",
            Kind::Two => "two",
            Kind::Eight => "eight",
        }
    }

    fn parts(self) -> Vec<Part> {
        use Part::{Browser, Spin, Stream};
        match self {
            Kind::Idle => vec![],
            Kind::Browser => vec![Browser],
            Kind::One => vec![Spin],
            Kind::Two => vec![Spin, Stream],
            Kind::Eight => vec![Spin, Spin, Spin, Stream, Spin, Spin, Spin, Stream],
        }
    }
}

/// The first argument of a child.
const WORD: &str = "--be-load";
/// Bytes of the memory that is read: more than caches hold.
const STREAM: usize = 64 << 20;
/// Bytes of a browser thread's own memory.
const PAGES: usize = 4 << 20;
/// How long a load is there before anything is measured.
const SETTLE: Duration = Duration::from_millis(300);

/// A load, until the value is gone.
pub struct Load(Vec<Child>);

impl Load {
    /// Begins it, and waits until it is at work.
    pub fn begin(kind: Kind, seed: u64) -> Result<Load> {
        let own = std::env::current_exe()?;
        let mut load = Load(Vec::new());
        for (k, part) in kind.parts().into_iter().enumerate() {
            let mut command = Command::new(&own);
            command.arg(WORD).arg(format!("{part:?}").to_lowercase());
            // They wait for the end of this pipe, which this process holds alone.
            command.arg(seed.wrapping_add(k as u64).to_string()).stdin(Stdio::piped());
            // Ctrl-C is not for them.
            command.process_group(0);
            load.0.push(command.spawn().context("a load cannot be started")?);
        }
        if !load.0.is_empty() {
            thread::sleep(SETTLE);
        }
        Ok(load)
    }

    /// Ends it; an error if a child had ended before, since then the load was not what it is called.
    pub fn end(mut self) -> Result<()> {
        for child in &mut self.0 {
            let ended = child.try_wait()?;
            anyhow::ensure!(ended.is_none(), "a load has ended by itself: {ended:?}");
        }
        Ok(())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that is gone needs no end.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Returns the part and the seed of this process, if it is a child.
pub fn wanted() -> Option<(Part, u64)> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next()? != WORD {
        return None;
    }
    let part = Part::from_str(&arguments.next()?, true).ok()?;
    Some((part, arguments.next()?.parse().ok()?))
}

/// Is that until the parent has gone or ends it.
pub fn be((part, seed): (Part, u64)) -> ! {
    thread::spawn(|| {
        // Comes back when the other end is closed, which the system does for a parent that is killed.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    match part {
        Part::Spin => loop {
            spin();
        },
        Part::Stream => stream(),
        Part::Browser => {
            thread::spawn(move || browse(seed ^ 0x9E37_79B9));
            browse(seed)
        }
    }
}

fn spin() {
    let mut number = 1u64;
    for _ in 0..10_000 {
        number = black_box(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
}

/// Reads and writes memory in order.
fn stream() -> ! {
    let mut memory = vec![1u64; STREAM / 8];
    loop {
        for line in memory.chunks_exact_mut(8) {
            line[0] = line[0].wrapping_add(line[4]);
        }
        black_box(&mut memory);
    }
}

/// Wakes up at random, works for some milliseconds, seldom for a few hundred.
fn browse(seed: u64) -> ! {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut memory = vec![1u8; PAGES];
    let between = |random: &mut fastrand::Rng, low: f64, high: f64| {
        Duration::from_secs_f64((low + (high - low) * random.f64()) / 1e3)
    };
    loop {
        thread::sleep(between(&mut random, 5.0, 50.0));
        let work = match random.u32(0..190) {
            0 => between(&mut random, 100.0, 300.0),
            _ => between(&mut random, 0.5, 5.0),
        };
        // Its own processor time: work that is put off is not less work.
        let end = own_time() + work;
        while own_time() < end {
            spin();
            for _ in 0..1000 {
                let at = random.usize(..PAGES);
                memory[at] = memory[at].wrapping_add(1);
            }
        }
    }
}

/// Processor time of this thread.
fn own_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}
