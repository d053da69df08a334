//! The tables of Laine, Midorikawa, Sato, Ching: *Análise e predição de desempenho de programas MPI* (BT/PCS/0302, 2003),
//! by commands, from the measurements in them.

use serde_json::Value;

use crate::support::Place;

fn table(name: &str) -> String {
    format!("{}/../fit/tests/fixtures/published/{name}.csv", env!("CARGO_MANIFEST_DIR"))
}

/// Columns of a published table, without remarks.
fn columns(name: &str) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(table(name)).expect("the fixture");
    let rows = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    rows.map(|row| row.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect()
}

/// The model of a column by ordinary least squares, as in the paper.
fn fitted(name: &str, formula: &str, column: &str, unit: &str, more: &[&str]) -> Value {
    let file = table(name);
    let line = ["fit", &file, "--formula", formula, "--column", column, "--unit", unit];
    let line = [&line[..], &["--weights", "absolute", "--json"], more].concat();
    Place::new().cll(&line).expect(0).json()
}

fn solutions(model: &Value) -> Vec<Vec<f64>> {
    let intervals = model["experiments"][0]["fit"]["intervals"].as_array().expect("a list");
    let solution = |entry: &Value| entry["solution"].as_array().expect("a list").clone();
    let numbers =
        |all: Vec<Value>| all.iter().map(|value| value.as_f64().expect("a number")).collect();
    intervals.iter().map(|interval| numbers(solution(interval))).collect()
}

fn near(value: f64, printed: f64, digit: f64) {
    assert!((value - printed).abs() <= digit, "{value} is not {printed}");
}

#[test]
fn sends_and_receipts_have_two_ranges_that_nobody_named() {
    // Per byte and in all, µs, below and above the break.
    for (column, printed) in [
        ("send_us", [(0.0879182, -82.0523), (0.0849931, 2065.49)]),
        ("receive_us", [(0.0852255, 9.706), (0.0849968, 2146.19)]),
    ] {
        let formula = "s[0] + s[1]*bytes";
        let model = fitted("mpi_send_receive", formula, column, "us", &["--no-join"]);
        let boundaries = &model["experiments"][0]["fit"]["boundaries"];
        assert_eq!(boundaries.as_array().map(Vec::len), Some(1), "{column}");
        let boundary = &boundaries[0];
        assert_eq!(
            (&boundary["last_left"], &boundary["first_right"]),
            (&65536.0.into(), &131_072.0.into())
        );
        for (values, (per_byte, latency)) in solutions(&model).iter().zip(printed) {
            near(values[0] * 1e6, latency, 0.006);
            near(values[1] * 1e6, per_byte, 0.000_000_1);
        }
    }
}

#[test]
fn blocks_of_the_matrix_product_and_their_sum() {
    let sizes: Vec<f64> = columns("mpi_matmul_total").iter().map(|row| row[0]).collect();
    let points: Vec<String> = sizes.iter().map(|n| format!("n={n}")).collect();
    let mut more = vec!["--max-intervals", "1"];
    points.iter().for_each(|point| more.extend(["--predict", point]));
    let (quadratic, cubic) = ("i[0] + i[1]*n + i[2]*n*n", "m[0] + m[1]*n + m[2]*n*n + m[3]*n*n*n");
    let init = fitted("mpi_matmul_blocks", quadratic, "init_s", "s", &more);
    let mult = fitted("mpi_matmul_blocks", cubic, "mult_s", "s", &more);
    let constants = &solutions(&init)[0];
    near(constants[0], -4.286e-4, 1e-7);
    near(constants[1], -1.27929e-6, 1e-11);
    near(constants[2], 2.12107e-7, 1e-12);
    let values = &solutions(&mult)[0];
    near(values[0], 0.639898, 1e-6);
    near(values[1], -9.38350e-3, 1e-8);
    near(values[2], 2.62769e-5, 1e-10);
    near(values[3], 3.41111e-7, 1e-12);
    // The paper's total is the sum of both: errors as (model - measured)/measured, in percent.
    let predicted =
        |model: &Value, at: usize| model["predictions"][at]["value"].as_f64().expect("it");
    let errors = [-3.04, -8.42, -0.91, -0.59, -2.42, 0.19, -1.46];
    for (index, (row, printed)) in columns("mpi_matmul_total").iter().zip(errors).enumerate() {
        let total = predicted(&init, index) + predicted(&mult, index);
        near(100.0 * (total - row[1]) / row[1], printed, 0.01);
    }
}
