//! The functions and loops of a file that can be measured, in every variant of its conditional groups.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use cll_csource::conditional::Conditionals;
use cll_csource::file::Function;
use cll_csource::tree::Tree;

use super::directives::Groups;
use super::loops::{Placed, nested_functions, outermost};
use super::{UnnamedExperiment, body, candidates};
use crate::file::{MAX_VARIANTS, extent};
use crate::made::{Made, ThreadEnd};
use crate::marks::Marked;
use crate::regions::{Site, entered, thread_ends};
use crate::translation::{LeftOut, RegionKind};

/// The parts of a function in one variant: those that are left out, and the loops.
struct Seen {
    left_out: Vec<Range<usize>>,
    loops: Vec<UnnamedExperiment>,
}

/// Everything that can be measured, in the order of the text, and what cannot.
pub(super) fn find(
    marked: &Marked<'_>,
    line: &dyn Fn(usize) -> usize,
) -> (Vec<UnnamedExperiment>, Vec<LeftOut>) {
    let groups = Groups::new(marked.file.source);
    let places: Vec<Range<usize>> = {
        let variant = marked.file.variant(&[], 0);
        variant.functions().iter().map(|function| extent(&variant, function)).collect()
    };
    let conditionals = marked.file.conditionals();
    let count = conditionals.variants(&places);
    let mut left_out: Vec<LeftOut> = Vec::new();
    let mut functions: BTreeMap<usize, UnnamedExperiment> = BTreeMap::new();
    let mut seen: BTreeMap<usize, Vec<Seen>> = BTreeMap::new();
    let mut known: BTreeSet<(usize, Vec<usize>)> = BTreeSet::new();
    let mut calls: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut ends: BTreeSet<ThreadEnd> = BTreeSet::new();
    for number in 0..count.min(MAX_VARIANTS) {
        let variant = marked.file.variant(&places, number);
        let handlers = body::handlers(&variant);
        for function in variant.functions() {
            let bytes = extent(&variant, &function);
            let selection = Conditionals::fingerprint(&variant.left_out, &bytes);
            if !known.insert((bytes.start, selection)) {
                continue;
            }
            let called = body::calls(&variant, function.open, function.close);
            calls.entry(function.name.clone()).or_default().extend(called.iter().cloned());
            let mut leave = |name: String, at: usize, why: String| {
                left_out.push(LeftOut { name, line: line(at), why });
            };
            let brace = variant.tokens[function.open].start;
            if let Some(why) = body::hindrance(&variant, &function, &called, &handlers) {
                leave(function.name.clone(), brace, why);
                continue;
            }
            let tree = Tree::parse(&variant, &function);
            if tree.too_deep {
                leave(function.name.clone(), brace, "it nests too deeply".to_owned());
                continue;
            }
            let site = Site { marked, variant: &variant, function: &function, tree: &tree };
            match body::divides(&called) {
                Some(why) => leave(function.name.clone(), brace, why),
                None => {
                    functions.entry(bytes.start).or_insert_with(|| function_region(&site, &bytes));
                }
            }
            ends.extend(thread_ends(&site).map(|(_, end)| end));
            for (name, offset) in nested_functions(&site) {
                let name = format!("{name} in {}", function.name);
                leave(name, offset, "it is a function inside the function".to_owned());
            }
            let (loops, others) = loops(&site, &groups, line);
            left_out.extend(others);
            let left_out = variant.left_out.clone();
            seen.entry(bytes.start).or_default().push(Seen { left_out, loops });
        }
    }
    let mut experiments: Vec<UnnamedExperiment> = functions.into_values().collect();
    for variants in seen.into_values() {
        experiments.extend(agreed(&variants, count > MAX_VARIANTS, &mut left_out, line));
    }
    let recursive: BTreeSet<String> =
        calls.keys().filter(|name| reaches(&calls, name)).cloned().collect();
    for region in &mut experiments {
        region.extent.is_recursive = recursive.contains(&region.extent.function);
        let within = region.extent.open..=region.extent.last;
        region.extent.thread_ends =
            ends.iter().filter(|end| within.contains(&end.start)).copied().collect();
    }
    experiments.sort_by_key(|region| (region.extent.open, region.kind == RegionKind::Loop));
    (experiments, left_out)
}

