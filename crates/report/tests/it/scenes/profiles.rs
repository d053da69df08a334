//! Profiles of known programs, for the tests of their page.

use cll_profile::diff::{Difference, diff};
use cll_profile::{
    Column, Costs, End, Frame, Metric, Node, NodeKind, Note, Profile, Source, Summary, Supersteps,
    Traffic,
};
use cll_report::{ProfilePage, profile_page};
use cll_result::{MpiStats, NodeWaits, PageCalls, PageMachine, PageProfile, ProfileSource};
use cll_units::{ProcessorId, Seconds};

use super::Noise;

/// A profile with what its page shows beside it.
pub struct Shown {
    pub file: &'static str,
    pub profile: Profile,
    pub supersteps: Option<Supersteps>,
    pub sources: Vec<ProfileSource>,
    pub calls: Option<ShownCalls>,
}

/// Calls of MPI on a page.
pub struct ShownCalls {
    pub stats: MpiStats,
    pub waits: Vec<NodeWaits>,
    pub slice: Option<Seconds>,
    pub notes: Vec<String>,
}

/// The page of one, or of two that are compared.
pub fn page_of(all: &[Shown]) -> String {
    let difference = match all {
        [before, after] => {
            let slice_of = std::slice::from_ref;
            Some(diff(slice_of(&before.profile), slice_of(&after.profile), 0.95))
        }
        _ => None,
    };
    page_with(all, difference)
}

fn page_with(all: &[Shown], difference: Option<Difference>) -> String {
    let machine = PageMachine {
        name: "known".into(),
        g: 1e-8,
        l: 1e-4,
        rate: Some(1e8),
        notes: vec!["a machine of the tests".into()],
    };
    let machines = [machine];
    let calls: Vec<Option<PageCalls<'_>>> = all
        .iter()
        .map(|shown| {
            let calls = shown.calls.as_ref()?;
            let ShownCalls { stats, waits, slice, notes } = calls;
            Some(PageCalls { stats, waits, slice: *slice, notes })
        })
        .collect();
    let none: [PageMachine; 0] = [];
    let profiles: Vec<PageProfile<'_>> = all
        .iter()
        .zip(&calls)
        .map(|(shown, calls)| PageProfile {
            file: shown.file,
            profile: &shown.profile,
            supersteps: shown.supersteps.as_ref(),
            sources: &shown.sources,
            machines: if shown.calls.is_some() { &none } else { &machines },
            calls: calls.as_ref(),
        })
        .collect();
    profile_page(&ProfilePage {
        profiles: &profiles,
        difference: difference.as_ref(),
        as_on: None,
        tool: "cll 0.1.0",
    })
}

/// Makes a tree from its leaves.
pub struct Maker {
    processors: usize,
    nodes: Vec<Node>,
    columns: Vec<(usize, [Vec<f64>; 4])>,
}

impl Maker {
    pub fn new(name: &str, processors: usize) -> Maker {
        let mut maker = Maker { processors, nodes: Vec::new(), columns: Vec::new() };
        maker.node(None, NodeKind::Program { name: name.into() });
        maker
    }

    fn node(&mut self, parent: Option<usize>, kind: NodeKind) -> usize {
        let index = self.nodes.len();
        if let Some(parent) = parent {
            self.nodes[parent].children.push(index);
        }
        self.nodes.push(Node {
            kind,
            parent,
            children: Vec::new(),
            costs: Costs::default(),
            each: Default::default(),
            last: Vec::new(),
        });
        index
    }

    pub fn function(&mut self, parent: usize, name: &str, file: &str, line: u32) -> usize {
        let frame = Frame { function: name.into(), file: file.into(), line, ..Frame::default() };
        self.node(Some(parent), NodeKind::Function(frame))
    }

