//! What a launch goes through without others.

use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};

use super::place::Placement;

/// Launches of which the mean counts.
const LAUNCHES: u32 = 8;

/// How often a program that does next to nothing is made to wait when it is launched in this place: the system
/// moves it between processors, and each move is a switch against its will. `None` if none could be launched.
///
/// Nothing else may be launched meanwhile, since the system counts the switches of all that we have waited for.
pub fn switches_of_a_launch(place: &Placement) -> Option<f64> {
    let place = place.clone();
    let launching = std::thread::spawn(move || {
        place.take();
        let own = std::env::current_exe().ok()?;
        let before = switches()?;
        for _ in 0..LAUNCHES {
            let mut command = Command::new(&own);
            command.arg("--version").stdin(Stdio::null());
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.status().ok()?;
        }
        Some((switches()? - before).max(0.0) / f64::from(LAUNCHES))
    });
    launching.join().ok().flatten()
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
        // The test program lists its tests in place of a version: that is a launch as well.
        let found = switches_of_a_launch(&Placement::free()).unwrap();
        assert!(found >= 0.0 && found.is_finite(), "{found}");
    }
}
