use super::*;
use Notation::{Ascii, Unicode};

fn misses() -> Unit {
    Unit::Other("misses".into())
}

#[test]
fn seconds_with_a_prefix() {
    for (value, text) in [
        (0.0, "0 s"),
        (0.00342, "3.42 ms"),
        (0.00099996, "1.00 ms"),
        (0.9996, "1.00 s"),
        (12.1e-9, "12.1 ns"),
        (-2.5e-7, "-250 ns"),
        (1.0, "1.00 s"),
        (12346.0, "12300 s"),
        (1.23456e6, "1.23e6 s"),
        (5e-324, "4.94e-324 s"),
        (f64::MAX, "180e306 s"),
        (3.3e-16, "330 as"),
        (f64::NAN, "NaN s"),
        (f64::INFINITY, "inf s"),
    ] {
        assert_eq!(Unicode.quantity(value, &Unit::Seconds), text, "{value:e}");
    }
    assert_eq!(Ascii.quantity(2.5e-6, &Unit::Seconds), "2.50 us");
}

#[test]
fn other_units() {
    for (value, unit, text) in [
        (512.0, "bytes", "512 B"),
        (32768.0, "B", "32 KiB"),
        (1_500_000.0, "B", "1.43 MiB"),
        (1023.99 * 1024.0, "B", "1.00 MiB"),
        (1e30, "B", "1.00e30 B"),
        (1_236_000.0, "misses", "1.24e6 misses"),
        (12.0, "misses", "12 misses"),
        (12.345, "misses", "12.3 misses"),
        (0.5, "1", "0.500"),
        (3.0, "a\nb", "3 a\\nb"),
        (0.0, "B", "0 B"),
    ] {
        assert_eq!(Unicode.quantity(value, &Unit::Other(unit.into())), text, "{value} {unit}");
    }
}

#[test]
fn digits_by_the_uncertainty() {
    for (value, half, text) in [
        (0.00342, 0.00008, "3.42 ± 0.08 ms"),
        (0.00342, 0.000123, "3.42 ± 0.12 ms"),
        (0.0121e-6, 0.0, "12.1000 ns ± 0 s"),
        (1.0, 1e-12, "1.00000 s ± 1 ps"),
        (0.3e-3, 1.2e-3, "0.3 ± 1.2 ms"),
        (0.0, 1.2e-3, "0.0 ± 1.2 ms"),
        (999.9e-6, 30e-6, "1.000 ± 0.030 ms"),
        (342.0, 400.0, "300 ± 400 s"),
        (-3.4e-9, 0.5e-9, "-3.4 ± 0.5 ns"),
        (2.5e7, 1e6, "(25.0 ± 1.0)e6 s"),
        (2.0, f64::NAN, "2.00 s"),
        (f64::NAN, 1.0, "NaN s"),
        (1e-320, 1e-321, "(10.0 ± 1.0)e-321 s"),
    ] {
        assert_eq!(Unicode.plus_minus(value, half, &Unit::Seconds), text, "{value:e} {half:e}");
    }
    assert_eq!(Unicode.plus_minus(1.2345e6, 8e3, &misses()), "(1.234 ± 0.008)e6 misses");
    assert_eq!(Ascii.plus_minus(2e-6, 1e-7, &Unit::Seconds), "2.00 +- 0.10 us");
}

#[test]
fn ranges() {
    for (low, high, text) in [
        (3.34e-3, 3.50e-3, "3.34 to 3.50 ms"),
        (0.1e-3, 50e-3, "0.100 to 50.0 ms"),
        (0.0, 2e-3, "0.00 to 2.00 ms"),
        (0.0, 0.0, "0 to 0 s"),
        (-1e-3, 1e-3, "-1.00 to 1.00 ms"),
        (1e-9, 1.0, "1.00 ns to 1.00 s"),
        (2.0, 2.0, "2.00 to 2.00 s"),
        (f64::NEG_INFINITY, 1.0, "-inf s to 1.00 s"),
    ] {
        assert_eq!(Unicode.range(low, high, &Unit::Seconds), text);
    }
    assert_eq!(Unicode.range(1.23e6, 1.41e6, &misses()), "(1.23 to 1.41)e6 misses");
}

#[test]
fn a_value_within_its_range() {
    for (value, low, high, text) in [
        (20.8123e-3, 20.4e-3, 21.2e-3, "20.8 ms"),
        (20.8123e-3, 5e-3, 80e-3, "20.8 ms"),
        (20.8123e-3, 20.812e-3, 20.813e-3, "20.8123 ms"),
        (2.0, f64::NAN, 1.0, "2.000 s"),
    ] {
        assert_eq!(Unicode.within(value, low, high, &Unit::Seconds), text);
    }
}

#[test]
fn shares_ratios_counts() {
    for (share, text) in [
        (0.0, "0 %"),
        (0.034, "3.4 %"),
        (0.34, "34 %"),
        (0.0996, "10 %"),
        (0.0002, "0.02 %"),
        (1e-8, "< 0.001 %"),
        (1e-12, "0 %"),
        (-0.05, "-5.0 %"),
        (12.3, "1230 %"),
        (1e9, "100000000000 %"),
        (f64::NAN, "NaN %"),
    ] {
        assert_eq!(Unicode.percent(share), text, "{share}");
    }
    for (ratio, text) in
        [(1.234, "1.23×"), (2.0, "2×"), (12.34, "12.3×"), (150.4, "150×"), (9.999, "10×")]
    {
        assert_eq!(Unicode.ratio(ratio), text);
    }
    assert_eq!(Ascii.ratio(1.5), "1.5x");
    assert_eq!(Unicode.count(1, "point", "points"), "1 point");
    assert_eq!(Unicode.count(0, "point", "points"), "0 points");
}

#[test]
fn numbers_and_bytes() {
    for (value, text) in [
        (3000.0, "3000"),
        (1048576.0, "1048576"),
        (0.125, "0.125"),
        (2.345678, "2.346"),
        (1.5e-7, "1.5e-7"),
        (1e20, "1e20"),
        (-0.0, "0"),
        (999999.9, "1e6"),
        (f64::NEG_INFINITY, "-inf"),
    ] {
        assert_eq!(Unicode.number(value), text);
    }
    for (bytes, text) in [
        (0, "0 B"),
        (1023, "1023 B"),
        (32768, "32 KiB"),
        (1 << 20, "1 MiB"),
        (1_500_000, "1.43 MiB"),
    ] {
        assert_eq!(Unicode.bytes(bytes), text);
    }
    assert!(Unicode.bytes(u64::MAX).ends_with("EiB"));
}

#[test]
fn foreign_text_in_ascii() {
    assert_eq!(Ascii.text("µs"), "us");
    assert_eq!(Ascii.text("größe"), "gr\\u{f6}\\u{df}e");
    assert_eq!(Unicode.text("a\x1bb"), "a\\u{1b}b");
}

#[test]
fn values_are_shown_as_they_were_given() {
    for (value, text) in [
        (1000.5, "1000.5"),
        (3000.0, "3000"),
        (0.125, "0.125"),
        (1.0 / 3.0, "0.3333"),
        (-5.0, "-5"),
    ] {
        assert_eq!(Notation::Unicode.given(value), text);
    }
    assert_eq!(Notation::Unicode.given(1e9), Notation::Unicode.number(1e9));
    assert_eq!(Notation::Unicode.given(f64::NAN), "NaN");
}
