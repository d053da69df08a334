//! Programs that keep processors busy.

use std::process::{Child, Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::Result;

const STEADY: &str = "be-busy";
const INTERMITTENT: &str = "be-busy-now-and-then";

/// Busy programs, until the value is gone.
pub struct Load(Vec<Child>);

impl Load {
    /// So many; steady, or coming and going.
    pub fn begin(count: usize, steady: bool) -> Result<Load> {
        let word = if steady { STEADY } else { INTERMITTENT };
        let own = std::env::current_exe()?;
        let mut load = Load(Vec::new());
        for _ in 0..count {
            load.0.push(Command::new(&own).arg(word).spawn()?);
        }
        Ok(load)
    }

    /// Ends them.
    pub fn end(self) {}
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

/// Whether this process is to be such a program.
pub fn is_wanted() -> bool {
    std::env::args().nth(1).is_some_and(|word| word == STEADY || word == INTERMITTENT)
}

/// Is busy for at most five minutes, in case that nobody ends it.
pub fn be_busy() -> Result<ExitCode> {
    let steady = std::env::args().nth(1).is_some_and(|word| word == STEADY);
    let begin = Instant::now();
    let mut number = 1u64;
    while begin.elapsed() < Duration::from_secs(300) {
        let burst = Instant::now();
        while burst.elapsed() < Duration::from_millis(1500) {
            for _ in 0..10_000 {
                number = std::hint::black_box(number.wrapping_mul(6_364_136_223_846_793_005) + 1);
            }
        }
        if !steady {
            std::thread::sleep(Duration::from_millis(1500));
        }
    }
    Ok(ExitCode::SUCCESS)
}
