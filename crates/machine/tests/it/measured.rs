//! Samples of a machine that is known: what is fitted must be it.

use cll_machine::{
    Combine, EmptySample, Evaluated, Measured, Pattern, Sample, Setting, Synchronisation, read,
    write,
};
use cll_units::Seconds;

const P: u32 = 4;

fn setting() -> Setting {
    Setting { engine: "processes".into(), processors: P, oversubscribed: false }
}

/// Deterministic noise of about one per cent.
fn noise(state: &mut u64) -> f64 {
    let mut sum = 0.0;
    for _ in 0..12 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sum += (*state >> 11) as f64 / (1u64 << 53) as f64;
    }
    1.0 + 0.01 * (sum - 6.0)
}

/// A machine with a network interface that is `combine`, and another protocol above 32 KiB.
fn measured(combine: Combine) -> Measured {
    let mut measured = Measured::default();
    let mut state = 7;
    for round in 0..5 {
        for pattern in Pattern::ALL {
            for step in 0..84 {
                let h_max = (8.0 * 2f64.powf(f64::from(step) / 4.0)).round();
                let h_sum = h_max * pattern.sum_by_max();
                let h = if combine == Combine::Max { h_max } else { h_sum };
                let time = if h_max <= 32768.0 { 2e-6 + 0.5e-9 * h } else { 9e-6 + 0.4e-9 * h };
                measured.samples.push(Sample {
                    setting: setting(),
                    synchronisation: Synchronisation::Barrier,
                    pattern,
                    h_max,
                    h_sum,
                    round,
                    time: Seconds(time * noise(&mut state)),
                    calls: Seconds((30e-9 + 0.1e-9 * h_max) * noise(&mut state)),
                    fetch: Seconds(0.2e-9 * h_max * noise(&mut state)),
                });
            }
        }
        measured.empty.push(EmptySample {
            batches: Vec::new(),
            setting: setting(),
            synchronisation: Synchronisation::Barrier,
            round,
            time: Seconds(1.5e-6 * noise(&mut state)),
        });
        measured.rates.push(2e9 * noise(&mut state));
    }
    measured
}

/// The same with every `nth` pattern, by the seed.
fn measured_in_part(combine: Combine, nth: usize) -> Measured {
    let drawn = test_draw::thinned(Pattern::ALL, nth);
    let mut measured = measured(combine);
    measured.samples.retain(|sample| drawn.contains(&sample.pattern));
    measured
}

#[test]
fn pieces_boundaries_constants_and_the_network_interface_come_back() {
    let evaluated = measured(Combine::Max).evaluate();
    interface_is_found(&evaluated, Combine::Max);
    assert_eq!(evaluated.communication.len(), 12);
    let line = &evaluated.communication[0];
    assert_eq!((line.pattern, line.combine), (Pattern::Shift, Combine::Max));
    let [small, large] = &line.segments[..] else { panic!("{:#?}", line.segments) };
    assert_eq!((small.from, small.to), (8.0, 32768.0));
    let near =
        |evaluated: f64, true_value: f64, share: f64| (evaluated / true_value - 1.0).abs() < share;
    assert!(near(small.l.value, 2e-6, 0.01) && near(small.g.value, 0.5e-9, 0.02), "{small:?}");
    assert!(near(large.l.value, 9e-6, 0.05) && near(large.g.value, 0.4e-9, 0.01), "{large:?}");
    assert!(large.g.low <= 0.4e-9 && 0.4e-9 <= large.g.high, "{large:?}");
    assert!(near(line.calls.unwrap().value, 0.1e-9, 0.02));
    // @ = + of the same: half the g, twice the sizes.
    let sum = &evaluated.communication[1];
    assert_eq!((sum.pattern, sum.combine), (Pattern::Shift, Combine::Sum));
    assert!(near(sum.segments[1].g.value, 0.2e-9, 0.01));
    assert!(near(evaluated.empty[0].l.value, 1.5e-6, 0.02));
    let classic = &evaluated.classic[0];
    assert!(near(classic.g.value, 0.5e-9, 0.02) && near(classic.l.value, 1.5e-6, 0.02));
    assert!(near(classic.calls.unwrap().value, 0.1e-9, 0.02));
    assert!(near(classic.rate.unwrap().value, 2e9, 0.02));
}

#[test]
fn the_way_to_the_reader_is_of_oblivious_supersteps() {
    let mut measured = measured_in_part(Combine::Max, 6);
    assert!(measured.evaluate().communication.iter().all(|line| line.fetch.is_none()));
    for sample in &mut measured.samples {
        sample.synchronisation = Synchronisation::Oblivious;
    }
    for line in measured.evaluate().communication {
        let fetch = line.fetch.unwrap().value;
        assert!((fetch / 0.2e-9 - 1.0).abs() < 0.02, "{fetch}");
    }
    // Where the library has copied what came, the second reading is as slow as the first.
    measured.samples.iter_mut().for_each(|sample| sample.fetch = Seconds(-1e-9));
    assert!(measured.evaluate().communication.iter().all(|line| line.fetch.is_none()));
}

fn interface_is_found(evaluated: &Evaluated, combine: Combine) {
    let explained = evaluated.explained.unwrap();
    assert_eq!(explained.best, combine, "{explained:?}");
    let (best, other) = match combine {
        Combine::Max => (explained.max, explained.sum),
        Combine::Sum => (explained.sum, explained.max),
    };
    assert!(best < 0.05 && other > 0.1, "{explained:?}");
}

#[test]
fn disturbed_rounds_widen_every_interval() {
    let quiet = measured_in_part(Combine::Max, 6).evaluate();
    let wider = Measured { disagreement: 0.1, ..measured_in_part(Combine::Max, 6) }.evaluate();
    for (a, b) in quiet.communication.iter().zip(&wider.communication) {
        let (a, b) = (a.segments[0].g, b.segments[0].g);
        assert!(b.low < a.low && b.high > a.high && b.value == a.value);
    }
}

#[test]
fn few_sizes_are_said_and_not_fitted() {
    let mut measured = measured(Combine::Max);
    measured.samples.retain(|sample| sample.pattern == Pattern::Shift && sample.h_max < 12.0);
    let evaluated = measured.evaluate();
    assert_eq!(
        (evaluated.communication.len(), evaluated.classic.len(), evaluated.empty.len()),
        (0, 0, 1)
    );
    assert_eq!(evaluated.missing.len(), 1);
    assert!(evaluated.missing[0].contains("too few sizes"));
    // A pattern that was to be measured and has no sample is missing as well.
    measured.every_pattern = true;
    let missing = measured.evaluate().missing;
    assert_eq!(missing.len(), 6, "{missing:?}");
    // One processor sends to nobody.
    measured.empty.iter_mut().for_each(|sample| sample.setting.processors = 1);
    measured.samples.clear();
    assert_eq!(measured.evaluate().missing, [""; 0]);
    assert_eq!(evaluated.explained, None);
    assert!(Measured::default().evaluate().empty.is_empty());
}

#[test]
fn sums_are_found_written_and_read_again() {
    let evaluated = measured_in_part(Combine::Sum, 2).evaluate();
    interface_is_found(&evaluated, Combine::Sum);
    let machine = cll_machine::Machine {
        name: "m".into(),
        origin: cll_machine::Origin { by: "test".into(), ..Default::default() },
        classic: evaluated.classic,
        empty: evaluated.empty,
        communication: evaluated.communication,
        ..Default::default()
    };
    let text = write(&machine);
    let again = read(text.as_bytes());
    assert_eq!(again.diagnostics, [], "{text}");
    assert_eq!(again.machine.unwrap(), machine, "{text}");
}
