//! Events of `perf_event_open`, of the calling thread.

use std::ffi::c_int;
use std::ptr;
use std::sync::atomic::{Ordering::*, compiler_fence};

use cll_trace::observable::{MAX_OBSERVABLES, PerfEvent};

use crate::sys::{self, Errno};

use super::system::Io;

/// The first version of `struct perf_event_attr`.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    period: u64,
    sample: u64,
    read: u64,
    flags: u64,
    wakeup: u32,
    breakpoint: u32,
    address: u64,
}

const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
/// `PERF_FORMAT_TOTAL_TIME_ENABLED`, `_RUNNING` and `_GROUP`.
const READ_FORMAT: u64 = 1 | 2 | 8;
const CLOSE_ON_EXEC: u64 = 8;
const NOBODY: c_int = -1;

/// Events that are counted together, or not at all at a time.
#[derive(Clone, Copy, Debug)]
pub struct EventGroup {
    /// The descriptor of each event, the leader's first.
    fds: [c_int; MAX_OBSERVABLES],
    /// The kernel's page for each event, null if there is none.
    pages: [*const u8; MAX_OBSERVABLES],
    pub count: usize,
    hardware: bool,
    clock: bool,
}

/// The counts of a group, and its times.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub values: [u64; MAX_OBSERVABLES],
    /// Nanoseconds since the group was opened.
    pub enabled: u64,
    /// Nanoseconds of these in which it was counted.
    pub running: u64,
}

impl EventGroup {
    pub const EMPTY: EventGroup = EventGroup {
        fds: [NOBODY; MAX_OBSERVABLES],
        pages: [ptr::null(); MAX_OBSERVABLES],
        count: 0,
        hardware: false,
        clock: false,
    };

    /// Whether events of this kind can be added. A clock must be alone: in a group the kernel returns its value
    /// at the last tick.
    pub fn takes(&self, event: PerfEvent) -> bool {
        self.count < MAX_OBSERVABLES
            && self.hardware == event.is_hardware()
            && !self.clock
            && !event.is_clock()
    }

    /// Adds an event. The first one determines the kind of all.
    pub fn add(&mut self, event: PerfEvent) -> Result<(), Errno> {
        let fd = self.open(event)?;
        if self.count == 0 {
            self.hardware = event.is_hardware();
            self.clock = event.is_clock();
        }
        self.fds[self.count] = fd;
        if self.hardware {
            // There is no page if the limit for locked memory is used up.
            let page = sys::map_to_read(fd, sys::PAGE);
            self.pages[self.count] = page.map_or(ptr::null(), |page| page.cast_const());
        }
        self.count += 1;
        Ok(())
    }

    fn open(&self, event: PerfEvent) -> Result<c_int, Errno> {
        let mut attributes = Attributes {
            kind: event.kind,
            size: size_of::<Attributes>() as u32,
            config: event.config,
            read: READ_FORMAT,
            flags: EXCLUDE_HYPERVISOR,
            ..Attributes::default()
        };
        // The processor's events are counted in the program's own code only, also for superusers.
        if event.is_hardware() {
            attributes.flags |= EXCLUDE_KERNEL;
        }
        let opened = self.call(&attributes);
        // Switches and migrations happen only in the kernel.
        let in_kernel = matches!(event.config, 3 | 4 | 11);
        match opened {
            Err(libc::EACCES | libc::EPERM) if !event.is_hardware() && !in_kernel => {
                attributes.flags |= EXCLUDE_KERNEL;
                self.call(&attributes)
            }
            other => other,
        }
    }