    /// A cost centre with one superstep: values of each processor by metric.
    pub fn centre(&mut self, parent: usize, places: &[(&str, u32)], each: [Vec<f64>; 4]) -> usize {
        let ends = places.iter().enumerate().map(|(k, (file, line))| End {
            file: (*file).into(),
            line: *line,
            through: Vec::new(),
            processors: if places.len() > 1 { vec![ProcessorId(k as u32)] } else { Vec::new() },
        });
        let kind = NodeKind::Centre { ends: ends.collect() };
        let index = self.node(Some(parent), kind);
        self.nodes[index].costs.supersteps = 1.0;
        for metric in Metric::ALL {
            self.nodes[index].costs.metrics[metric.index()] = summary(&each[metric.index()]);
        }
        self.nodes[index].last = vec![0; self.processors];
        self.nodes[index].each = each.clone();
        self.columns.push((index, each));
        index
    }

    pub fn profile(mut self, h_unit: u32) -> (Profile, Supersteps) {
        for index in (1..self.nodes.len()).rev() {
            let (above, below) = self.nodes.split_at_mut(index);
            let parent = &mut above[below[0].parent.unwrap_or(0)];
            parent.costs += below[0].costs;
            for (sums, own) in parent.each.iter_mut().zip(&below[0].each) {
                sums.resize(sums.len().max(own.len()), 0.0);
                sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
            parent.last.resize(self.processors, 0);
        }
        let root = self.nodes[0].costs;
        let side = self.processors.min(64);
        let group = self.processors.div_ceil(side.max(1)).max(1);
        let side = self.processors.div_ceil(group);
        let bytes = (0..side * side)
            .map(|cell| (cell % 7) as f64 * 100.0 * f64::from(cell / side != cell % side));
        let traffic = Traffic { group, side, bytes: bytes.collect() };
        let supersteps = Supersteps {
            processors: self.processors,
            per_column: 1,
            columns: self
                .columns
                .iter()
                .map(|(node, each)| Column {
                    supersteps: 1,
                    node: Some(*node),
                    metrics: each.each_ref().map(|values| summary(values)),
                })
                .collect(),
            values: std::array::from_fn(|metric| {
                let all = self.columns.iter().flat_map(|(_, each)| &each[metric]);
                all.map(|&value| value as f32).collect()
            }),
            traffic,
        };
        let profile = Profile {
            source: Source::Log {
                engine: "processes".into(),
                virtually: false,
                parts: false,
                arguments: Vec::new(),
            },
            processors: self.processors as u32,
            elapsed: Seconds(root.time()),
            h_unit,
            nodes: self.nodes,
            notes: vec![Note::Field { line: 1, what: "a <b>note</b> of the tests".into() }],
        };
        (profile, supersteps)
    }
}

pub fn summary(values: &[f64]) -> Summary {
    Summary {
        maximum: values.iter().copied().fold(0.0, f64::max),
        average: values.iter().sum::<f64>() / values.len().max(1) as f64,
        minimum: values.iter().copied().fold(f64::INFINITY, f64::min).min(1e300),
    }
}

const SOURCE: &str = "int main(void)\n{\n\tfoo();\n\tbar(); /* </script><b> */\n}\n";

/// Two ways to broadcast on 16 processors, as in figure 3 of the paper: h is exactly known.
pub fn broadcasts(faster: bool) -> Shown {
    let p = 16;
    let mut maker = Maker::new("broadcasts", p);
    let main = maker.function(0, "main", "b.c", 0);
    let first = maker.function(main, "foo", "b.c", 3);
    let second = maker.function(main, "bar", "b.c", 4);
    let n = 750e3;
    let time = if faster { 0.5 } else { 1.0 };
    let values_of = |root: f64| {
        let h = |k: usize| if k == 0 { n * 15.0 } else { n };
        [
            (0..p).map(|k| time * (1.0 + root * k as f64 / 100.0)).collect(),
            (0..p).map(|k| if k == 0 { time } else { 0.1 * time }).collect(),
            (0..p).map(|k| if k == 0 { 0.0 } else { 0.9 * time }).collect(),
            (0..p).map(h).collect(),
        ]
    };
    for parent in [first, second] {
        let function = maker.function(parent, "bcast_onestage", "b.c", 16);
        maker.centre(function, &[("b.c", 5)], values_of(1.0));
    }
    if !faster {
        maker.centre(second, &[("b.c", 2), ("b.c", 4)], values_of(0.0));
    } else {
        let two = maker.function(second, "bcast_twostage", "b.c", 4);
        let even = |value: f64| vec![value; p];
        maker.centre(two, &[("b.c", 3)], [even(0.25), even(0.1), even(0.0), even(n / 16.0 * 15.0)]);
    }
    let (profile, supersteps) = maker.profile(4);
    let text = Some(SOURCE.to_owned());
    let sources = vec![ProfileSource { file: "b.c".into(), text, note: String::new() }];
    let file = if faster { "after.log" } else { "before.log" };
    Shown { file, profile, supersteps: Some(supersteps), sources, calls: None }
}

/// A tree of so many nodes; all processors of the first ones, and so many supersteps.
pub fn large(nodes: usize, processors: usize, supersteps: usize, known: usize) -> Shown {
    let mut noise = Noise::new(7);
    let mut maker = Maker::new("large", processors);
    let mut inner = vec![0];
    while maker.nodes.len() < nodes {
        let parent = inner[(noise.even() * inner.len() as f64) as usize];
        if noise.even() < 0.3 {
            let name = format!("function_{}", maker.nodes.len() % 997);
            inner.push(maker.function(parent, &name, "large.c", 1));
            continue;
        }
        let each: [Vec<f64>; 4] = if maker.columns.len() < known {
            std::array::from_fn(|_| (0..processors).map(|_| noise.even()).collect())
        } else {
            Default::default()
        };
        let line = 1 + maker.nodes.len() as u32 % 5000;
        let index = maker.centre(parent, &[("large.c", line)], each);
        if maker.nodes[index].each[0].is_empty() {
            let maximum = noise.even();
            let average = maximum * noise.even();
            let all = Summary { maximum, average, minimum: average * noise.even() };
            maker.nodes[index].costs.metrics = [all; 4];
        }
    }
    let (mut profile, _) = maker.profile(1);
    for node in &mut profile.nodes {
        node.each.iter_mut().for_each(|values| values.truncate(processors));
    }
    let mut values = || (0..supersteps * processors).map(|_| noise.even() as f32).collect();
    let values: [Vec<f32>; 4] = std::array::from_fn(|_| values());
    let columns = (0..supersteps).map(|k| Column {
        supersteps: 1,
        node: Some(1 + k % (nodes - 1)),
        metrics: [Summary { maximum: 1.0, average: 0.5, minimum: 0.0 }; 4],
    });
    let side = processors.min(256);
    let supersteps = Supersteps {
        processors,
        per_column: 1,
        columns: columns.collect(),
        values,
        traffic: Traffic { group: processors.div_ceil(side), side, bytes: vec![1.0; side * side] },
    };
    Shown {
        file: "large.log",
        profile,
        supersteps: Some(supersteps),
        sources: Vec::new(),
        calls: None,
    }
}

/// Names that a reader must see, and no browser obey.
pub fn hostile() -> Shown {
    let mut maker = Maker::new("</script><script>alert(1)</script>", 2);
    let name = "<img src=x onerror=alert(1)>\u{202e}gnp.exe\u{0}\u{7}";
    let function = maker.function(0, name, "</style>.c", 1);
    let each = || [vec![1.0, 2.0], vec![0.1, 0.2], vec![1.0, 0.0], vec![8.0, 8.0]];
    maker.centre(function, &[("\u{2067}a.c", 1)], each());
    let long = maker.function(function, &"x".repeat(5000), "</style>.c", 2);
    maker.centre(long, &[("</style>.c", 2)], each());
    let (profile, supersteps) = maker.profile(1);
    let source = ProfileSource {
        file: "</style>.c".into(),
        text: Some("</script><script>alert(2)</script>\u{202e}\n".into()),
        note: String::new(),
    };
    Shown {
        file: "\"><b>.log",
        profile,
        supersteps: Some(supersteps),
        sources: vec![source],
        calls: None,
    }
}

/// One processor, and one superstep.
pub fn alone() -> Shown {
    let mut maker = Maker::new("alone", 1);
    maker.centre(0, &[("a.c", 1)], [vec![1.0], vec![0.0], vec![0.0], vec![0.0]]);
    let (profile, supersteps) = maker.profile(1);
    Shown {
        file: "alone.log",
        profile,
        supersteps: Some(supersteps),
        sources: Vec::new(),
        calls: None,
    }
}

/// A program without any superstep.
pub fn nothing() -> Shown {
    let (profile, supersteps) = Maker::new("nothing", 2).profile(1);
    Shown {
        file: "nothing.log",
        profile,
        supersteps: Some(supersteps),
        sources: Vec::new(),
        calls: None,
    }
}

/// So many processors that each is less than a pixel.
pub fn wide() -> Shown {
    let p = 10_000;
    let mut noise = Noise::new(3);
    let mut maker = Maker::new("wide", p);
    for line in 1..40 {
        let mut values = || (0..p).map(|_| noise.even()).collect::<Vec<f64>>();
        let each = [values(), values(), values(), values()];
        maker.centre(0, &[("w.c", line)], each);
    }
    let (profile, supersteps) = maker.profile(1);
    Shown {
        file: "wide.log",
        profile,
        supersteps: Some(supersteps),
        sources: Vec::new(),
        calls: None,
    }
}

/// A recursion of 24 levels that branches, so that there are many nodes of few functions.
pub fn deep() -> Shown {
    let mut maker = Maker::new("deep", 4);
    let main = maker.function(0, "main", "deep.c", 0);
    let mut level = vec![main];
    for depth in 1..=24u32 {
        let branches = if depth <= 6 { 2 } else { 1 };
        let mut next = Vec::new();
        for parent in level {
            for branch in 0..branches {
                let name = if branch == 0 { "descend_to_the_left" } else { "descend_to_the_right" };
                let node = maker.function(parent, name, "deep.c", 9);
                let value_of = |k: u32| f64::from(k) * f64::from(depth) * 1e-6;
                let each = || (0..4).map(value_of).collect::<Vec<f64>>();
                maker.centre(node, &[("deep.c", 17)], [each(), each(), each(), vec![8.0; 4]]);
                next.push(node);
            }
        }
        level = next;
    }
    let (profile, supersteps) = maker.profile(1);
    Shown {
        file: "deep.log",
        profile,
        supersteps: Some(supersteps),
        sources: Vec::new(),
        calls: None,
    }
}

/// The page of several runs of two versions that differ by noise only, but for the bytes.
pub fn several_runs() -> String {
    let noisy = |seed: u64, faster: bool| {
        let mut noise = Noise::new(seed);
        let mut shown = broadcasts(faster);
        for node in &mut shown.profile.nodes {
            let factor = 1.0 + noise.normal(0.2).clamp(-0.5, 0.5);
            for metric in Metric::ALL.into_iter().filter(|metric| metric.is_time()) {
                let summary = &mut node.costs.metrics[metric.index()];
                *summary = summary.times(factor);
            }
        }
        shown
    };
    let shown = [noisy(1, false), noisy(2, false)];
    let side = |seeds: std::ops::Range<u64>| -> Vec<Profile> {
        seeds.map(|seed| noisy(seed, false).profile).collect()
    };
    page_with(&shown, Some(diff(&side(10..15), &side(20..25), 0.95)))
}
