//! A model on another machine keeps its own uncertainty and the range of its data.

use cll_fit::{Data, Domain, Fit, Options, fit};
use cll_machine::Machine;
use cll_result::{By, Machine as OwnMachine, ModelFile, carried, of_another_machine};

/// A machine of which the operations per second are known.
fn rated(name: &str, rate: &str, host: &str) -> Machine {
    let text = format!(
        "cll-machine = 1\nname = \"{name}\"\n[origin]\nhow = \"made up\"\nby = \"a test\"\n{host}\n[[classic]]\nprocessors = 1\ns = \"{rate} Mflop/s\"\n\
         g = \"1 flop/word\"\nl = \"9 flop\"\n"
    );
    let read = cll_machine::read(text.as_bytes());
    read.machine.expect("a machine")
}

/// 10 + N, by so much up and down from size to size.
fn noisy(noise: f64) -> Fit {
    let rows = (1..=24).map(|k| {
        let n = 250.0 * f64::from(k);
        let off = [1.0, -1.0, 0.5, -0.6, 0.2, 0.8, -0.9][k as usize % 7];
        (vec![n], 1e-6 * (10.0 + n) * (1.0 + noise * off))
    });
    let formula = cll_formula::parse("f", "f[0] + f[1]*N").formula.expect("a formula");
    let options = Options { follow: false, ..Options::default() };
    fit(&formula, &Data::from_rows(vec!["N".to_owned()], rows), &options).expect("a fit")
}

#[test]
fn the_interval_of_the_model_is_carried_with_its_value() {
    let (here, there) = (rated("here", "1000", ""), rated("there", "2000", ""));
    let mut widths = Vec::new();
    for noise in [0.02, 0.4] {
        let fit = noisy(noise);
        let own = fit.predict(&[1000.0]).expect("a prediction");
        let band = own.band.expect("a band");
        let points = [vec![1000.0]];
        let time = carried("f", &fit, None, (&here, &there), &points).expect("a time there");
        assert_eq!(time.by, By::Rate);
        let point = &time.points[0];
        for (carried, plain) in
            [(point.there_s, own.value), (point.low_s, band.low), (point.high_s, band.high)]
        {
            assert!((carried / plain - 0.5).abs() < 1e-9, "{point:?}");
        }
        assert!(time.error_here > 0.3 * noise && time.error_here < noise);
        let estimate = &time.fit.expect("constants there").constants[1].segments[0].estimate;
        widths.push((estimate.high.unwrap() - estimate.low.unwrap()) / estimate.value.unwrap());
    }
    assert!(widths[1] > 10.0 * widths[0] && widths[1] > 0.4, "{widths:?}");
}

#[test]
fn what_was_computed_beyond_the_data_is_no_data() {
    let (here, there) = (rated("here", "1000", ""), rated("there", "2000", ""));
    let fit = noisy(0.02);
    let points = [vec![3000.0], vec![1e8]];
    let time = carried("f", &fit, None, (&here, &there), &points).expect("a time there");
    assert!(matches!(time.points[0].domain, Domain::Inside { .. }));
    assert!(matches!(time.points[1].domain, Domain::Beyond { .. }));
    assert!(time.notes.iter().any(|note| note.contains("beyond the data")), "{:?}", time.notes);
    let carried = time.fit.expect("constants there");
    assert_eq!(carried.domain, fit.domain);
    let beyond = carried.predict(&[1e8]).expect("a prediction");
    assert!(matches!(beyond.domain, Domain::Beyond { nearest: 6000.0, .. }), "{:?}", beyond.domain);
    assert!(carried.residuals.iter().all(|point| point.values[0] <= 6000.0));
}

#[test]
fn the_machine_of_the_model_is_known_by_its_host() {
    let mut model = ModelFile::new("2026-01-31T12:00:00Z".to_owned());
    let own = OwnMachine { host: "node7".into(), cpu: "EPYC 7763".into(), ..OwnMachine::default() };
    let host = |text: &str| rated("other", "1000", &format!("[host]\n{text}"));
    assert_eq!(of_another_machine(&model, &host("cpu = \"R8000\"")), None, "not known");
    model.machine = Some(own);
    let wrong = of_another_machine(&model, &host("cpu = \"R8000, 75 MHz\"")).expect("another");
    assert!(wrong.contains("node7") && wrong.contains("R8000"), "{wrong}");
    let wrong = host("name = \"node8\"\ncpu = \"EPYC 7763\"");
    assert!(of_another_machine(&model, &wrong).expect("another").contains("node8"));
    let right = host("name = \"node7\"\ncpu = \"EPYC 7763\"");
    assert_eq!(of_another_machine(&model, &right), None);
    assert_eq!(of_another_machine(&model, &rated("silent", "1000", "")), None);
}
