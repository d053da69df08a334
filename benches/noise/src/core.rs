use std::thread;
use std::time::{Duration, Instant};

use cll_fit::Unit;
use cll_report::{PlotSpec, Scale, Whiskers};

use crate::speed_test::SpeedTest;
use crate::{axis, bare, point, points, series};

const WATCHED: Duration = Duration::from_secs(20);
/// Looks that are put together to one point.
const TOGETHER: usize = 5;

/// Both canaries over time, each in units of its fastest.
pub fn picture() -> PlotSpec {
    let begin = Instant::now();
    let mut looks = Vec::new();
    while begin.elapsed() < WATCHED {
        looks.push((begin.elapsed().as_secs_f64(), SpeedTest::run()));
        thread::sleep(Duration::from_millis(20));
    }
    let over_time = |label: &str, of: fn(&SpeedTest) -> f64| {
        let fastest = looks.iter().map(|(_, look)| of(look)).fold(f64::INFINITY, f64::min);
        let together = looks.chunks(TOGETHER).map(|chunk| {
            let mut values: Vec<f64> = chunk.iter().map(|(_, look)| of(look) / fastest).collect();
            values.sort_by(f64::total_cmp);
            let value_at =
                |share: f64| values[(share * (values.len() - 1) as f64).round() as usize];
            let spread = Whiskers {
                count: values.len(),
                minimum: value_at(0.0),
                lower_quartile: value_at(0.25),
                upper_quartile: value_at(0.75),
                maximum: value_at(1.0),
            };
            point(chunk[0].0, value_at(0.5), spread)
        });
        series(label, together.collect())
    };
    points(
        "The same two loops, over and over, on an idle machine",
        "Time of two fixed loops over twenty seconds, in units of their fastest: the chain of \
         dependent instructions, and the loop that fills the width of the core.",
        axis("time", Unit::Seconds, Scale::Linear),
        axis("time of the loop / its fastest", bare(), Scale::Linear),
        vec![
            over_time("width: instructions beside each other", |look| look.width),
            over_time("chain: instructions that wait for each other", |look| look.chain),
        ],
    )
}
