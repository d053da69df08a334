//! The contents of the page of a profile: numbers in columns. `docs/formats/profile-page.md`.

mod calls;
mod columns;
mod difference;
mod nodes;
mod strings;
mod supersteps;

use cll_machine::{ClassicCost, PUBLISHED};
use cll_profile::{Efficiency, Graph, Profile, Supersteps, layout};
use serde::Serialize;

pub use calls::{NodeWaits, PageCalls, statistics_columns};
pub use columns::Columns;
pub use difference::difference_columns;
pub use supersteps::superstep_values;

use nodes::{Nodes, Processors};
use strings::Strings;

/// A machine whose communication may replace the measured one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageMachine {
    /// The name of the machine.
    pub name: String,
    /// Seconds per byte, in the synchronisation.
    pub g: f64,
    /// Seconds per superstep.
    pub l: f64,
    /// Operations per second, if known.
    pub rate: Option<f64>,
    /// Notes on the values that were taken for missing ones.
    pub notes: Vec<String>,
}

impl PageMachine {
    /// A machine by its (s, g, l).
    pub fn new(name: String, costs: &ClassicCost, notes: Vec<String>) -> PageMachine {
        PageMachine {
            name,
            g: costs.synchronisation().value,
            l: costs.l.value,
            rate: costs.rate.map(|rate| rate.value),
            notes,
        }
    }

    /// The published machines that have (s, g, l), for so many processors.
    pub fn published(processors: u32) -> Vec<PageMachine> {
        let machines = PUBLISHED.iter().filter_map(|published| {
            let machine = published.machine();
            let costs = machine.classic(None, processors).ok()?;
            let substitutions = costs.substitutions.iter().map(ToString::to_string);
            let notes = machine.reservation().into_iter().chain(substitutions).collect();
            Some(PageMachine::new(machine.name.clone(), &costs, notes))
        });
        machines.collect()
    }
}

/// A source file of the program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProfileSource {
    /// The name of the file, as nodes have it.
    pub file: String,
    /// The text of the file, if it was found.
    pub text: Option<String>,
    /// Why it is not there, or what should be known of it.
    pub note: String,
}

/// A profile with all that its page shows.
#[derive(Debug)]
pub struct PageProfile<'a> {
    /// The file that it is from.
    pub file: &'a str,
    /// The profile.
    pub profile: &'a Profile,
    /// The supersteps of the profile, if it is from a log.
    pub supersteps: Option<&'a Supersteps>,
    /// The sources of its places.
    pub sources: &'a [ProfileSource],
    /// Machines to choose from.
    pub machines: &'a [PageMachine],
    /// The calls of MPI, if the profile is from logs of them.
    pub calls: Option<&'a PageCalls<'a>>,
}

#[derive(Serialize)]
struct Head<'a> {
    format: &'static str,
    version: u32,
    file: &'a str,
    name: &'a str,
    processors: u32,
    elapsed_s: f64,
    h_unit: u32,
    source: &'a cll_profile::Source,
    notes: Vec<String>,
    efficiency: Efficiency,
    machines: &'a [PageMachine],
    sources: &'a [ProfileSource],
    nodes: usize,
    graph_nodes: usize,
    /// Nodes of which each processor is known, and those of which only quantiles are.
    rows: usize,
    quantiles: usize,
    supersteps: Option<supersteps::Head>,
    /// Kinds of waiting that nodes have.
    waits: Vec<&'static str>,
    slice_s: Option<f64>,
    /// Places of centres that have several: by node.
    ends: Vec<nodes::Ends<'a>>,
    strings: Vec<String>,
}

/// The columns of a profile, in the parts in which a page reads them.
#[derive(Debug)]
pub struct ProfileColumns {
    /// The data that the first view needs: the tree and the supersteps, without their processors
    /// ([`superstep_values`]).
    pub tree: Vec<u8>,
    /// The merged graph.
    pub graph: Vec<u8>,
    /// The values of each processor at each node.
    pub each: Vec<u8>,
}

/// The columns of a profile.
pub fn profile_columns(page: &PageProfile<'_>) -> ProfileColumns {
    let profile = page.profile;
    let mut columns = Columns::default();
    let (mut of_graph, mut of_each) = (Columns::default(), Columns::default());
    let mut strings = Strings::default();
    let graph = Graph::new(profile);
    let mut processors = Processors::new(profile.processors as usize);
    let tree = Nodes::of_tree(profile);
    let merged = Nodes::of_graph(&graph, profile);
    processors.choose(tree.each().chain(merged.each()));
    tree.write("t", &mut columns, &mut strings, &mut processors);
    merged.write("g", &mut of_graph, &mut strings, &mut processors);
    let none = std::iter::repeat_n(&[][..], graph.nodes.len());
    processors.write(&mut of_each, profile.nodes.iter().map(|node| &node.last[..]).chain(none));
    let mut merged_into = vec![0; profile.nodes.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        node.tree_nodes.iter().for_each(|&tree_node| merged_into[tree_node] = index);
    }
    of_graph.u32("t.graph", merged_into);
    of_graph
        .u32("g.of", graph.nodes.iter().map(|node| node.tree_nodes.first().copied().unwrap_or(0)));
    edges(&graph, &mut of_graph);
    let supersteps = page.supersteps.map(|superstep| supersteps::write(superstep, &mut columns));
    let waits = page.calls.map_or(Vec::new(), |calls| calls::waits(calls.waits, &mut columns));
    let more = page.calls.map_or(&[][..], |calls| calls.notes);
    let head = Head {
        format: "cll-profile-page",
        version: 2,
        file: page.file,
        name: profile.name(),
        processors: profile.processors,
        elapsed_s: profile.elapsed.get(),
        h_unit: profile.h_unit,
        source: &profile.source,
        notes: profile.notes.iter().map(ToString::to_string).chain(more.iter().cloned()).collect(),
        efficiency: Efficiency::new(profile),
        machines: page.machines,
        sources: page.sources,
        nodes: profile.nodes.len(),
        graph_nodes: graph.nodes.len(),
        rows: processors.rows(),
        quantiles: processors.quantiles(),
        supersteps,
        waits,
        slice_s: page.calls.and_then(|calls| calls.slice).map(|slice| slice.get()),
        ends: nodes::ends(profile),
        strings: strings.list,
    };
    let part =
        |name| serde_json::json!({ "format": "cll-profile-page", "version": 2, "part": name });
    ProfileColumns {
        tree: columns.finish(&head),
        graph: of_graph.finish(&part("graph")),
        each: of_each.finish(&part("each")),
    }
}

/// Edges of the graph, and where its nodes stand.
fn edges(graph: &Graph, columns: &mut Columns) {
    let pairs: Vec<(usize, usize)> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let places = layout::layered(graph.nodes.len(), &pairs);
    columns.u32("g.layer", places.layers.iter().map(|&layer| layer as usize));
    columns.f32("g.place", places.rows.iter().map(|&row| row as f32));
    columns.u32("e.from", graph.edges.iter().map(|edge| edge.from));
    columns.u32("e.to", graph.edges.iter().map(|edge| edge.to));
    for metric in 0..4 {
        let shares = graph.edges.iter().map(|edge| edge.shares[metric] as f32);
        columns.f32(format!("e.share{metric}"), shares);
    }
    let mut until = 0;
    let ends = places.bends.iter().map(|bends| {
        until += bends.len();
        until
    });
    columns.u32("e.bends_until", ends.collect::<Vec<usize>>());
    columns.f32("e.bends", places.bends.iter().flatten().map(|&row| row as f32));
}
