//! What processors agree on at the end of a superstep.

/// What all processors must do in the same way in a superstep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CollectiveState {
    pub pushes: u64,
    pub pops: u64,
    pub tag_calls: u64,
    pub tag_size: u64,
    /// Of the superstep, as the caller says; 0: any.
    pub kind: u64,
    /// The superstep ends the program's parallel part.
    pub ends: bool,
}

impl CollectiveState {
    /// 0 if there is nothing; else hardly ever the same for two that differ.
    #[inline]
    pub fn word(&self) -> u64 {
        let CollectiveState { pushes, pops, tag_calls, tag_size, kind, ends } = *self;
        if pushes | pops | tag_calls | tag_size | kind | u64::from(ends) == 0 {
            return 0;
        }
        let mixed = [pushes, pops, tag_calls, tag_size, kind, ends.into()];
        let mix = |word: u64, value: u64| {
            let word = (word ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            word ^ (word >> 29)
        };
        mixed.into_iter().fold(1, mix) | 1
    }
}

/// What a processor announces at the end of a superstep: bits.
pub(crate) mod flags {
    /// It wants something read by the processor that has it, or reads it there.
    pub const GETS: u64 = 1;
    /// It would write what it has put for a processor there itself.
    pub const DELIVERS: u64 = 2;
    /// Nobody may write here in the superstep's end but this processor itself.
    pub const REFUSES: u64 = 4;
}

/// What was agreed at the end of a superstep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agreed {
    /// Whether all brought the same [`CollectiveState`].
    pub calls_agree: bool,
    /// Whether anybody wants something read by the processor that has it, or reads it there.
    pub gets: bool,
    /// Whether anybody may have sent something: if not, nothing has arrived anywhere.
    pub sent: bool,
    /// Whether somebody writes what it has put itself: then all wait once more, for it.
    pub delivers: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_tells_apart_what_differs() {
        let all: Vec<CollectiveState> = (0..3u64)
            .flat_map(|pushes| (0..3).map(move |pops| (pushes, pops)))
            .flat_map(|(pushes, pops)| (0..3).map(move |tag_size| (pushes, pops, tag_size)))
            .flat_map(|(pushes, pops, tag_size)| {
                let collective = CollectiveState {
                    pushes,
                    pops,
                    tag_calls: 1,
                    tag_size,
                    ..CollectiveState::default()
                };
                [
                    collective,
                    CollectiveState { ends: true, ..collective },
                    CollectiveState { kind: 1, ..collective },
                ]
            })
            .collect();
        let mut words: Vec<u64> = all.iter().map(CollectiveState::word).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all.len());
        assert_eq!(CollectiveState::default().word(), 0);
    }
}
