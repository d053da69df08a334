//! Random statements are read as they were written.

use cll_llac::syntax::ast::{
    Argument, Binary, Clause, Expr, ExprKind, Name, RangeStep, Statement, StatementKind, Unary,
};
use cll_llac::syntax::{ClauseWord, UNITS, Verb};
use test_draw::thinned;

use crate::fuzz::entry::check_text;

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn choice<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn text(&mut self) -> String {
        self.choice(&[
            "f", "N", "x1", "ξ", "fit", "at", "where", "a b", "cll", "1", "#;\"\\", "s", "-",
        ])
        .to_owned()
    }

    fn name(&mut self) -> Name {
        Name { text: self.text(), span: 0..0 }
    }

    fn items(&mut self, depth: usize, least: usize, named: bool) -> Vec<Argument> {
        let count = least + self.below(3);
        let item = |_| Argument {
            name: (named || self.below(2) == 0).then(|| self.name()),
            value: self.expr(depth),
        };
        (0..count).map(item).collect()
    }

    fn number(&mut self) -> f64 {
        match self.below(4) {
            0 => self.below(100) as f64,
            1 => self.below(1 << 20) as f64 / 1024.0,
            2 => f64::from_bits((self.below(usize::MAX) as u64) >> 1),
            _ => self.choice(&[0.0, 0.1, 1e-6, 1e15, 1e16, 1e300, 5e-324, f64::MAX]),
        }
    }

    fn expr(&mut self, depth: usize) -> Expr {
        let depth = depth.saturating_sub(1);
        let boxed = |random: &mut Random| Box::new(random.expr(depth));
        let kind = match self.below(if depth == 0 { 4 } else { 17 }) {
            0 => {
                let value = Some(self.number()).filter(|value| value.is_finite()).unwrap_or(1.5);
                let unit = self.choice(&UNITS).to_owned();
                let unit = (self.below(3) == 0).then_some(Name { text: unit, span: 0..0 });
                ExprKind::Number { value, unit }
            }
            1 => ExprKind::Name(self.text()),
            2 => ExprKind::Bool(self.below(2) == 0),
            3 => ExprKind::Text(self.choice(&["", "a", "\"\\\n\t", "a`b'c", "é#;"]).to_owned()),
            4 => ExprKind::Unary(self.choice(&[Unary::Minus, Unary::Not]), boxed(self)),
            5..=7 => {
                let operator = self.choice(&OPERATORS);
                ExprKind::Binary(operator, boxed(self), boxed(self))
            }
            8 => ExprKind::If { condition: boxed(self), then: boxed(self), otherwise: boxed(self) },
            9 => ExprKind::Call { function: boxed(self), arguments: self.items(depth, 0, false) },
            10 => ExprKind::Member(boxed(self), self.name()),
            11 => ExprKind::Index(boxed(self), boxed(self)),
            12 => {
                let step = self.choice(&[None, Some(RangeStep::Add), Some(RangeStep::Multiply)]);
                let step = step.map(|step| (step, boxed(self)));
                ExprKind::Range { first: boxed(self), last: boxed(self), step }
            }
            13 => ExprKind::List((0..self.below(4)).map(|_| self.expr(depth)).collect()),
            14 => ExprKind::Where(boxed(self), boxed(self)),
            15 => ExprKind::Set(boxed(self), self.items(depth, 1, true)),
            _ => {
                let verb = self.choice(&Verb::ALL);
                let arguments = self.items(depth, 0, false);
                let from = self.below(ClauseWord::ALL.len());
                let to = (from + self.below(3)).min(ClauseWord::ALL.len());
                let clauses = ClauseWord::ALL[from..to].iter().map(|&word| Clause {
                    word,
                    span: 0..0,
                    items: self.items(depth, 1, false),
                });
                ExprKind::Verb { verb, arguments, clauses: clauses.collect() }
            }
        };
        Expr { span: 0..0, kind }
    }

    fn statement(&mut self) -> Statement {
        let kind = match self.below(8) {
            0 | 1 => StatementKind::Assign { name: self.name(), value: self.expr(6) },
            2 => {
                let mut parameters: Vec<Name> = (0..self.below(4)).map(|_| self.name()).collect();
                parameters.sort_by(|a, b| a.text.cmp(&b.text));
                parameters.dedup();
                StatementKind::Define { name: self.name(), parameters, body: self.expr(6) }
            }
            3 => {
                let words = (0..self.below(4)).map(|_| {
                    self.choice(&["fit", "a b", "", "it's", "--", "{N}", "\"\\", "#", "|", "é"])
                        .to_owned()
                });
                StatementKind::Command { arguments: words.collect() }
            }
            _ => StatementKind::Value(self.expr(7)),
        };
        Statement { span: 0..0, kind }
    }
}

const OPERATORS: [Binary; 15] = [
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Power,
    Binary::Remainder,
    Binary::Equal,
    Binary::NotEqual,
    Binary::Less,
    Binary::LessEqual,
    Binary::Greater,
    Binary::GreaterEqual,
    Binary::And,
    Binary::Or,
    Binary::In,
];

#[test]
fn random_statements_are_read_as_written() {
    for seed in thinned(23..27, 4) {
        let mut random = Random(seed);
        for _ in 0..5000 {
            let statement = random.statement();
            check_text("", &statement);
        }
    }
}
