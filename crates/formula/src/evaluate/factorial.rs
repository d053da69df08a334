//! n!

/// The largest n whose factorial is a double.
const LARGEST: usize = 170;

/// Products from 1 up, in this order: the printed C multiplies the same way.
const FACTORIALS: [f64; LARGEST + 1] = {
    let mut table = [1.0; LARGEST + 1];
    let mut n = 1;
    while n <= LARGEST {
        table[n] = table[n - 1] * n as f64;
        n += 1;
    }
    table
};

/// `x!` for an integer `x >= 0`, inf above 170; NaN for any other number.
pub(super) fn factorial(x: f64) -> f64 {
    if !(x >= 0.0 && x == x.floor()) {
        f64::NAN
    } else if x > LARGEST as f64 {
        f64::INFINITY
    } else {
        FACTORIALS[x as usize]
    }
}