/// The loops of a function that can be measured, and those that cannot.
fn loops(
    site: &Site<'_>,
    groups: &Groups,
    line: &dyn Fn(usize) -> usize,
) -> (Vec<UnnamedExperiment>, Vec<LeftOut>) {
    let (mut loops, mut left_out) = (Vec::new(), Vec::new());
    let left = |at: usize, why: String| LeftOut {
        name: format!("a loop in {} (line {})", site.function.name, line(at)),
        line: line(at),
        why,
    };
    for result in outermost(site, &entered(site)) {
        match result {
            Err((at, why)) => left_out.push(left(at, why)),
            Ok(placed) => match hindrance(site, &placed, groups) {
                Some(why) => left_out.push(left(placed.offset, why)),
                None => loops.push(of_loop(site, &placed)),
            },
        }
    }
    (loops, left_out)
}

fn function_region(site: &Site<'_>, bytes: &Range<usize>) -> UnnamedExperiment {
    let Function { name, open, close } = site.function;
    let candidates = candidates(site.variant, site.function, site.tree, open + 1, *close);
    let extent = Made {
        open: site.beginning(0),
        close: None,
        last: bytes.end.saturating_sub(1),
        function: name.clone(),
        is_recursive: false,
        thread_ends: Vec::new(),
    };
    UnnamedExperiment { extent, kind: RegionKind::Function, offset: bytes.start, candidates }
}

fn of_loop(site: &Site<'_>, placed: &Placed) -> UnnamedExperiment {
    let (_, end) = placed.tokens;
    let candidates = candidates(site.variant, site.function, site.tree, placed.keyword, end);
    let extent = Made {
        open: placed.open,
        close: Some(placed.close),
        last: placed.close.saturating_sub(1),
        function: site.function.name.clone(),
        is_recursive: false,
        thread_ends: Vec::new(),
    };
    UnnamedExperiment { extent, kind: RegionKind::Loop, offset: placed.offset, candidates }
}

/// Why a loop that could be placed in this variant is left out.
fn hindrance(site: &Site<'_>, placed: &Placed, groups: &Groups) -> Option<String> {
    if !groups.holds_together(&(placed.open..placed.close)) {
        return Some("it begins and ends in different branches of a conditional group".to_owned());
    }
    let (first, end) = placed.tokens;
    body::divides(&body::calls(site.variant, first, end))
}

/// The loops that every variant has in which their begin is compiled.
fn agreed(
    variants: &[Seen],
    is_partial: bool,
    left_out: &mut Vec<LeftOut>,
    line: &dyn Fn(usize) -> usize,
) -> Vec<UnnamedExperiment> {
    let mut experiments: Vec<UnnamedExperiment> = Vec::new();
    for region in variants.iter().flat_map(|seen| &seen.loops) {
        let same = |other: &UnnamedExperiment| {
            (other.extent.open, other.extent.close) == (region.extent.open, region.extent.close)
        };
        if experiments.iter().any(same) {
            continue;
        }
        let is_in_all = variants.iter().all(|seen| {
            seen.left_out.iter().any(|range| range.contains(&region.offset))
                || seen.loops.iter().any(same)
        });
        if is_in_all && !is_partial {
            experiments.push(region.clone());
            continue;
        }
        left_out.push(LeftOut {
            name: format!("a loop in {} (line {})", region.extent.function, line(region.offset)),
            line: line(region.offset),
            why: "it differs among the branches of conditional groups".to_owned(),
        });
    }
    experiments
}

/// Whether calls lead from a function back to it.
fn reaches(calls: &BTreeMap<String, BTreeSet<String>>, name: &str) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open = vec![name];
    while let Some(caller) = open.pop() {
        for next in calls.get(caller).into_iter().flatten() {
            if next == name {
                return true;
            }
            if calls.contains_key(next) && seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}