    fn call(&self, attributes: &Attributes) -> Result<c_int, Errno> {
        let (this_thread, any_processor) = (0, -1);
        // SAFETY: the structure has the length that it contains.
        let fd = sys::check(unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                attributes,
                this_thread,
                any_processor,
                self.fds[0],
                CLOSE_ON_EXEC,
            )
        })?;
        Ok(sys::raise(fd as c_int))
    }

    /// The counts so far; `None` if they cannot be read (the program has closed the descriptor).
    pub fn read(&self, io: &mut Io) -> Option<Reading> {
        if let Some(reading) = self.read_in_place() {
            return Some(reading);
        }
        let mut words = [0u64; 3 + MAX_OBSERVABLES];
        let length = 8 * (3 + self.count);
        let got = sys::read_words(self.fds[0], &mut words[..3 + self.count]);
        io.has_read(got.unwrap_or(0));
        if got != Ok(length) || words[0] != self.count as u64 {
            return None;
        }
        let mut reading =
            Reading { values: [0; MAX_OBSERVABLES], enabled: words[1], running: words[2] };
        reading.values[..self.count].copy_from_slice(&words[3..3 + self.count]);
        Some(reading)
    }

    /// Reads with the processor's own instruction, if the kernel allows that and every event is currently
    /// counted.
    fn read_in_place(&self) -> Option<Reading> {
        if !self.hardware {
            return None;
        }
        let mut reading = Reading { values: [0; MAX_OBSERVABLES], enabled: 0, running: 0 };
        for (value, &page) in reading.values.iter_mut().zip(&self.pages[..self.count]) {
            // SAFETY: null, or the page of an event of this thread, mapped until it is closed.
            let (count, enabled, running) = unsafe { page::read(page)? };
            *value = count;
            (reading.enabled, reading.running) = (enabled, running);
        }
        Some(reading)
    }

    pub fn close(&mut self) {
        for (&fd, &page) in self.fds.iter().zip(&self.pages).take(self.count).rev() {
            if !page.is_null() {
                // SAFETY: our own mapping.
                unsafe { sys::unmap(page.cast_mut(), sys::PAGE) };
            }
            sys::close(fd);
        }
        *self = EventGroup::EMPTY;
    }
}

/// Why an event cannot be counted.
pub fn explain(event: PerfEvent, error: Errno) -> String {
    let level = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    refusal(event, error, level.as_deref().map_or("unknown", str::trim))
}

/// The same with this `kernel.perf_event_paranoid`.
fn refusal(event: PerfEvent, error: Errno, level: &str) -> String {
    // Switches and migrations happen only in the kernel.
    let in_kernel = !event.is_hardware() && matches!(event.config, 3 | 4 | 11);
    let allowed = if in_kernel { 1 } else { 2 };
    match error {
        libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP if event.is_hardware() => {
            "this processor has no such counter, or it is not accessible (virtual machines \
             mostly have none)"
                .to_owned()
        }
        libc::EINVAL if event.is_hardware() => "this processor has no such event".to_owned(),
        libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP => {
            "this kernel has no such event".to_owned()
        }
        libc::EACCES | libc::EPERM if level.parse().is_ok_and(|level: i64| level <= allowed) => {
            format!(
                "the kernel refuses it, although kernel.perf_event_paranoid is {level}: a filter of system calls \
                 (seccomp), as containers have, does not let perf_event_open through"
            )
        }
        libc::EACCES | libc::EPERM => format!(
            "the kernel refuses it (kernel.perf_event_paranoid is {level}): sysctl \
             kernel.perf_event_paranoid={allowed}, or the capability CAP_PERFMON, would allow it",
        ),
        libc::ENOSYS => "this kernel has no perf_event_open".to_owned(),
        libc::EMFILE | libc::ENFILE => "there are too many open files".to_owned(),
        error => {
            let mut buffer = [0; 96];
            String::from_utf8_lossy(sys::describe(error, &mut buffer)).into_owned()
        }
    }
}

/// The page of an event that the kernel keeps up to date.
mod page {
    use super::*;

    const LOCK: usize = 8;
    const INDEX: usize = 12;
    const OFFSET: usize = 16;
    const ENABLED: usize = 24;
    const RUNNING: usize = 32;
    const CAPABILITIES: usize = 40;
    const WIDTH: usize = 48;
    /// The program may read the counter itself.
    const MAY_READ: u64 = 1 << 2;

    /// Count, time enabled and time counted of an event that is currently counted.
    ///
    /// # Safety
    /// `page` is null or such a page, of an event of the calling thread.
    pub unsafe fn read(page: *const u8) -> Option<(u64, u64, u64)> {
        if page.is_null() {
            return None;
        }
        // SAFETY: by the caller; the kernel writes meanwhile, hence volatile.
        unsafe {
            let word = |position: usize| page.add(position).cast::<u32>().read_volatile();
            let long = |position: usize| page.add(position).cast::<u64>().read_volatile();
            loop {
                let lock = word(LOCK);
                compiler_fence(SeqCst);
                let (index, offset) = (word(INDEX), long(OFFSET));
                let (enabled, running) = (long(ENABLED), long(RUNNING));
                let width = page.add(WIDTH).cast::<u16>().read_volatile();
                if index == 0 || long(CAPABILITIES) & MAY_READ == 0 || !(1..=64).contains(&width) {
                    return None;
                }
                let counter = counter(index - 1)?;
                compiler_fence(SeqCst);
                if word(LOCK) == lock {
                    let count = offset.wrapping_add(extended(counter, width));
                    return Some((count, enabled, running));
                }
            }
        }
    }

