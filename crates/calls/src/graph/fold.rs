//! Folds the calls of a process: what repeats becomes a loop, nested loops too, while the calls are read.
//!
//! The end of the list is compared with what stands before it (as in Noeth, Ratn, Mueller, Schulz, de Supinski:
//! *ScalaTrace*, 2009): a loop whose body follows it once more counts one passage more, and two equal sequences in a row
//! become a loop. Calls are equal if they are of one call path. A call equals a loop of that call only, so that inner
//! loops may have one passage.

use super::node::{Item, Loop, Node};

/// The largest number of items in the body of a loop that is found.
const WINDOW: usize = 96;

/// The node that each call of a process was folded into, by number of the call. A node is named by its first call.
#[derive(Debug, Default)]
pub(super) struct Parents(Vec<u32>);

impl Parents {
    /// The number of the next call.
    pub(super) fn next(&self) -> u32 {
        self.0.len() as u32
    }

    /// The next call is a node of its own.
    pub(super) fn push(&mut self) {
        self.0.push(self.next());
    }

    /// The next call belongs to the one after it.
    pub(super) fn skip(&mut self) {
        self.0.push(self.next() + 1);
    }

    /// The node of a call: the number of its first call.
    pub(super) fn node_of(&mut self, call: u64) -> Option<u32> {
        let mut node = u32::try_from(call).ok()?;
        loop {
            let parent = *self.0.get(node as usize)?;
            if parent == node {
                return Some(node);
            }
            let next = *self.0.get(parent as usize)?;
            self.0[node as usize] = next;
            node = parent;
        }
    }
}

/// Adds a passage of a call to an item, which becomes a loop if it is none.
fn repeat(item: &mut Item, again: Node, parents: &mut [u32]) {
    item.make_loop();
    if let Item::Loop(loop_item) = item {
        loop_item.again_alone(again, parents);
    }
}

/// The folded calls of a thread.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) items: Vec<Item>,
    pub(super) keys: Vec<u64>,
}

impl Folded {
    /// Takes the next call.
    pub(super) fn push(&mut self, node: Node, parents: &mut Parents) {
        let key = node.key();
        if let (Some(last), Some(&last_key)) = (self.items.last_mut(), self.keys.last()) {
            // The last item may be a loop that goes on, so what ends in it is not compared yet.
            if last_key == key {
                repeat(last, node, &mut parents.0);
                return;
            }
            if last.first_key() != key {
                self.close(parents);
            }
        }
        self.keys.push(key);
        self.items.push(Item::Call(node));
    }

    /// Nothing more comes that could belong to the last item.
    pub(super) fn close(&mut self, parents: &mut Parents) {
        while self.fold(&mut parents.0) {}
    }

    fn fold(&mut self, parents: &mut [u32]) -> bool {
        let count = self.items.len();
        let Some(&last) = self.keys.last() else { return false };
        for length in 1..=WINDOW.min(count.saturating_sub(1)) {
            let split = count - length;
            // A loop before the end, and its body once more.
            if let Item::Loop(loop_item) = &self.items[split - 1]
                && loop_item.body.len() == length
                && loop_item.last_key == last
                && loop_item.keys[..] == self.keys[split..]
            {
                let tail: Vec<Item> = self.items.drain(split..).collect();
                self.keys.truncate(split);
                if let Some(Item::Loop(loop_item)) = self.items.last_mut() {
                    loop_item.again(tail, parents);
                }
                return true;
            }
            // Two equal sequences.
            if split >= length
                && self.keys[split - 1] == last
                && self.keys[split - length..split] == self.keys[split..]
            {
                let tail: Vec<Item> = self.items.drain(split..).collect();
                let body: Vec<Item> = self.items.drain(split - length..).collect();
                let keys = self.keys[split - length..split].to_vec();
                self.keys.truncate(split - length);
                let mut loop_item = Loop::new(body, keys);
                loop_item.again(tail, parents);
                self.keys.push(loop_item.key());
                self.items.push(Item::Loop(loop_item));
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteId;

    fn folded(calls: impl Iterator<Item = u32>) -> (Folded, Parents) {
        let (mut folded, mut parents) = (Folded::default(), Parents::default());
        for call in calls {
            let number = parents.next();
            parents.push();
            folded.push(Node::new(SiteId(call), number), &mut parents);
        }
        folded.close(&mut parents);
        (folded, parents)
    }

    fn text(items: &[Item]) -> String {
        let item_text = |item: &Item| match item {
            Item::Call(node) => char::from(node.site.0 as u8).to_string(),
            Item::Loop(loop_item) => {
                let (least, most) = loop_item.passages;
                let count =
                    if least == most { most.to_string() } else { format!("{least}-{most}") };
                format!("{count}({})", text(&loop_item.body))
            }
        };
        items.iter().map(item_text).collect()
    }

    #[test]
    fn what_repeats_becomes_a_loop() {
        for (calls, expected) in [
            ("", ""),
            ("a", "a"),
            ("aa", "2(a)"),
            ("iababababf", "i4(ab)f"),
            ("iaababaababf", "i4(1-2(a)b)f"),
            ("bsssrrrsssrrrsssrrre", "b3(3(s)3(r))e"),
            ("sssrrrsssrrrsssrrr", "3(3(s)3(r))"),
            ("xabbbcabbbcabbbcy", "x3(a3(b)c)y"),
            // A loop whose inner loop has a different number of passages each time.
            ("abbbcabbcabbbbc", "3(a2-4(b)c)"),
            ("abcabbbcabbc", "3(a1-3(b)c)"),
            ("ababacababac", "2(2(ab)ac)"),
        ] {
            let (folded, mut parents) = folded(calls.bytes().map(u32::from));
            assert_eq!(text(&folded.items), expected, "{calls}");
            for (index, call) in calls.bytes().enumerate() {
                let node = parents.node_of(index as u64).expect("a node");
                assert_eq!(calls.as_bytes()[node as usize], call, "{calls} {index}");
            }
        }
    }

    #[test]
    fn a_million_calls_are_folded() {
        let (folded, mut parents) = folded((0..1_000_000).map(|index| index % 5));
        assert_eq!(folded.items.len(), 1);
        assert_eq!(parents.node_of(999_999), Some(4));
    }
}
