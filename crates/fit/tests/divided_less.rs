//! Small smooth departures from a formula of two variables are no reason for intervals.

mod synthetic;

use cll_fit::{Data, Intervals, Options, fit};
use fastrand::Rng;
use synthetic::normal;

const SEED: u64 = 20_030_401;

#[test]
fn study() {
    let texts = ["f[0] + f[1]*N/P + f[2]*log2(P)", "f[0] + f[1]*N*log2(N)/P + f[2]*P", "f[0] + f[1]*N + f[2]*P*log2(P)"];
    for kind in ["power", "effects of P", "effects of N", "wave"] { println!("{kind}");
    for (ns, ps) in [(4, 6), (5, 5), (8, 6)] {
        for noise in [0.005, 0.02] {
            let mut rng = Rng::with_seed(SEED);
            let mut rows: Vec<(f64, f64, f64, f64)> = Vec::new();
            let mut cases = 0;
            for case in 0..300 {
                let formula = cll_formula::parse("f", texts[case % 3]).formula.unwrap();
                let order = |n: f64, p: f64| -> Vec<f64> {
                    formula.variables().iter().map(|v| if v.name == "P" { p } else { n }).collect()
                };
                let mut terms = [0.0; 3];
                formula.terms_at(&order(4096.0, 8.0), &mut terms);
                let c: Vec<f64> = terms.iter().map(|t| (0.1 + 0.9 * rng.f64()) / t).collect();
                let (a, b) = (0.06 * (rng.f64() - 0.5), 0.06 * (rng.f64() - 0.5));
                let effects: Vec<f64> = (0..64).map(|_| 1.0 + 0.02 * normal(&mut rng)).collect();
                let departs = |n: f64, p: f64| match kind {
                    "effects of P" => effects[p.log2() as usize],
                    "power" => (n / 4096.0).powf(a) * (p / 8.0).powf(b),
                    "effects of N" => effects[n.log2() as usize],
                    _ => 1.0 + a * (n.log2() * 30.0 * b + 100.0 * a).sin() + a * (p.log2() * (1.0 + 10.0 * b)).sin(),
                };
                let smooth = |n: f64, p: f64| formula.evaluate(&order(n, p), &c);
                let truth = |n: f64, p: f64| smooth(n, p) * departs(n, p);
                let mut data = Vec::new();
                for i in 0..ns {
                    for j in 0..ps {
                        let (n, p) = (1024.0 * 2f64.powi(i), 2f64.powi(j + 1));
                        for _ in 0..5 {
                            data.push((order(n, p), truth(n, p) * (1.0 + noise * normal(&mut rng))));
                        }
                    }
                }
                let names = formula.variables().iter().map(|v| v.name.clone()).collect();
                let data = Data::from_rows(names, data);
                let divided = fit(&formula, &data, &Options { follow: false, ..Options::default() }).unwrap();
                let one = fit(&formula, &data, &Options { follow: false, intervals: Intervals::None, ..Options::default() }).unwrap();
                cases += 1;
                let Some(whole) = &divided.quality.one_interval else { continue };
                let at = order(1024.0 * 2f64.powi(ns + 1), 2f64.powi(ps + 2));
                let right = if kind == "power" { truth(1024.0 * 2f64.powi(ns + 1), 2f64.powi(ps + 2)) } else { smooth(1024.0 * 2f64.powi(ns + 1), 2f64.powi(ps + 2)) };
                let far = |f: &cll_fit::Fit| (f.predict(&at).unwrap().value / right - 1.0).abs();
                rows.push((divided.quality.left_out.unwrap_or(f64::INFINITY) / whole.left_out.unwrap_or(f64::INFINITY), far(&divided), far(&one), 0.0));
            }
            println!("{ns}x{ps} noise {noise}: {} of {cases} divided", rows.len());
            for (lo, hi) in [(0.0, 0.5), (0.5, 0.65), (0.65, 0.8), (0.8, 0.9), (0.9, 1.0), (1.0, 1e9), (1e9, f64::NAN)] {
                let mut part: Vec<_> = rows.iter().filter(|r| r.0 >= lo && (hi.is_nan() || r.0 < hi)).collect();
                if part.len() < 8 { continue; }
                part.sort_by(|a, b| a.1.total_cmp(&b.1));
                let d = part[part.len() / 2].1;
                part.sort_by(|a, b| a.2.total_cmp(&b.2));
                let o = part[part.len() / 2].2;
                let wins = part.iter().filter(|r| r.2 < r.1).count();
                println!("   ratio {lo}-{hi}: {} cases, far median divided {:.3} one {:.3}, one better in {:.2}", part.len(), d, o, wins as f64 / part.len() as f64);
            }
        }
    }
    }
}
