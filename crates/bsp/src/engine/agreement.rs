//! The agreement of processors at the end of a superstep.

/// The actions that all processors must do in the same way in a superstep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CollectiveState {
    pub pushes: u64,
    pub pops: u64,
    pub tag_calls: u64,
    pub tag_size: u64,
    /// The kind of the superstep, given by the caller; 0: any.
    pub kind: u64,
    /// The superstep ends the program's parallel part.
    pub ends: bool,
}

impl CollectiveState {
    /// A hash, 0 if there is nothing. Different states have different hashes, except with negligible
    /// probability.
    #[inline]
    pub fn fingerprint(&self) -> u64 {
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

/// Bits that a processor announces at the end of a superstep.
pub(crate) mod flags {
    /// It wants to read memory of another processor, through that processor or directly.
    pub const GETS: u64 = 1;
    /// It would write its puts into the receiver's memory itself.
    pub const DELIVERS: u64 = 2;
    /// Nobody but this processor may write into its memory at the end of the superstep.
    pub const REFUSES: u64 = 4;
}

/// The result of an exchange.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExchangeResult {
    /// Whether all processors had the same [`CollectiveState`].
    pub calls_agree: bool,
    /// Whether any processor wants to read memory of another one (`flags::GETS`).
    pub gets: bool,
    /// Whether any processor may have sent something. If not, nothing has arrived anywhere.
    pub sent: bool,
    /// Whether any processor writes its puts itself. Then all wait once more, until it has.
    pub delivers: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_states_have_different_fingerprints() {
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
        let mut words: Vec<u64> = all.iter().map(CollectiveState::fingerprint).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all.len());
        assert_eq!(CollectiveState::default().fingerprint(), 0);
    }
}
