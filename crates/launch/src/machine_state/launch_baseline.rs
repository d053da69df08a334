//! Disturbance of a launch without other programs.

use std::process::{Child, Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::placement::Placement;
use super::process::ProcessStatus;

/// Launches for the mean.
const LAUNCHES: u32 = 8;

/// The effect of the system on each launch: it moves the program to its processor, and each move is an involuntary
/// switch with a wait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchBaseline {
    /// Number of waits.
    pub switches: f64,
    /// Seconds in which it is ready and does not run.
    pub waiting: f64,
}

impl Default for LaunchBaseline {
    /// The default if it is not measured: one move.
    fn default() -> LaunchBaseline {
        LaunchBaseline { switches: 1.0, waiting: 0.0 }
    }
}

impl LaunchBaseline {
    /// Launches a program that does almost nothing, on the same processors with the same priority, a few times.
    /// `None` if that fails.
    ///
    /// Nothing else may be launched meanwhile, since the system counts the switches of all reaped processes.
    pub fn measure(place: &Placement) -> Option<LaunchBaseline> {
        let place = place.clone();
        let launching = std::thread::spawn(move || {
            place.take();
            let own = std::env::current_exe().ok()?;
            let before = switches()?;
            let mut waiting = 0.0;
            for _ in 0..LAUNCHES {
                let mut command = Command::new(&own);
                command.arg("--version").stdin(Stdio::null());
                command.stdout(Stdio::null()).stderr(Stdio::null());
                let mut child = command.spawn().ok()?;
                waiting += waited(&child);
                child.wait().ok()?;
            }
            let launches = f64::from(LAUNCHES);
            let switches = (switches()? - before).max(0.0) / launches;
            Some(LaunchBaseline { switches, waiting: waiting / launches })
        });
        launching.join().ok().flatten()
    }
}

/// Seconds that a program that has ended was ready and did not run.
fn waited(child: &Child) -> f64 {
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(Pid::from_child(child)), ended) {
        Ok(_) => ProcessStatus::read(child.id()).and_then(|inside| inside.waiting).unwrap_or(0.0),
        Err(_) => 0.0,
    }
}

fn switches() -> Option<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    Some(usage.involuntary_context_switches() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_that_does_nothing_is_counted() {
        // The test program refuses the option: that is a launch as well.
        let baseline = LaunchBaseline::measure(&Placement::free()).unwrap();
        assert!(baseline.switches >= 0.0 && baseline.switches.is_finite(), "{baseline:?}");
        assert!(baseline.waiting >= 0.0 && baseline.waiting < 60.0, "{baseline:?}");
    }
}
