//! Messages of the library on standard error: one line at a time, without allocation.

use crate::sys;

/// The text of a line; longer lines are cut.
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
        self.unchanged(text.as_bytes())
    }

    /// Adds bytes of others, such as a path, with `?` in place of what a terminal obeys.
    pub fn bytes(mut self, bytes: &[u8]) -> Message {
        let from = self.length;
        self = self.unchanged(bytes);
        let added = &mut self.bytes[from..self.length];
        added.iter_mut().filter(|byte| byte.is_ascii_control()).for_each(|byte| *byte = b'?');
        self
    }

    fn unchanged(mut self, bytes: &[u8]) -> Message {
        // Room for the line's end remains.
        let count = bytes.len().min(self.bytes.len() - 1 - self.length);
        self.bytes[self.length..self.length + count].copy_from_slice(&bytes[..count]);
        self.length += count;
        self
    }

    /// Adds a number.
    pub fn number(self, number: u64) -> Message {
        let mut digits = [0; 20];
        let mut position = digits.len();
        let mut rest = number;
        loop {
            position -= 1;
            digits[position] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.bytes(&digits[position..])
    }

    /// Adds the system's text for an error.
    pub fn error(self, error: sys::Errno) -> Message {
        let mut buffer = [0; 96];
        self.bytes(sys::describe(error, &mut buffer))
    }

    /// Writes the line; an error has no effect.
    pub fn send(mut self) {
        self.bytes[self.length] = b'\n';
        // SAFETY: the length is passed. A library reports on descriptor 2.
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
        let foreign = Message::new().bytes("/a\u{1b}[2J\nb\u{7}é".as_bytes());
        assert_eq!(&foreign.bytes[5..foreign.length], "/a?[2J?b?é".as_bytes());
        let long = message.bytes(&[b'x'; 5000]);
        assert_eq!(long.length, 1023);
    }
}
