use std::hash::Hasher;

/// A hash for names that is the same everywhere. It prevents accidents, not attacks.
pub fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    // Fixed keys: the hash must be the same everywhere.
    #[expect(deprecated, reason = "the only one of std whose keys are fixed and that is specified")]
    let mut hasher = std::hash::SipHasher::new();
    for part in parts {
        hasher.write(part);
        hasher.write_usize(part.len());
    }
    hasher.finish()
}
