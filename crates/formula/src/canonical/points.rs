//! Points at which the terms of a formula are evaluated.

/// `count` tuples of values for `variables` variables: small and large, whole, fractional and
/// negative, and near `landmarks`. Deterministic.
pub(super) fn points(
    variables: usize,
    landmarks: &[f64],
    seed: u64,
    count: usize,
) -> impl Iterator<Item = Vec<f64>> + '_ {
    let mut random = Sequence(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (0..count).map(move |point| {
        (0..variables).map(|_| value(point % 7, landmarks, &mut random)).collect()
    })
}

fn value(manner: usize, landmarks: &[f64], random: &mut Sequence) -> f64 {
    let u = random.next();
    match manner {
        0 => scaled(2.0, 64.0, u).round(),
        1 => scaled(1.1, 100.0, u),
        2 => scaled(2.0, 1e5, u).round(),
        3 => scaled(0.01, 1e4, u),
        4 => -10.0 + 20.0 * u,
        5 => scaled(1e-3, 1e9, u),
        _ => {
            let choice = (random.next() * (landmarks.len() + 1) as f64) as usize;
            landmarks
                .get(choice)
                .map_or_else(|| scaled(1.1, 1e6, u), |mark| mark * scaled(0.25, 4.0, u))
        }
    }
}

/// Uniform in the logarithm.
fn scaled(low: f64, high: f64, u: f64) -> f64 {
    low * (u * (high / low).ln()).exp()
}

/// SplitMix64 (Steele, Lea, Flood 2014), as numbers in [0, 1).
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
