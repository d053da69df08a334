//! Ctrl-C, and waiting that it ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether the user wants an end.
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Listens from now on; a second Ctrl-C ends at once.
    pub fn listen() -> Result<Stop> {
        let wanted = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_shutdown(signal, 1, Arc::clone(&wanted))?;
            flag::register(signal, Arc::clone(&wanted))?;
        }
        Ok(Stop(wanted))
    }

    /// Whether it is wanted.
    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Waits until a moment, in seconds since 1970, or until an end is wanted.
    pub fn wait_until(&self, moment: f64, why: &str) {
        let left = moment - now();
        if left > 0.0 && !self.is_wanted() {
            eprintln!("waiting {left:.0} s until {why}");
        }
        while now() < moment && !self.is_wanted() {
            thread::sleep(Duration::from_millis(200));
        }
    }
}

/// Seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
