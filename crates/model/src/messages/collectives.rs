//! Collectives as one operation: who has come, and when each can go on.

use std::collections::HashMap;

use cll_calls::CollectiveKind;

/// The group and the number of the collective in it.
pub(super) type CollectiveKey = (u64, u64);

/// A collective that not all processes have left.
#[derive(Debug)]
struct Open {
    kind: CollectiveKind,
    root: Option<usize>,
    /// By number in the group: when the process came.
    came: Vec<Option<f64>>,
    left: usize,
}

/// Those that are going on.
#[derive(Debug, Default)]
pub(super) struct Collectives(HashMap<CollectiveKey, Open>);

impl Collectives {
    /// A process comes.
    pub fn came(
        &mut self,
        key: CollectiveKey,
        kind: CollectiveKind,
        root: Option<u32>,
        who: (u32, u32),
        now: f64,
    ) {
        let (number, size) = (who.0 as usize, who.1 as usize);
        let open = self.0.entry(key).or_insert_with(|| Open {
            kind,
            root: root.map(|root| root as usize),
            came: vec![None; size],
            left: 0,
        });
        open.root = open.root.or(root.map(|root| root as usize));
        if let Some(arrival) = open.came.get_mut(number) {
            *arrival = Some(now);
        }
    }

    /// When the last of those that this process needs came, or when it came itself, and whether it needs any other; `None`
    /// if one of them has not come.
    pub fn until(&self, key: CollectiveKey, number: u32) -> Option<(f64, bool)> {
        let open = self.0.get(&key)?;
        let own = number as usize;
        let mut latest = (*open.came.get(own)?)?;
        let mut needs_any = false;
        for (other, came) in open.came.iter().enumerate() {
            if open.kind.needs(own, other, open.root) {
                needs_any = true;
                latest = latest.max((*came)?);
            }
        }
        Some((latest, needs_any))
    }

    /// A process goes on.
    pub fn left(&mut self, key: CollectiveKey) {
        if let Some(open) = self.0.get_mut(&key) {
            open.left += 1;
            if open.left == open.came.len() {
                self.0.remove(&key);
            }
        }
    }
}