    /// A counter of `width` bits as a signed number.
    pub fn extended(counter: u64, width: u16) -> u64 {
        let unused = 64 - u32::from(width);
        ((counter << unused) as i64 >> unused) as u64
    }

    #[cfg(target_arch = "x86_64")]
    unsafe fn counter(index: u32) -> Option<u64> {
        let (low, high): (u32, u32);
        // SAFETY: the kernel says that this counter may be read.
        unsafe {
            std::arch::asm!("rdpmc", in("ecx") index, out("eax") low, out("edx") high,
                            options(nostack, nomem));
        }
        Some(u64::from(high) << 32 | u64::from(low))
    }

    #[cfg(not(target_arch = "x86_64"))]
    unsafe fn counter(_index: u32) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAULTS: PerfEvent = PerfEvent { kind: PerfEvent::SOFTWARE, config: 2 };
    const MINOR: PerfEvent = PerfEvent { kind: PerfEvent::SOFTWARE, config: 5 };
    const CLOCK: PerfEvent = PerfEvent { kind: PerfEvent::SOFTWARE, config: 1 };

    #[test]
    fn a_group_counts_the_faults_of_this_thread() {
        let (mut group, mut io) = (EventGroup::EMPTY, Io::CLOSED);
        assert!(!group.takes(CLOCK));
        for event in [FAULTS, MINOR] {
            assert!(group.takes(event));
            match group.add(event) {
                Ok(()) => {}
                Err(error) => {
                    assert!(explain(event, error).contains("refuse"), "{error}");
                    return;
                }
            }
        }
        let before = group.read(&mut io).unwrap();
        let pages = sys::pages(64 * sys::PAGE).unwrap();
        for page in 0..64 {
            // SAFETY: our own pages.
            unsafe { pages.add(page * sys::PAGE).write_volatile(1) };
        }
        let after = group.read(&mut io).unwrap();
        let faults = after.values[0] - before.values[0];
        assert!((1..=70).contains(&faults), "{faults}");
        assert_eq!(after.values[1] - before.values[1], faults);
        group.close();
        assert_eq!((group.count, group.read(&mut io).is_none()), (0, true));
    }

    #[test]
    fn what_the_processor_does_not_have_is_said() {
        let nonsense = PerfEvent { kind: 3, config: 0xff_ffff };
        let error = EventGroup::EMPTY.open(nonsense).unwrap_err();
        assert!(!explain(nonsense, error).is_empty());
        assert!(explain(PerfEvent { kind: 0, config: 0 }, libc::ENOENT).contains("virtual"));
        assert!(explain(FAULTS, libc::EACCES).contains("perf_event_paranoid"));
        assert!(refusal(FAULTS, libc::EACCES, "3").contains("perf_event_paranoid=2"));
        assert!(refusal(FAULTS, libc::EPERM, "2").contains("seccomp"));
        assert!(refusal(FAULTS, libc::EPERM, "unknown").contains("is unknown"));
        assert!(refusal(FAULTS, libc::ENOENT, "1").contains("no such event"));
    }

    #[test]
    fn counters_are_signed_and_of_their_own_width() {
        assert_eq!(page::extended(0xffff_ffff_ffff, 48), u64::MAX);
        assert_eq!(page::extended(0x7fff_ffff_ffff, 48), 0x7fff_ffff_ffff);
        assert_eq!(page::extended(u64::MAX, 64), u64::MAX);
        assert_eq!(page::extended(0b101, 2), 1);
    }

    #[test]
    fn a_page_of_an_event_that_is_not_counted_is_not_used() {
        let mut page = [0u64; 8];
        // SAFETY: a page has no more fields than these.
        unsafe {
            assert_eq!(page::read(ptr::null()), None);
            assert_eq!(page::read(page.as_ptr().cast()), None);
            page[1] = 1 << 32; // counted, but the program may not read it
            assert_eq!(page::read(page.as_ptr().cast()), None);
        }
    }
}
