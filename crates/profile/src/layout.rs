//! Places for the nodes of a graph: in layers, callers before what they call (Sugiyama, Tagawa, Toda 1981).
//!
//! Edges that close a cycle are turned round. Layers are longest paths. An edge over several layers gets a bend in each
//! of them. The order within a layer comes from medians of neighbours; of all sweeps the one with fewest crossings is
//! kept. Rows are means of neighbours, moved as little as the distances allow (isotonic regression).

/// Sweeps over the layers for their order, and for the rows.
const SWEEPS: usize = 8;
/// Distance of a bend from its neighbours, in heights of a node.
const BEND: f64 = 0.25;
/// Bends that there may be in all; the edges over most layers go straight then.
const MOST_BENDS: usize = 40_000;

/// Where nodes stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// For each node its layer, from 0.
    pub layers: Vec<u32>,
    /// For each node its row, in heights of a node; two nodes of a layer are at least 1 apart.
    pub rows: Vec<f64>,
    /// For each edge the rows at the layers between those of its ends, in the direction of growing layers.
    pub bends: Vec<Vec<f64>>,
}

/// A layout of `count` nodes with edges between them. The result depends on nothing but the arguments.
pub fn layered(count: usize, edges: &[(usize, usize)]) -> Layout {
    let forward = acyclic(count, edges);
    let layers = layers(count, &forward);
    let mut net = Net::new(&layers, &forward);
    net.order();
    let rows = net.rows();
    let bends = net.bends.iter().map(|bends| bends.iter().map(|&bend| rows[bend]).collect());
    Layout { bends: bends.collect(), rows: rows[..count].to_vec(), layers }
}

/// The edges without those from a node to itself, and with those turned round that close a cycle.
fn acyclic(count: usize, edges: &[(usize, usize)]) -> Vec<Option<(usize, usize)>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, &(from, _)) in edges.iter().enumerate() {
        out[from].push(index);
    }
    let mut forward: Vec<Option<(usize, usize)>> =
        edges.iter().map(|&(from, to)| (from != to).then_some((from, to))).collect();
    // 0 not seen, 1 on the way, 2 done.
    let mut state = vec![0u8; count];
    for root in 0..count {
        if state[root] != 0 {
            continue;
        }
        state[root] = 1;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                state[*node] = 2;
                stack.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].1;
            match state[to] {
                0 => {
                    state[to] = 1;
                    stack.push((to, 0));
                }
                1 => forward[edge] = forward[edge].map(|(from, to)| (to, from)),
                _ => {}
            }
        }
    }
    forward
}

/// The longest path to each node.
fn layers(count: usize, edges: &[Option<(usize, usize)>]) -> Vec<u32> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut before = vec![0usize; count];
    for &(from, to) in edges.iter().flatten() {
        out[from].push(to);
        before[to] += 1;
    }
    let mut layers = vec![0u32; count];
    let mut ready: Vec<usize> = (0..count).filter(|&node| before[node] == 0).collect();
    while let Some(node) = ready.pop() {
        for &to in &out[node] {
            layers[to] = layers[to].max(layers[node] + 1);
            before[to] -= 1;
            if before[to] == 0 {
                ready.push(to);
            }
        }
    }
    layers
}

/// Nodes and bends by layer, each connected with the next layer only.
struct Net {
    /// Nodes in their order.
    layers: Vec<Vec<usize>>,
    /// Neighbours in the layer before, and in the next one.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    /// Nodes that are not bends.
    real: usize,
    /// The bends of each edge.
    bends: Vec<Vec<usize>>,
}

