//! Mutations of good inputs, the same in every run.

/// Gives `check` the seeds and mutations of them: bytes changed, cut, repeated,
/// and words of the language put in. The mutations are numbered; the variable
/// `CLL_FUZZ_ROUNDS` sets how many of the first there are instead, for longer runs.
pub fn mutations(
    seeds: &[Vec<u8>],
    words: &[&str],
    numbers: impl IntoIterator<Item = u64>,
    check: fn(&[u8]),
) {
    seeds.iter().for_each(|seed| check(seed));
    let rounds = std::env::var("CLL_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok());
    let numbers: Vec<u64> =
        rounds.map_or_else(|| numbers.into_iter().collect(), |rounds| (0..rounds).collect());
    for number in numbers {
        let mut random = Random(0x0bad_5eed + (number << 32));
        let mut bytes = seeds[random.below(seeds.len())].clone();
        for _ in 0..1 + random.below(4) {
            mutate(&mut bytes, seeds, words, &mut random);
        }
        check(&bytes);
    }
}

fn mutate(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[&str], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let end = at + random.below((bytes.len() - at).min(40) + 1);
    match random.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(end..end, piece);
        }
        3 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        4 => bytes.insert(at, random.below(256) as u8),
        5 => {
            let other = &seeds[random.below(seeds.len())];
            let from = random.below(other.len() + 1);
            let to = from + random.below((other.len() - from).min(80) + 1);
            bytes.splice(at..end, other[from..to].iter().copied());
        }
        _ => {
            let word = words[random.below(words.len())];
            bytes.splice(at..if random.below(2) == 0 { at } else { end }, word.bytes());
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}
