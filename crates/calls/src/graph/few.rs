//! Sets that mostly have one element or none.

use std::collections::BTreeSet;
use std::iter::FusedIterator;

/// A set in order. Up to one element needs no memory of its own.
#[derive(Clone, Debug, Default)]
pub enum Few<T> {
    /// Empty.
    #[default]
    None,
    /// One element.
    One(T),
    /// Any number.
    Many(BTreeSet<T>),
}

impl<T: Copy + Ord> Few<T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Few::None => 0,
            Few::One(_) => 1,
            Few::Many(all) => all.len(),
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether this is an element.
    pub fn contains(&self, item: &T) -> bool {
        match self {
            Few::None => false,
            Few::One(own) => own == item,
            Few::Many(all) => all.contains(item),
        }
    }

    /// Adds an element.
    pub fn insert(&mut self, item: T) {
        match self {
            Few::None => *self = Few::One(item),
            Few::One(own) if *own == item => {}
            Few::One(own) => *self = Few::Many(BTreeSet::from([*own, item])),
            Few::Many(all) => {
                all.insert(item);
            }
        }
    }

    /// The elements in order.
    pub fn iter(&self) -> impl FusedIterator<Item = &T> {
        let (single, many) = match self {
            Few::None => (None, None),
            Few::One(item) => (Some(item), None),
            Few::Many(all) => (None, Some(all.iter())),
        };
        single.into_iter().chain(many.into_iter().flatten())
    }
}

impl<T: Copy + Ord> PartialEq for Few<T> {
    fn eq(&self, other: &Few<T>) -> bool {
        self.iter().eq(other.iter())
    }
}
