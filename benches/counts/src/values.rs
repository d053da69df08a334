//! Tracks the values of registers while instructions are followed: as far as needed to know that a load reads what a
//! store has written, and how often a loop with a fixed number of passages is passed.

use std::collections::VecDeque;

/// Registers of integers.
const COUNT: usize = 16;
/// The symbol of numbers.
const NUMBER: u32 = 0;

/// A number, or an unknown value and a number that is added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    symbol: u32,
    plus: i64,
}

/// The effect of an instruction on a register of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Set(usize, i64),
    Copy { from: usize, to: usize, plus: i64 },
    Add(usize, i64),
    Compare(usize, i64),
}

/// `plus(base, index, scale)`; without a base: a place of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Address {
    pub base: Option<usize>,
    pub index: Option<(usize, i64)>,
    pub plus: i64,
}

/// A place in memory.
type Place = (u32, Option<(u32, i64)>, i64);

/// The registers, the last comparison and the last stores.
pub struct Values {
    registers: [Value; COUNT],
    next: u32,
    is_equal: Option<bool>,
    stores: VecDeque<(Place, f64)>,
    most: usize,
}

impl Values {
    /// Nothing is known; so many stores are remembered.
    pub fn new(most: usize) -> Values {
        let unknown = |register: usize| Value { symbol: register as u32 + 1, plus: 0 };
        Values {
            registers: std::array::from_fn(unknown),
            next: COUNT as u32 + 1,
            is_equal: None,
            stores: VecDeque::new(),
            most,
        }
    }

    /// An instruction with this effect was executed, or one that writes these registers in a way that is not known.
    pub fn step(&mut self, effect: Option<Effect>, writes: &[usize], sets_flags: bool) {
        if sets_flags {
            self.is_equal = None;
        }
        match effect {
            Some(Effect::Set(to, plus)) => self.registers[to] = Value { symbol: NUMBER, plus },
            Some(Effect::Copy { from, to, plus }) => {
                let Value { symbol, plus: known } = self.registers[from];
                self.registers[to] = Value { symbol, plus: known.wrapping_add(plus) };
            }
            Some(Effect::Add(to, plus)) => {
                let known = &mut self.registers[to];
                known.plus = known.plus.wrapping_add(plus);
            }
            Some(Effect::Compare(number, with)) => {
                let Value { symbol, plus } = self.registers[number];
                self.is_equal = (symbol == NUMBER).then_some(plus == with);
            }
            None => {
                for &register in writes.iter().filter(|write| **write < COUNT) {
                    self.registers[register] = Value { symbol: self.next, plus: 0 };
                    self.next += 1;
                }
            }
        }
    }

    /// Whether what was compared last is equal, if that is known.
    pub fn is_equal(&self) -> Option<bool> {
        self.is_equal
    }

    fn place(&self, of: &Address) -> Place {
        let base = of.base.map_or(Value { symbol: NUMBER, plus: 0 }, |base| self.registers[base]);
        let mut plus = base.plus.wrapping_add(of.plus);
        let index = of.index.and_then(|(index, scale)| {
            let Value { symbol, plus: known } = self.registers[index];
            plus = plus.wrapping_add(known.wrapping_mul(scale));
            (symbol != NUMBER).then_some((symbol, scale))
        });
        match (base.symbol, index) {
            (NUMBER, Some((symbol, 1))) => (symbol, None, plus),
            (symbol, index) => (symbol, index, plus),
        }
    }

    /// A store whose data were there at a time.
    pub fn stored(&mut self, to: &Address, at: f64) {
        let place = self.place(to);
        self.stores.push_back((place, at));
        if self.stores.len() > self.most {
            self.stores.pop_front();
        }
    }

    /// When the data of the last store to this place were there; `None`: no store to it is under way.
    pub fn loaded(&self, from: &Address) -> Option<f64> {
        let place = self.place(from);
        self.stores.iter().rev().find(|store| store.0 == place).map(|store| store.1)
    }
}
