//! Counts of a simulation: the program runs under valgrind's callgrind, which writes its counts to a file on
//! request. Outside of valgrind the request has no effect.

use std::ffi::c_int;

use cll_contract::SIMULATION;
use cll_trace::observable::{MISSING, SIMULATED_EVENTS};

use crate::sys;

const EVENTS: usize = SIMULATED_EVENTS.len();

/// `VG_USERREQ_TOOL_BASE('C', 'T')`.
const CALLGRIND: usize = (b'C' as usize) << 24 | (b'T' as usize) << 16;
const ZERO: usize = CALLGRIND + 1;
const DUMP: usize = CALLGRIND + 3;
const RUNNING_ON_VALGRIND: usize = 0x1001;

/// The counts of callgrind for the calling thread.
#[derive(Clone, Copy, Debug)]
pub struct Simulation {
    fd: c_int,
    sums: [u64; EVENTS],
    /// A dump was not understood: the sums are invalid from then on.
    lost: bool,
}

impl Simulation {
    pub const CLOSED: Simulation = Simulation { fd: -1, sums: [0; EVENTS], lost: false };

    /// `false` if the program does not run under callgrind, or not with the needed options.
    pub fn open(&mut self) -> bool {
        if self.fd >= 0 {
            return true;
        }
        if request(RUNNING_ON_VALGRIND, 0) == 0 {
            return false;
        }
        // The file of callgrind: `--callgrind-out-file`, with `--combine-dumps=yes`.
        let Some(path) = sys::variable_c(SIMULATION.c_name()) else { return false };
        self.fd = sys::open_file(path, libc::O_RDWR).unwrap_or(-1);
        if self.fd >= 0 {
            self.read();
        }
        self.fd >= 0 && !self.lost
    }

    /// Adds the counts since [`Simulation::go_on`].
    pub fn read(&mut self) {
        request(DUMP, c"cll".as_ptr() as usize);
        let mut tail = [0; 256];
        let added = totals(self.fd, &mut tail).and_then(sum);
        // Otherwise the file would grow to gigabytes.
        sys::cut(self.fd, 0);
        match added {
            Some(added) => {
                self.sums.iter_mut().zip(added).for_each(|(sum, added)| *sum += added);
            }
            None => self.lost = true,
        }
    }

    /// Discards the counts so far, which are of the library.
    pub fn go_on(&self) {
        request(ZERO, 0);
    }

    /// The sum of an event.
    pub fn value(&self, index: usize) -> u64 {
        if self.lost { MISSING } else { self.sums[index] }
    }

    pub fn close(&mut self) {
        if self.fd >= 0 {
            sys::close(self.fd);
        }
        *self = Simulation::CLOSED;
    }
}

/// The last line that begins with `totals:`, from the file's last bytes.
fn totals(fd: c_int, tail: &mut [u8; 256]) -> Option<&[u8]> {
    let (_, length) = sys::identify(fd).ok()?;
    let offset = length.saturating_sub(tail.len() as u64);
    let got = sys::read_at(fd, offset, tail).ok()?;
    let text = &tail[..got];
    let begin = text.windows(7).rposition(|window| window == b"totals:")?;
    text[begin + 7..].split(|&byte| byte == b'\n').next()
}

/// The numbers of such a line; those at its end may be missing if they are 0.
fn sum(line: &[u8]) -> Option<[u64; EVENTS]> {
    let mut sums = [0; EVENTS];
    let words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    for (index, word) in words.enumerate() {
        *sums.get_mut(index)? = str::from_utf8(word).ok()?.parse().ok()?;
    }
    Some(sums)
}

/// A request of the program to valgrind; outside of it, it has no effect and returns 0.
#[cfg(target_arch = "x86_64")]
fn request(code: usize, argument: usize) -> usize {
    let arguments = [code, argument, 0, 0, 0, 0];
    let mut answer = 0usize;
    // SAFETY: the rotations are by 128 bits in total, and the exchange is of a register with itself.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") answer,
            out("rdi") _,
            options(nostack),
        );
    }
    answer
}

#[cfg(target_arch = "aarch64")]
fn request(code: usize, argument: usize) -> usize {
    let arguments = [code, argument, 0, 0, 0, 0];
    let mut answer = 0usize;
    // SAFETY: the rotations are by 128 bits in total.
    unsafe {
        std::arch::asm!(
            "ror x12, x12, #3",
            "ror x12, x12, #13",
            "ror x12, x12, #51",
            "ror x12, x12, #61",
            "orr x10, x10, x10",
            inout("x3") answer,
            in("x4") arguments.as_ptr(),
            out("x12") _,
            options(nostack),
        );
    }
    answer
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn request(_code: usize, _argument: usize) -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_of_valgrind_a_request_is_nothing() {
        assert_eq!(request(RUNNING_ON_VALGRIND, 0), 0);
        let mut simulation = Simulation::CLOSED;
        assert!(!simulation.open());
    }

    #[test]
    fn lines_of_callgrind() {
        let sums = sum(b" 9876543210 4 3 ").unwrap();
        assert_eq!((sums[0], sums[2], sums[3]), (9_876_543_210, 3, 0));
        assert_eq!(sum(b" 1 x"), None);
        assert_eq!(sum("1 ".repeat(99).as_bytes()), None);
    }
}
