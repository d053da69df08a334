//! In which order the processes below a launcher on this host come to their end: that of two which end within a
//! microsecond of each other, too, since the system puts them on a list when they do.

use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::process::{PidfdFlags, pidfd_open};

use super::super::descendants;

/// Between two looks for processes that have begun, at first, and at most: these last as long as the program.
const SHORTEST: Duration = Duration::from_millis(10);
const LONGEST: Duration = Duration::from_secs(1);

/// Processes, and the list of those that have ended.
#[derive(Debug)]
pub struct Order {
    list: OwnedFd,
    known: HashMap<u32, OwnedFd>,
    looked: Instant,
    pause: Duration,
}

impl Order {
    /// Of none so far.
    pub fn new() -> io::Result<Order> {
        let list = epoll::create(CreateFlags::CLOEXEC)?;
        let pause = Duration::ZERO;
        Ok(Order { list, known: HashMap::new(), looked: Instant::now(), pause })
    }

    /// Looks for processes that this one has begun, if it is time to: less often if there are no new ones.
    pub fn look(&mut self, launcher: u32) {
        if self.looked.elapsed() < self.pause {
            return;
        }
        let before = self.known.len();
        for pid in descendants::of(launcher) {
            self.follow(pid);
        }
        self.looked = Instant::now();
        self.pause = match self.known.len() {
            0 => SHORTEST,
            count if count > before => SHORTEST,
            _ => (self.pause * 2).clamp(SHORTEST, LONGEST),
        };
    }

    /// One that cannot be followed is one of which nothing is said.
    fn follow(&mut self, pid: u32) {
        if self.known.contains_key(&pid) {
            return;
        }
        let process = descendants::pid_of(pid);
        let opened = process.and_then(|process| pidfd_open(process, PidfdFlags::empty()).ok());
        let Some(process) = opened else { return };
        let data = EventData::new_u64(u64::from(pid));
        if epoll::add(&self.list, &process, data, EventFlags::IN).is_ok() {
            self.known.insert(pid, process);
        }
    }

    /// Those that have ended, the first first.
    pub fn ended(&self) -> Vec<u32> {
        let mut events = Vec::with_capacity(self.known.len() + 1);
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        // Where the list cannot be had nothing is said of it.
        let _ = epoll::wait(&self.list, spare_capacity(&mut events), Some(&at_once));
        events.iter().filter_map(|event| u32::try_from(event.data.u64()).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn processes_are_told_in_the_order_in_which_they_end() {
        let mut all: Vec<_> =
            (0..8).map(|_| Command::new("cat").stdin(Stdio::piped()).spawn().unwrap()).collect();
        let mut order = Order::new().unwrap();
        all.iter().for_each(|process| order.follow(process.id()));
        assert!(order.ended().is_empty());
        let mut expected = Vec::new();
        // Neither in the order of their begin nor backwards.
        for at in [3, 0, 5, 1, 7, 2] {
            drop(all[at].stdin.take());
            all[at].wait().unwrap();
            expected.push(all[at].id());
        }
        assert_eq!(order.ended(), expected);
        all.iter_mut().for_each(|process| {
            drop(process.stdin.take());
            process.wait().unwrap();
        });
    }
}