impl Net {
    fn new(layer_of: &[u32], edges: &[Option<(usize, usize)>]) -> Net {
        let real = layer_of.len();
        let depth = layer_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut net = Net {
            layers: vec![Vec::new(); depth],
            before: vec![Vec::new(); real],
            after: vec![Vec::new(); real],
            real,
            bends: vec![Vec::new(); edges.len()],
        };
        for (node, &layer) in layer_of.iter().enumerate() {
            net.layers[layer as usize].push(node);
        }
        let mut by_length: Vec<(u32, usize)> = Vec::new();
        for (edge, ends) in edges.iter().enumerate() {
            if let Some((from, to)) = *ends {
                by_length.push((layer_of[to] - layer_of[from], edge));
            }
        }
        by_length.sort_unstable();
        for (length, edge) in by_length {
            let Some((from, to)) = edges[edge] else { continue };
            let inner = length as usize - 1;
            if inner > 0 && net.before.len() - real + inner > MOST_BENDS {
                continue;
            }
            let mut last = from;
            for layer in layer_of[from] + 1..layer_of[to] {
                let bend = net.before.len();
                net.before.push(Vec::new());
                net.after.push(Vec::new());
                net.layers[layer as usize].push(bend);
                net.bends[edge].push(bend);
                net.join(last, bend);
                last = bend;
            }
            net.join(last, to);
        }
        net
    }

    fn join(&mut self, number: usize, next: usize) {
        self.after[number].push(next);
        self.before[next].push(number);
    }

