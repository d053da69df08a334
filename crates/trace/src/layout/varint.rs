//! Numbers of variable length: seven bits in each byte, the lowest first, and a bit that says
//! whether more follow.

/// Adds a number.
pub fn unsigned(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Maps small signed numbers to small unsigned ones: 0, -1, 1, -2 are 0, 1, 2, 3.
pub fn zigzag(value: i64) -> u64 {
    (value as u64) << 1 ^ (value >> 63) as u64
}

/// Reads numbers from bytes.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    /// Starts at the first of these bytes.
    pub fn new(bytes: &'a [u8]) -> Input<'a> {
        Input { rest: bytes }
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next byte.
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*first)
    }

    /// A number written by [`unsigned`].
    pub fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// A signed number.
    pub fn signed(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_none_is_too_long() {
        for value in [0, 1, 127, 128, 300, 1 << 35, u64::MAX - 1, u64::MAX] {
            let mut bytes = Vec::new();
            unsigned(&mut bytes, value);
            let mut input = Input::new(&bytes);
            assert_eq!((input.unsigned(), input.is_empty()), (Some(value), true));
            assert_eq!(Input::new(&bytes[..bytes.len() - 1]).unsigned(), None);
        }
        for value in [0, -1, 1, -2, i64::MAX, i64::MIN] {
            let mut bytes = Vec::new();
            unsigned(&mut bytes, zigzag(value));
            assert_eq!(Input::new(&bytes).signed(), Some(value));
        }
        assert_eq!(zigzag(-3), 5);
        assert_eq!(Input::new(&[0xFF; 20]).unsigned(), None);
    }
}
