//! n!

/// The largest n whose factorial is a finite double.
const MAX_ARGUMENT: usize = 170;

/// Products from 1 up, in this order: the C code that is printed multiplies in the same order.
const FACTORIALS: [f64; MAX_ARGUMENT + 1] = {
    let mut table = [1.0; MAX_ARGUMENT + 1];
    let mut n = 1;
    while n <= MAX_ARGUMENT {
        table[n] = table[n - 1] * n as f64;
        n += 1;
    }
    table
};

/// `x!` for an integer `x >= 0`, inf above 170; NaN for any other number.
pub fn factorial(x: f64) -> f64 {
    if !(x >= 0.0 && x == x.floor()) {
        f64::NAN
    } else if x > MAX_ARGUMENT as f64 {
        f64::INFINITY
    } else {
        FACTORIALS[x as usize]
    }
}