    /// Orders the layers so that few edges cross.
    fn order(&mut self) {
        let mut place = vec![0usize; self.before.len()];
        let number = |layers: &[Vec<usize>], place: &mut [usize]| {
            for layer in layers {
                layer.iter().enumerate().for_each(|(k, &node)| place[node] = k);
            }
        };
        number(&self.layers, &mut place);
        let mut best = (self.crossings(&place), self.layers.clone());
        for sweep in 0..SWEEPS {
            let down = sweep % 2 == 0;
            let neighbours = if down { &self.before } else { &self.after };
            let depth = self.layers.len();
            for k in 1..depth {
                let layer = &mut self.layers[if down { k } else { depth - 1 - k }];
                let mut keyed: Vec<(f64, usize)> = layer
                    .iter()
                    .map(|&node| {
                        (median(&neighbours[node], &place).unwrap_or(place[node] as f64), node)
                    })
                    .collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                for (k, (to, (_, node))) in layer.iter_mut().zip(keyed).enumerate() {
                    *to = node;
                    place[node] = k;
                }
            }
            let crossings = self.crossings(&place);
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    /// Pairs of edges that cross.
    fn crossings(&self, place: &[usize]) -> u64 {
        let mut crossings = 0;
        let mut tree: Vec<u64> = Vec::new();
        for pair in self.layers.windows(2) {
            // A Fenwick tree over the next layer: of edges in the order of their beginnings, how many earlier ones end
            // further on.
            tree.clear();
            tree.resize(pair[1].len() + 1, 0);
            let mut seen = 0u64;
            let mut ends: Vec<usize> = Vec::new();
            for &node in &pair[0] {
                ends.clear();
                ends.extend(self.after[node].iter().map(|&to| place[to]));
                ends.sort_unstable();
                for &end in &ends {
                    let (mut k, mut up_to) = (end + 1, 0);
                    while k > 0 {
                        up_to += tree[k];
                        k &= k - 1;
                    }
                    crossings += seen - up_to;
                }
                for &end in &ends {
                    let mut k = end + 1;
                    while k < tree.len() {
                        tree[k] += 1;
                        k += k & k.wrapping_neg();
                    }
                    seen += 1;
                }
            }
        }
        crossings
    }

    /// Rows that keep the order and the distances.
    fn rows(&self) -> Vec<f64> {
        let mut rows = vec![0.0; self.before.len()];
        for layer in &self.layers {
            let wanted = vec![0.0; layer.len()];
            self.spread(layer, &wanted, &mut rows);
        }
        for sweep in 0..SWEEPS {
            let depth = self.layers.len();
            for k in 0..depth {
                let layer = &self.layers[if sweep % 2 == 0 { k } else { depth - 1 - k }];
                let wanted: Vec<f64> = layer
                    .iter()
                    .map(|&node| {
                        let (mut sum, mut count) = (0.0, 0.0);
                        for &other in self.before[node].iter().chain(&self.after[node]) {
                            sum += rows[other];
                            count += 1.0;
                        }
                        if count == 0.0 { rows[node] } else { sum / count }
                    })
                    .collect();
                self.spread(layer, &wanted, &mut rows);
            }
        }
        let least = rows.iter().copied().fold(f64::INFINITY, f64::min);
        rows.iter_mut().for_each(|row| *row -= least);
        rows
    }

    /// Gives a layer the rows nearest to those wanted (least squares) that keep order and distances.
    fn spread(&self, layer: &[usize], wanted: &[f64], rows: &mut [f64]) {
        let half = |node: usize| if node < self.real { 0.5 } else { BEND / 2.0 };
        let mut offset = 0.0;
        let mut offsets = Vec::with_capacity(layer.len());
        for (k, &node) in layer.iter().enumerate() {
            if k > 0 {
                offset += half(layer[k - 1]) + half(node);
            }
            offsets.push(offset);
        }
        // Blocks of sum, count; means do not fall.
        let mut blocks: Vec<(f64, usize)> = Vec::new();
        for (wanted, offset) in wanted.iter().zip(&offsets) {
            blocks.push((wanted - offset, 1));
            while let [.., (before, m), (last, n)] = blocks[..]
                && before / m as f64 >= last / n as f64
            {
                blocks.pop();
                if let Some(block) = blocks.last_mut() {
                    *block = (before + last, m + n);
                }
            }
        }
        let means = blocks.into_iter().flat_map(|(sum, n)| std::iter::repeat_n(sum / n as f64, n));
        for ((&node, offset), mean) in layer.iter().zip(offsets).zip(means) {
            rows[node] = mean + offset;
        }
    }
}

fn median(neighbours: &[usize], place: &[usize]) -> Option<f64> {
    if neighbours.is_empty() {
        return None;
    }
    let mut places: Vec<usize> = neighbours.iter().map(|&neighbour| place[neighbour]).collect();
    places.sort_unstable();
    let middle = places.len() / 2;
    Some(match places.len() % 2 {
        1 => places[middle] as f64,
        _ => (places[middle - 1] + places[middle]) as f64 / 2.0,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_chain_is_a_line_and_a_fork_is_centred() {
        let chain = layered(3, &[(0, 1), (1, 2)]);
        assert_eq!(chain.layers, [0, 1, 2]);
        assert_eq!(chain.rows, [0.0; 3]);
        let fork = layered(3, &[(0, 1), (0, 2)]);
        assert_eq!(fork.rows, [0.5, 0.0, 1.0]);
    }

    #[test]
    fn crossings_that_can_be_avoided_are() {
        // Two callers and what they call, in the other order.
        let edges = [(0, 1), (0, 2), (1, 4), (2, 3)];
        let layout = layered(5, &edges);
        assert_eq!(layout.rows[1] < layout.rows[2], layout.rows[4] < layout.rows[3], "{layout:?}");
    }

    #[test]
    fn a_recursion_and_an_edge_over_layers_have_places() {
        let edges = [(0, 1), (1, 2), (2, 1), (1, 1), (0, 3), (2, 3)];
        let layout = layered(4, &edges);
        assert_eq!(layout.layers, [0, 1, 2, 3]);
        assert_eq!(layout.bends[4].len(), 2);
        assert!(layout.bends[2].is_empty() && layout.bends[3].is_empty());
        assert!(layered(0, &[]).rows.is_empty());
    }

    proptest! {
        #[test]
        fn nodes_of_a_layer_do_not_overlap(
            edges in proptest::collection::vec((0usize..40, 0usize..40), 0..120),
        ) {
            let found = layered(40, &edges);
            for layer in 0..=*found.layers.iter().max().unwrap() {
                let own = (0..40).filter(|&at| found.layers[at] == layer);
                let mut rows: Vec<f64> = own.map(|at| found.rows[at]).collect();
                rows.sort_by(f64::total_cmp);
                prop_assert!(rows.windows(2).all(|pair| pair[1] - pair[0] >= 1.0 - 1e-9));
            }
            for (at, &(from, to)) in edges.iter().enumerate() {
                let (a, b) = (found.layers[from], found.layers[to]);
                prop_assert!(from == to || a != b);
                prop_assert_eq!(found.bends[at].len(), (a.abs_diff(b) as usize).saturating_sub(1));
            }
            prop_assert_eq!(&found, &layered(40, &edges));
        }
    }
}
