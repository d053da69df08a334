//! Reads what the kernel records about threads and processes: processor time, switches, memory, files.

use std::ffi::c_int;

use cll_trace::observable::MISSING;

use crate::sys::{self, Errno};

/// Processor time of the calling thread in nanoseconds.
pub fn cpu_time() -> u64 {
    sys::clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Bytes that are read of a file of `/proc`; all that is needed is at its beginning.
const MAX_BYTES: usize = 2048;

/// The bytes that the calling thread has read from and written to files.
#[derive(Clone, Copy, Debug)]
pub struct Io {
    fd: c_int,
    /// The input and output that the counting itself has caused so far.
    own: OwnIo,
    /// The same, up to the last reading.
    seen: OwnIo,
}

/// Bytes and calls of reading and writing that are not the program's.
#[derive(Clone, Copy, Debug)]
struct OwnIo {
    read: u64,
    reads: u64,
    written: u64,
    writes: u64,
}

impl OwnIo {
    const NONE: OwnIo = OwnIo { read: 0, reads: 0, written: 0, writes: 0 };
}

impl Io {
    pub const CLOSED: Io = Io { fd: -1, own: OwnIo::NONE, seen: OwnIo::NONE };

    pub fn open(&mut self) -> Result<(), Errno> {
        if self.fd < 0 {
            self.fd = sys::open_file(c"/proc/thread-self/io", libc::O_RDONLY)?;
        }
        Ok(())
    }

    /// Reads all lines once into `text`, which [`Io::value`] searches.
    pub fn read(&mut self, text: &mut [u8; 512]) -> usize {
        // The values are those before this call.
        self.seen = self.own;
        let length = sys::read_at(self.fd, 0, text).unwrap_or(0);
        self.has_read(length);
        length
    }

    /// The counting has read this many bytes.
    pub fn has_read(&mut self, bytes: usize) {
        self.own.read += bytes as u64;
        self.own.reads += 1;
    }

    /// The counting has written this many bytes.
    pub fn has_written(&mut self, bytes: usize) {
        self.own.written += bytes as u64;
        self.own.writes += 1;
    }

    /// The value of a line, without what was caused here.
    pub fn value(&self, text: &[u8], name: &str) -> u64 {
        let own = match name {
            "rchar" => self.seen.read,
            "syscr" => self.seen.reads,
            "wchar" => self.seen.written,
            "syscw" => self.seen.writes,
            _ => 0,
        };
        line(text, name).map_or(MISSING, |value| value.saturating_sub(own))
    }

    pub fn close(&mut self) {
        if self.fd >= 0 {
            sys::close(self.fd);
        }
        *self = Io::CLOSED;
    }
}

/// The peak memory of the process since the last reset.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    status: c_int,
    reset: c_int,
}

impl Memory {
    pub const CLOSED: Memory = Memory { status: -1, reset: -1 };

    pub fn open(&mut self, io: &mut Io) -> Result<(), Errno> {
        if self.status < 0 {
            self.status = sys::open_file(c"/proc/self/status", libc::O_RDONLY)?;
        }
        if self.reset < 0 {
            self.reset = sys::open_file(c"/proc/self/clear_refs", libc::O_WRONLY)?;
            self.begin_anew(io)?;
        }
        Ok(())
    }

    /// In kibibytes.
    pub fn peak(&self, io: &mut Io) -> u64 {
        let mut text = [0; MAX_BYTES];
        let length = sys::read_at(self.status, 0, &mut text).unwrap_or(0);
        io.has_read(length);
        line(&text[..length], "VmHWM").unwrap_or(MISSING)
    }

    /// Resets the peak to the current memory of the process.
    pub fn begin_anew(&self, io: &mut Io) -> Result<(), Errno> {
        const PEAK: &[u8] = b"5";
        io.has_written(PEAK.len());
        sys::write(self.reset, PEAK)
    }

    pub fn close(&mut self) {
        for fd in [self.status, self.reset] {
            if fd >= 0 {
                sys::close(fd);
            }
        }
        *self = Memory::CLOSED;
    }
}

/// The number in the line `NAME: NUMBER`.
fn line(text: &[u8], name: &str) -> Option<u64> {
    let mut lines = text.split(|&byte| byte == b'\n');
    let rest = lines.find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b":"))?;
    let digits = rest.iter().skip_while(|byte| byte.is_ascii_whitespace());
    let mut value = None;
    for digit in digits.take_while(|byte| byte.is_ascii_digit()) {
        let before: u64 = value.unwrap_or(0);
        value = Some(before.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_proc() {
        let text = b"rchar: 12\nVmHWM:\t   4096 kB\nsyscr: x\nbig: 99999999999999999999\n";
        let value_of = |name| line(text, name);
        assert_eq!((value_of("rchar"), value_of("VmHWM")), (Some(12), Some(4096)));
        assert_eq!((value_of("syscr"), value_of("char"), value_of("big")), (None, None, None));
    }

    #[test]
    fn reading_what_was_read_counts_for_nothing() {
        let mut io = Io::CLOSED;
        io.open().unwrap();
        let mut values = [0; 3];
        for value in &mut values {
            let mut text = [0; 512];
            let length = io.read(&mut text);
            let text = &text[..length];
            *value = io.value(text, "rchar");
            assert_ne!(*value, MISSING);
        }
        assert_eq!((values[0], values[1]), (values[1], values[2]));
        io.close();
    }
}
