//! What the library says on standard error: one line at a time, without allocating.

use crate::sys;

/// Pieces of a line; longer ones are cut.
pub struct Message {
    bytes: [u8; 1024],
    length: usize,
}

impl Message {
    /// Begins with `cll: `.
    pub fn new() -> Message {
        Message { bytes: [0; 1024], length: 0 }.text("cll: ")
    }

    /// Adds text.
    pub fn text(self, text: &str) -> Message {
        self.bytes(text.as_bytes())
    }

    /// Adds bytes as they are, a path for instance.
    pub fn bytes(mut self, bytes: &[u8]) -> Message {
        // Room for the line's end stays.
        let count = bytes.len().min(self.bytes.len() - 1 - self.length);
        self.bytes[self.length..self.length + count].copy_from_slice(&bytes[..count]);
        self.length += count;
        self
    }

    /// Adds a number.
    pub fn number(self, number: u64) -> Message {
        let mut digits = [0; 20];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.bytes(&digits[at..])
    }

    /// Adds what the system says of an error.
    pub fn error(self, error: sys::Errno) -> Message {
        let mut buffer = [0; 96];
        self.bytes(sys::describe(error, &mut buffer))
    }

    /// Writes the line; where it cannot be written nothing happens.
    pub fn send(mut self) {
        self.bytes[self.length] = b'\n';
        // SAFETY: the length is told. Descriptor 2 is where a library speaks.
        unsafe { libc::syscall(libc::SYS_write, 2, self.bytes.as_ptr(), self.length + 1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_follow_each_other_and_too_much_is_cut() {
        let message = Message::new().text("slot ").number(0).text("/").number(u64::MAX);
        assert_eq!(&message.bytes[..message.length], b"cll: slot 0/18446744073709551615");
        let long = message.bytes(&[b'x'; 5000]);
        assert_eq!(long.length, 1023);
    }
}
