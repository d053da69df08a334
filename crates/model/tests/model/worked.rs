//! Cases worked by hand.

use std::sync::Arc;

use cll_machine::{Combine, Uncertain};
use cll_model::{
    Ending, Evaluator, Object, Partners, Phase, Pricing, Program, Quantities, QuantityKind, Rate,
    Rule, Sets, Superstep, Traffic, TrafficPattern, Work, breakdown, critical_path,
};

/// Figure 1 of the 2003 paper, w = 2 s: in superstep 1 processor 0 sends to 1 and does not wait, in superstep 2
/// both send to each other; each exchange costs w.
fn figure_1() -> (Program, Quantities, Rate) {
    let mut quantities = Quantities::default();
    let scale = quantities.add("W", QuantityKind::Computation, Uncertain::exact(1.0));
    let g = quantities.add("g", QuantityKind::G, Uncertain::exact(0.015));
    let l = quantities.add("L", QuantityKind::L, Uncertain::exact(0.5));
    let superstep = |work: [f64; 2], partners: Partners, bytes: [(f64, f64); 2]| Superstep {
        phases: vec![Phase::Work(Work::Each { parameter: scale, factors: Arc::new(work) })],
        traffic: Traffic::Each(Arc::new(bytes)),
        pattern: TrafficPattern::Shift,
        ..Superstep::new(Ending::Oblivious(partners))
    };
    let one_way = Partners::Sets(Arc::new(Sets::new([vec![], vec![0]])));
    let supersteps = vec![
        superstep([2.0, 4.0], one_way, [(0.0, 100.0), (100.0, 0.0)]),
        superstep([4.0, 2.0], Partners::Exchange(1), [(100.0, 100.0); 2]),
    ];
    let object = Object { name: "all".into(), processors: 2, supersteps };
    (Program::new(vec![object], Vec::new()).unwrap(), quantities, Rate::flat(g, l))
}

#[test]
fn figure_1_is_5w_and_for_bsp_6w() {
    let (program, quantities, rate) = figure_1();
    let values = quantities.values();
    let times = |rule| {
        let pricing = Pricing::flat(&program, rule, Combine::Max, &rate);
        Evaluator::default().times(&program, &pricing, &values).to_vec()
    };
    assert_eq!(times(Rule::ObspStar), [10.0, 10.0]);
    assert_eq!(times(Rule::Obsp), [10.0, 10.0]);
    assert_eq!(times(Rule::Bsp), [12.0, 12.0]);
    // Φ[1] = (2w, 3w).
    let mut first = program.objects()[0].clone();
    first.supersteps.truncate(1);
    let program = Program::new(vec![first], Vec::new()).unwrap();
    let pricing = Pricing::flat(&program, Rule::ObspStar, Combine::Max, &rate);
    assert_eq!(Evaluator::default().times(&program, &pricing, &values), [4.0, 6.0]);
}

#[test]
fn where_the_time_of_figure_1_goes() {
    let (program, quantities, rate) = figure_1();
    let values = quantities.values();
    let pricing = Pricing::flat(&program, Rule::ObspStar, Combine::Max, &rate);
    let account = breakdown(&program, &pricing, &values);
    assert_eq!(account.total.get(), 10.0);
    for parts in &account.processors {
        assert_eq!(parts.total().get(), 10.0);
        assert_eq!((parts.computation.get(), parts.waiting.get()), (6.0, 0.0));
        assert_eq!((parts.communication.get(), parts.synchronisation.get()), (3.0, 1.0));
    }
    let path = critical_path(&program, &pricing, &values);
    let total: f64 = path.steps.iter().map(|step| step.parts.total().get()).sum();
    assert_eq!(total, 10.0);
    let sum: f64 = path.gradient.iter().zip(&values).map(|(slope, value)| slope * value).sum();
    assert_eq!(sum, 10.0);
    // For plain BSP the path goes over the processor that computes longest.
    let pricing = Pricing::flat(&program, Rule::Bsp, Combine::Max, &rate);
    let path = critical_path(&program, &pricing, &values);
    let deciders: Vec<u32> = path.steps.iter().map(|step| step.processor.get()).collect();
    assert_eq!(deciders, [1, 0]);
    assert_eq!(breakdown(&program, &pricing, &values).processors[0].waiting.get(), 2.0);
}

#[test]
fn those_who_join_later_are_waited_for() {
    let (program, quantities, rate) = figure_1();
    let program = Program::new(program.objects().to_vec(), vec![0.0, 3.0]).unwrap();
    let values = quantities.values();
    let pricing = Pricing::flat(&program, Rule::ObspStar, Combine::Max, &rate);
    // Φ[1] = (4, 3 + 4 + 2), Φ[2] = max(4 + 4, 9 + 2) + 2.
    assert_eq!(Evaluator::default().times(&program, &pricing, &values), [13.0, 13.0]);
    let account = breakdown(&program, &pricing, &values);
    assert!(account.processors.iter().all(|parts| parts.total().get() == 13.0));
    let path = critical_path(&program, &pricing, &values);
    assert_eq!((path.first.0.get(), path.first.1.get()), (1, 3.0));
    let total: f64 = path.steps.iter().map(|step| step.parts.total().get()).sum();
    assert_eq!(total + path.first.1.get(), 13.0);
}
