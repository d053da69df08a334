//! Properties that hold for every program.

use cll_machine::Combine;
use cll_model::{Evaluator, Pricing, Program, Rule, breakdown, critical_path};
use proptest::prelude::*;

use crate::any::{Step, nested, program, quantities, steps};

fn times(program: &Program, rule: Rule, combine: Combine, scale: f64, g: f64, l: f64) -> Vec<f64> {
    let (all, rate) = quantities(scale, g, l);
    let pricing = Pricing::flat(program, rule, combine, &rate);
    Evaluator::default().times(program, &pricing, &all.values()).to_vec()
}

fn time(program: &Program, rule: Rule, combine: Combine, scale: f64, g: f64, l: f64) -> f64 {
    times(program, rule, combine, scale, g, l).into_iter().fold(0.0, f64::max)
}

/// The recurrence as it stands in the paper: for each processor the maximum over its own Ω.
fn by_definition(steps: &[Step], joins: &[f64], combine: Combine, g: f64, l: f64) -> Vec<f64> {
    let mut phi = joins.to_vec();
    for (doings, ending) in steps {
        let combined = |j: usize| match combine {
            Combine::Max => doings[j].1.max(doings[j].2),
            Combine::Sum => doings[j].1 + doings[j].2,
        };
        let omega = |i: usize| -> Vec<usize> {
            match ending {
                0 => (0..doings.len()).collect(),
                4 => vec![i],
                _ => doings[i].3.iter().map(|&j| j as usize).chain([i]).collect(),
            }
        };
        let next = |i: usize| {
            let ready = omega(i).into_iter().map(|j| phi[j] + doings[j].0).fold(0.0, f64::max);
            let h = omega(i).into_iter().map(combined).fold(0.0, f64::max);
            if *ending == 4 { ready } else { ready + g * h + l }
        };
        phi = (0..doings.len()).map(next).collect();
    }
    phi
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

/// The processors in another order, their partners with them.
fn permuted(steps: &[Step], order: &[usize]) -> Vec<Step> {
    let mut place = vec![0u32; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new as u32);
    let doing = |old: &crate::any::Doing| {
        (old.0, old.1, old.2, old.3.iter().map(|&j| place[j as usize]).collect())
    };
    let step =
        |(doings, ending): &Step| (order.iter().map(|&old| doing(&doings[old])).collect(), *ending);
    steps.iter().map(step).collect()
}

const G: f64 = 1e-5;
const L: f64 = 0.01;

proptest! {
    #[test]
    fn the_evaluator_is_the_recurrence(
        steps in steps(7),
        joins in prop::collection::vec(0.0..2.0, 7),
    ) {
        let program = program(&steps, &joins);
        for at in Combine::ALL {
            let found = times(&program, Rule::ObspStar, at, 1.0, G, L);
            let expected = by_definition(&steps, &joins, at, G, L);
            prop_assert!(found.iter().zip(&expected).all(|(a, b)| near(*a, *b)), "{found:?} {expected:?}");
        }
    }

    #[test]
    fn bsp_is_never_less_than_obsp(steps in steps(6)) {
        let program = program(&steps, &[]);
        let bsp = time(&program, Rule::Bsp, Combine::Max, 1.0, G, L);
        let obsp = time(&program, Rule::Obsp, Combine::Max, 1.0, G, L);
        prop_assert!(bsp >= obsp * (1.0 - 1e-12), "{bsp} {obsp}");
        let barriers: Vec<Step> = steps.into_iter().map(|(doings, _)| (doings, 0)).collect();
        let program = crate::any::program(&barriers, &[]);
        let bsp = time(&program, Rule::Bsp, Combine::Max, 1.0, G, L);
        let obsp = time(&program, Rule::Obsp, Combine::Max, 1.0, G, L);
        prop_assert_eq!(bsp, obsp);
        // Σ (max W + g max h + l).
        let sum: f64 = barriers.iter().map(|(doings, _)| {
            let w = doings.iter().map(|doing| doing.0).fold(0.0, f64::max);
            let h = doings.iter().map(|doing| doing.1.max(doing.2)).fold(0.0, f64::max);
            w + G * h + L
        }).sum();
        prop_assert!(near(bsp, sum), "{bsp} {sum}");
    }

    #[test]
    fn more_of_anything_is_never_less_time(steps in steps(6), more in 1.0..3.0) {
        let program = program(&steps, &[]);
        for rule in Rule::ALL {
            let of = |scale, g, l| time(&program, rule, Combine::Max, scale, g, l);
            let before = of(1.0, G, L);
            for after in [of(more, G, L), of(1.0, more * G, L), of(1.0, G, more * L)] {
                prop_assert!(after >= before);
            }
            // All of it together is the time's only scale.
            prop_assert!(near(of(more, more * G, more * L), more * before));
            let sum = time(&program, Rule::ObspStar, Combine::Sum, 1.0, G, L);
            prop_assert!(sum >= time(&program, Rule::ObspStar, Combine::Max, 1.0, G, L));
        }
    }

    #[test]
    fn numbers_of_processors_mean_nothing(
        steps in steps(7),
        order in Just((0..7).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        let one = times(&program(&steps, &[]), Rule::ObspStar, Combine::Max, 1.0, G, L);
        let other = program(&permuted(&steps, &order), &[]);
        let other = times(&other, Rule::ObspStar, Combine::Max, 1.0, G, L);
        for (new, &old) in order.iter().enumerate() {
            prop_assert_eq!(one[old], other[new]);
        }
    }

    /// Parts do the same as they would do by themselves from the moment at which they begin, and are computation for
    /// the whole.
    #[test]
    fn a_part_is_computation_of_the_whole(left in steps(3), right in steps(4), whole in steps(7)) {
        let of = nested(&left, &right, &whole);
        let found = times(&of, Rule::ObspStar, Combine::Max, 1.0, G, L);
        let begin: Vec<f64> = whole[0].0.iter().map(|doing| 0.5 * doing.1 / 1e4).collect();
        let mut inner = by_definition(&left, &begin[..3], Combine::Max, G, L);
        inner.extend(by_definition(&right, &begin[3..], Combine::Max, G, L));
        let expected = by_definition(&whole, &inner, Combine::Max, G, L);
        prop_assert!(found.iter().zip(&expected).all(|(a, b)| near(*a, *b)));
    }

    #[test]
    fn parts_sum_to_the_total(left in steps(3), right in steps(4), whole in steps(7)) {
        let program = nested(&left, &right, &whole);
        let (all, rate) = quantities(1.0, G, L);
        for rule in Rule::ALL {
            let pricing = Pricing::flat(&program, rule, Combine::Max, &rate);
            let account = breakdown(&program, &pricing, &all.values());
            for parts in &account.processors {
                prop_assert!(near(parts.total().get(), account.total.get()), "{parts:?}");
            }
            let supersteps = account.supersteps.iter().flatten();
            let sum: f64 = supersteps.map(|superstep| superstep.mean.total().get()).sum();
            prop_assert!(near(sum + account.outside.get(), account.total.get()));
            let path = critical_path(&program, &pricing, &all.values());
            let sum: f64 = path.steps.iter().map(|step| step.parts.total().get()).sum();
            prop_assert!(near(sum, account.total.get()), "{path:?}");
            let slope: f64 = path.gradient.iter().zip(all.values()).map(|(s, v)| s * v).sum();
            prop_assert!(near(slope, account.total.get()));
        }
    }
}
