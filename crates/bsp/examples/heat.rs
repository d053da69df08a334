//! Heat in a square plate with fixed temperatures at its rim, in its final state: conjugate gradients on a
//! grid, of which every processor has some rows.
//!
//!     cargo run --release -p cll-bsp --example heat -- 4 500 [processes]
//!
//! An iteration on a grid of n by n points takes 10 n²/p of work, (2 n + 2 p) g, and 3 l; g is that of a
//! number.

use std::ops::Range;
use std::time::Instant;

use cll_bsp::{Area, Bsp, Machine};

/// Rows of a plate, with one more row of each neighbour.
struct Rows<'a> {
    /// All points of those rows, and of the one above and below.
    area: &'a mut Area<f64>,
    n: usize,
    own: Range<usize>,
}

impl Rows<'_> {
    /// Sends the first and the last row to the neighbours, which keep copies.
    fn share(&self, bsp: &mut Bsp) {
        let (n, own, points) = (self.n, &self.own, bsp.local(self.area));
        if !own.is_empty() && own.start > 0 {
            let above = rows_of(bsp.pid() - 1, bsp.nprocs(), n).len();
            bsp.put(bsp.pid() - 1, &points[n..2 * n], self.area, (above + 1) * n);
        }
        if !own.is_empty() && own.end < n {
            let last = own.len() * n;
            bsp.put(bsp.pid() + 1, &points[last..last + n], self.area, 0);
        }
        bsp.sync();
    }

    /// Four times each point minus its neighbours; points beyond the rim are 0.
    fn apply(&self, bsp: &Bsp, to: &mut [f64]) {
        let (n, points) = (self.n, bsp.local(self.area));
        for row in 1..=self.own.len() {
            let row_of = |i: usize| &points[i * n..(i + 1) * n];
            let (above, here, below) = (row_of(row - 1), row_of(row), row_of(row + 1));
            for i in 0..n {
                let left = if i > 0 { here[i - 1] } else { 0.0 };
                let right = if i + 1 < n { here[i + 1] } else { 0.0 };
                to[(row - 1) * n + i] = 4.0 * here[i] - left - right - above[i] - below[i];
            }
        }
    }
}

/// If there are fewer rows than processors, the last ones have none.
fn rows_of(pid: usize, p: usize, n: usize) -> Range<usize> {
    let p = p.min(n);
    if pid < p { pid * n / p..(pid + 1) * n / p } else { n..n }
}

fn dot(bsp: &mut Bsp, a: &[f64], b: &[f64]) -> f64 {
    let own: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    bsp.fold(own, |a, b| a + b)
}

/// Temperatures of a plate whose rim has the temperatures `rim(x, y)`, x and y from 0 to 1. Returns this
/// processor's rows and the number of iterations.
fn solve(bsp: &mut Bsp, n: usize, rim: impl Fn(f64, f64) -> f64) -> (Vec<f64>, usize) {
    let own = rows_of(bsp.pid(), bsp.nprocs(), n);
    let place = |i: usize| i as f64 / (n + 1) as f64;
    let mut residual = vec![0.0; own.len() * n];
    for row in own.clone() {
        for column in 0..n {
            let (x, y) = (place(column + 1), place(row + 1));
            let point = &mut residual[(row - own.start) * n + column];
            let mut from =
                |is_beside: bool, x, y| *point += if is_beside { rim(x, y) } else { 0.0 };
            from(column == 0, 0.0, y);
            from(column == n - 1, 1.0, y);
            from(row == 0, x, 0.0);
            from(row == n - 1, x, 1.0);
        }
    }
    let mut area = bsp.area((own.len() + 2) * n);
    let mut solution = vec![0.0; residual.len()];
    let mut image = vec![0.0; residual.len()];
    bsp.local_mut(&mut area)[n..(own.len() + 1) * n].copy_from_slice(&residual);
    bsp.sync();
    let begin = dot(bsp, &residual, &residual);
    let (mut square, mut iterations) = (begin, 0);
    while square > 1e-24 * begin {
        let rows = Rows { area: &mut area, n, own: own.clone() };
        rows.share(bsp);
        rows.apply(bsp, &mut image);
        let direction = n..(own.len() + 1) * n;
        let steepness: f64 =
            bsp.local(&area)[direction.clone()].iter().zip(&image).map(|(a, b)| a * b).sum();
        let step = square / bsp.fold(steepness, |a, b| a + b);
        for (x, d) in solution.iter_mut().zip(&bsp.local(&area)[direction.clone()]) {
            *x += step * d;
        }
        residual.iter_mut().zip(&image).for_each(|(r, a)| *r -= step * a);
        let before = std::mem::replace(&mut square, dot(bsp, &residual, &residual));
        let turned = bsp.local_mut(&mut area)[direction].iter_mut();
        turned.zip(&residual).for_each(|(d, r)| *d = r + square / before * *d);
        iterations += 1;
    }
    (solution, iterations)
}

/// A plate of n by n points, whose temperatures are known. Returns seconds and iterations.
pub fn run(machine: Machine, n: usize) -> (f64, usize) {
    // Harmonic, and of second degree: the grid's solution is exact.
    let exact = |x: f64, y: f64| 1.0 + 2.0 * x - 3.0 * y + x * y + (x * x - y * y);
    let outcome = machine.run(|bsp| {
        let begin = Instant::now();
        let (solution, iterations) = solve(bsp, n, exact);
        let own = rows_of(bsp.pid(), bsp.nprocs(), n);
        let place = |i: usize| (i + 1) as f64 / (n + 1) as f64;
        let points = own.flat_map(|row| (0..n).map(move |column| (place(column), place(row))));
        let errors = points.zip(&solution).map(|((x, y), point)| (point - exact(x, y)).abs());
        let error = bsp.fold(errors.fold(0.0, f64::max), f64::max);
        assert!(error < 1e-8, "off by {error}");
        (begin.elapsed().as_secs_f64(), iterations)
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default| {
        arguments.get(i).map_or(default, |text| text.parse().expect("a number is wanted"))
    };
    let (p, n) = (number(0, 2), number(1, 200));
    let machine = match arguments.get(2).map(String::as_str) {
        Some("processes") => Machine::processes(p),
        _ => Machine::threads(p),
    };
    let (seconds, iterations) = run(machine, n);
    println!("{n} by {n} points on {p} processors: {iterations} iterations in {seconds:.3} s");
}
