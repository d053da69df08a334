//! The choice of the clock, its ticks, and pairs of ticks and nanoseconds.

use std::sync::atomic::{AtomicU32, Ordering::*};

use cll_contract::{Clock as Wanted, WrongValue};
use cll_trace::clock::ClockPair;
use cll_trace::meta::Clock;

use crate::sys;

/// Number of readings for a pair. The one with the shortest interval is used.
const READINGS: u32 = 3;

/// 1 if the processor's own counter is the clock.
static COUNTER: AtomicU32 = AtomicU32::new(0);

/// Chooses the requested clock; by default the counter, if the processor reports that it is steady. The second
/// value is what is not available.
pub fn choose(wanted: Result<Option<Wanted>, WrongValue<'_>>) -> (Clock, Option<&'static str>) {
    let (counter, problem) = match wanted {
        Ok(None) => (counter::is_steady(), None),
        Ok(Some(Wanted::Monotonic)) => (false, None),
        Ok(Some(Wanted::Counter)) if counter::CLOCK.is_some() => (counter::is_readable(), None),
        Ok(Some(Wanted::Counter)) => (false, Some("this processor has no counter for the time")),
        Err(_) => (counter::is_steady(), Some("CLL_CLOCK must be tsc or mono")),
    };
    COUNTER.store(u32::from(counter), Release);
    (counter::CLOCK.filter(|_| counter).unwrap_or(Clock::Mono), problem)
}

/// Whether C may read the counter itself.
pub fn is_counter() -> bool {
    COUNTER.load(Relaxed) != 0
}

/// Ticks now.
#[inline]
pub fn ticks() -> u64 {
    if is_counter() { counter::read() } else { monotonic_ns() }
}

/// The same moment on both clocks.
pub fn pair() -> ClockPair {
    if !is_counter() {
        let now = monotonic_ns();
        return ClockPair { ticks: now, mono_ns: now };
    }
    let mut best = ClockPair { ticks: 0, mono_ns: 0 };
    let mut narrowest = u64::MAX;
    for _ in 0..READINGS {
        let before = counter::read();
        let mono_ns = monotonic_ns();
        let width = counter::read().wrapping_sub(before);
        if width < narrowest {
            narrowest = width;
            best = ClockPair { ticks: before.wrapping_add(width / 2), mono_ns };
        }
    }
    best
}

/// Frequency of the counter in hertz, if the processor reports it.
pub fn nominal_hz() -> Option<f64> {
    counter::nominal_hz().filter(|_| is_counter())
}

/// `CLOCK_MONOTONIC`, in nanoseconds.
pub fn monotonic_ns() -> u64 {
    sys::clock_ns(libc::CLOCK_MONOTONIC)
}

/// Unix time, in nanoseconds.
pub fn unix_ns() -> u64 {
    sys::clock_ns(libc::CLOCK_REALTIME)
}

#[cfg(target_arch = "x86_64")]
mod counter {
    use super::Clock;
    use std::arch::x86_64::{__cpuid, _rdtsc};
    use std::ffi::c_int;

    pub const CLOCK: Option<Clock> = Some(Clock::Tsc);
    const PR_GET_TSC: c_int = 25;
    const PR_TSC_ENABLE: c_int = 1;
    const HYPERVISOR: u32 = 0x4000_0000;
    const HYPERVISOR_TIMING: u32 = 0x4000_0010;

    #[inline]
    pub fn read() -> u64 {
        // SAFETY: `is_readable` was checked before.
        unsafe { _rdtsc() }
    }

    /// Whether the program may read the counter at all.
    pub fn is_readable() -> bool {
        let mut mode: c_int = PR_TSC_ENABLE;
        // SAFETY: writes one int.
        let known = unsafe { libc::prctl(PR_GET_TSC, &mut mode) } == 0;
        !known || mode == PR_TSC_ENABLE
    }

    /// Whether its rate is constant.
    pub fn is_steady() -> bool {
        let extended = __cpuid(0x8000_0000).eax;
        extended >= 0x8000_0007 && __cpuid(0x8000_0007).edx & 1 << 8 != 0 && is_readable()
    }

    pub fn nominal_hz() -> Option<f64> {
        if __cpuid(0).eax >= 0x15 {
            let leaf = __cpuid(0x15);
            if leaf.eax != 0 && leaf.ebx != 0 && leaf.ecx != 0 {
                return Some(f64::from(leaf.ecx) * f64::from(leaf.ebx) / f64::from(leaf.eax));
            }
        }
        let virtual_machine = __cpuid(1).ecx & 1 << 31 != 0;
        if virtual_machine && __cpuid(HYPERVISOR).eax >= HYPERVISOR_TIMING {
            let kilohertz = __cpuid(HYPERVISOR_TIMING).eax;
            return (kilohertz != 0).then(|| f64::from(kilohertz) * 1e3);
        }
        None
    }
}

#[cfg(target_arch = "aarch64")]
mod counter {
    use super::Clock;
    use std::arch::asm;

    pub const CLOCK: Option<Clock> = Some(Clock::Cntvct);

    #[inline]
    pub fn read() -> u64 {
        let ticks;
        // SAFETY: Linux lets every program read this register.
        unsafe { asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack)) };
        ticks
    }

    pub fn is_readable() -> bool {
        true
    }

    pub fn is_steady() -> bool {
        true
    }

    pub fn nominal_hz() -> Option<f64> {
        let hertz: u64;
        // SAFETY: as in `read`.
        unsafe { asm!("mrs {}, cntfrq_el0", out(reg) hertz, options(nomem, nostack)) };
        (hertz != 0).then_some(hertz as f64)
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod counter {
    use super::Clock;

    pub const CLOCK: Option<Clock> = None;

    pub fn read() -> u64 {
        super::monotonic_ns()
    }

    pub fn is_readable() -> bool {
        false
    }

    pub fn is_steady() -> bool {
        false
    }

    pub fn nominal_hz() -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_contract::CLOCK;

    #[test]
    fn the_environment_decides_and_errors_are_reported() {
        assert_eq!(choose(Ok(Some(Wanted::Monotonic))), (Clock::Mono, None));
        let pair = pair();
        assert_eq!(pair.ticks, pair.mono_ns);
        assert!(choose(CLOCK.read(Some(b"sundial"))).1.is_some());
        let (clock, _) = choose(Ok(None));
        assert_eq!(is_counter(), clock != Clock::Mono);
        let (pair, two) = (super::pair(), super::pair());
        assert!(two.ticks > pair.ticks && two.mono_ns > pair.mono_ns);
    }
}
