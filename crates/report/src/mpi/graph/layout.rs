//! Where the nodes of a graph stand: a column for each flow, below each other in the order of execution, a receipt below
//! its send, the nodes of a collective in one row.

use std::collections::HashMap;

use cll_result::{GraphLoop, GraphStep, MpiGraph};

/// Height of a node, of the head of a loop and of its end, in rows.
const NODE: f64 = 1.0;
/// Height of a task, and of the room above and below all of them for the entry and the exit.
const TASK: f64 = 2.1;
const ENDS: f64 = 1.0;
const HEAD: f64 = 0.7;
const FOOT: f64 = 0.4;

/// The content of a column's element.
#[derive(Clone, Copy, Debug)]
pub(super) enum LayoutKind<'g> {
    /// A segment or a call.
    Step(&'g GraphStep),
    /// A loop begins.
    Begin(&'g GraphLoop),
    /// The loop that began last ends.
    End,
}

/// An element of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'g> {
    pub(super) kind: LayoutKind<'g>,
    /// Loops around it.
    pub(super) depth: usize,
    /// The upper edge, in rows.
    pub(super) top: f64,
}

impl Element<'_> {
    pub(super) fn height(&self) -> f64 {
        match self.kind {
            LayoutKind::Step(GraphStep::Task(_)) => TASK,
            LayoutKind::Step(_) => NODE,
            LayoutKind::Begin(_) => HEAD,
            LayoutKind::End => FOOT,
        }
    }

    pub(super) fn node(&self) -> Option<usize> {
        match self.kind {
            LayoutKind::Step(GraphStep::Segment(segment)) => Some(segment.node),
            LayoutKind::Step(GraphStep::Call(call)) => Some(call.node),
            LayoutKind::Step(GraphStep::Task(task)) => Some(task.node),
            _ => None,
        }
    }
}

/// The columns of a graph.
#[derive(Debug)]
pub(super) struct Layout<'g> {
    pub(super) columns: Vec<Vec<Element<'g>>>,
    /// Column, and place in it, of each node.
    pub(super) places: HashMap<usize, (usize, usize)>,
    /// Height in rows.
    pub(super) height: f64,
}

/// Lays a graph out.
pub(super) fn layout(graph: &MpiGraph) -> Layout<'_> {
    let mut columns: Vec<Vec<Element<'_>>> = Vec::new();
    for flow in &graph.flows {
        let mut column = Vec::new();
        elements(&flow.steps, 0, &mut column);
        columns.push(column);
    }
    let mut places = HashMap::new();
    for (column, elements) in columns.iter().enumerate() {
        for (index, element) in elements.iter().enumerate() {
            if let Some(node) = element.node() {
                places.insert(node, (column, index));
            }
        }
    }
    let mut layout = Layout { columns, places, height: 0.0 };
    Placing::new(graph, &layout).place(&mut layout);
    layout
}

fn elements<'g>(steps: &'g [GraphStep], depth: usize, out: &mut Vec<Element<'g>>) {
    for step in steps {
        match step {
            GraphStep::Loop(graph_loop) => {
                out.push(Element { kind: LayoutKind::Begin(graph_loop), depth, top: 0.0 });
                elements(&graph_loop.steps, depth + 1, out);
                out.push(Element { kind: LayoutKind::End, depth, top: 0.0 });
            }
            step => out.push(Element { kind: LayoutKind::Step(step), depth, top: 0.0 }),
        }
    }
}

/// The order in which elements have to be placed.
struct Placing {
    /// Nodes that send to a node.
    senders: HashMap<usize, Vec<usize>>,
    /// Nodes that stand in one row with a node.
    rows: HashMap<usize, Vec<usize>>,
    /// The next element of each column, and the row from which on there is room.
    next: Vec<(usize, f64)>,
    /// Room below all of them.
    ends: f64,
}

impl Placing {
    fn new(graph: &MpiGraph, layout: &Layout<'_>) -> Placing {
        let mut senders: HashMap<usize, Vec<usize>> = HashMap::new();
        for edge in &graph.messages {
            // Within a column order is that of execution.
            if layout.places.get(&edge.from).map(|place| place.0)
                != layout.places.get(&edge.to).map(|place| place.0)
            {
                senders.entry(edge.to).or_default().push(edge.from);
            }
        }
        let mut rows = HashMap::new();
        for group in &graph.collectives {
            let mut columns: Vec<usize> =
                group.iter().filter_map(|node| Some(layout.places.get(node)?.0)).collect();
            columns.sort_unstable();
            columns.dedup();
            // Two nodes of one column cannot stand in one row.
            if columns.len() == group.len() {
                rows.extend(group.iter().map(|&node| (node, group.clone())));
            }
        }
        let first = if graph.is_tasks { ENDS } else { 0.0 };
        Placing { senders, rows, next: vec![(0, first); layout.columns.len()], ends: first }
    }

    fn place(mut self, layout: &mut Layout<'_>) {
        loop {
            let mut is_stuck = true;
            for column in 0..layout.columns.len() {
                while self.step(layout, column, false) {
                    is_stuck = false;
                }
            }
            if !is_stuck {
                continue;
            }
            // Messages in a circle, between loops: the uppermost column goes on.
            let open = (0..layout.columns.len())
                .filter(|&column| self.next[column].0 < layout.columns[column].len());
            let first = open.min_by(|&a, &b| self.next[a].1.total_cmp(&self.next[b].1));
            let Some(column) = first else { break };
            self.step(layout, column, true);
        }
        layout.height = self.next.iter().map(|next| next.1).fold(0.0, f64::max) + self.ends;
    }

    /// Whether a node has been placed.
    fn is_placed(&self, layout: &Layout<'_>, node: usize) -> bool {
        layout.places.get(&node).is_none_or(|&(column, index)| index < self.next[column].0)
    }

    /// Places the next element of a column if what has to stand above it is placed, or in any case.
    fn step(&mut self, layout: &mut Layout<'_>, column: usize, in_any_case: bool) -> bool {
        let (index, room) = self.next[column];
        let Some(element) = layout.columns[column].get(index) else { return false };
        let Some(node) = element.node() else {
            self.put(layout, column, index, room);
            return true;
        };
        let group = match self.rows.get(&node) {
            Some(group) if !in_any_case => group.clone(),
            _ => vec![node],
        };
        let mut top = room;
        for &member in &group {
            let Some(&(member_column, place)) = layout.places.get(&member) else { continue };
            if self.next[member_column].0 != place {
                return false;
            }
            top = top.max(self.next[member_column].1);
            for &sender in self.senders.get(&member).map_or(&[][..], Vec::as_slice) {
                if !self.is_placed(layout, sender) {
                    if in_any_case {
                        continue;
                    }
                    return false;
                }
                if let Some(&(sender_column, place)) = layout.places.get(&sender) {
                    top = top.max(layout.columns[sender_column][place].top + NODE);
                }
            }
        }
        for member in group {
            if let Some(&(member_column, place)) = layout.places.get(&member) {
                self.put(layout, member_column, place, top);
            }
        }
        true
    }

    fn put(&mut self, layout: &mut Layout<'_>, column: usize, index: usize, top: f64) {
        let element = &mut layout.columns[column][index];
        element.top = top;
        self.next[column] = (index + 1, top + element.height());
    }
}
