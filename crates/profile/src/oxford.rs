//! Profiles of the Oxford BSP Toolset (`PROF.bsp`, 1997).
//!
//! One record a line, by its first letter: `D` date, `F` flags, `N` architecture, `X` device, `P` processors,
//! `E` elapsed seconds, `s` a synchronisation point, `A` a cost centre with its call stack, figures and processors.

use std::collections::HashMap;

use cll_diagnostic::Diagnostic;
use cll_units::Seconds;

use crate::metric::{Costs, Metric, Summary};
use crate::note::Note;
use crate::profile::{End, Frame, Node, NodeKind, Profile, Source};

/// A number of processors from this on is regarded as damage.
const TOO_MANY: u32 = 1 << 20;

/// Whether a text may be such a profile. A log is never taken for one.
pub fn is_profile(bytes: &[u8]) -> bool {
    if bytes.starts_with(&cll_trace::layout::BLOCK_MAGIC.to_le_bytes()) {
        return false;
    }
    let start = &bytes[..bytes.len().min(1 << 16)];
    let lines = start.split(|&byte| byte == b'\n').take(200);
    let known = lines.filter(|line| {
        matches!(line, [b'D' | b'F' | b'N' | b'X' | b'P' | b's' | b'E', b' ', ..])
            || line.starts_with(b"A <")
    });
    known.count() >= 2
}

/// Reads a profile. As in the file, the communication of single processors includes waiting.
///
/// # Errors
/// If it cannot be used at all; the error says where and why.
pub fn read(bytes: &[u8]) -> Result<Profile, Diagnostic> {
    let mut reader = Reader::default();
    let mut offset = 0;
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let text = String::from_utf8_lossy(line);
        reader.line(number + 1, text.trim_end_matches('\r'), offset)?;
        offset += line.len() + 1;
    }
    reader.finish(bytes.len())
}

#[derive(Default)]
struct Reader {
    date: String,
    flags: String,
    architecture: String,
    device: String,
    processors: Option<u32>,
    elapsed_s: Option<f64>,
    centres: Vec<Centre>,
    notes: Vec<Note>,
}

/// A cost centre as its line has it.
struct Centre {
    line: u32,
    file: String,
    /// Innermost first.
    functions: Vec<String>,
    costs: Costs,
    each: Vec<[f64; 4]>,
    of_line: usize,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str, offset: usize) -> Result<(), Diagnostic> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "D" => rest.clone_into(&mut self.date),
            "F" => rest.clone_into(&mut self.flags),
            "N" => rest.clone_into(&mut self.architecture),
            "X" => rest.clone_into(&mut self.device),
            "P" => match rest.parse() {
                Ok(processors) if (1..TOO_MANY).contains(&processors) => {
                    self.processors = Some(processors);
                }
                _ => {
                    let what = format!("this is no number of processors: {}", brief(rest));
                    return Err(Diagnostic::error("P002", offset..offset + line.len(), what));
                }
            },
            "E" => match rest.parse::<f64>() {
                Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => {
                    self.elapsed_s = Some(seconds)
                }
                _ => self.note(number, format!("this is no time: {}", brief(rest))),
            },
            // Points stand in the centres, too.
            "s" | "" => {}
            "A" => match self.centre(number, rest) {
                Ok(centre) => self.centres.push(centre),
                Err(what) => self.note(number, format!("this centre is left out: {what}")),
            },
            _ => self.note(number, format!("no record begins like this: {}", brief(line))),
        }
        Ok(())
    }

    fn note(&mut self, line: usize, what: String) {
        self.notes.push(Note::Field { line, what });
    }

    fn centre(&mut self, number: usize, text: &str) -> Result<Centre, String> {
        let inside = text.strip_prefix('<').ok_or("it does not begin with <")?;
        // Names of functions may have > in them; the list ends before the figures.
        let (place, figures) = inside.rsplit_once("> with ").ok_or("> with is missing")?;
        let (place, stack) = place.trim().split_once(" of ").ok_or("LINE of FILE is missing")?;
        let line = place.trim().parse().map_err(|_| format!("{} is no line", brief(place)))?;
        let (file, stack) = stack.split_once(' ').unwrap_or((stack, ""));
        let functions = stack.split(',').map(str::trim).filter(|name| !name.is_empty());
        let functions: Vec<String> = functions.map(str::to_owned).collect();
        let mut words = figures.split_whitespace();
        let count = words.next().unwrap_or_default();
        let supersteps: f64 =
            count.parse::<u64>().map_err(|_| format!("{} is no count", brief(count)))? as f64;
        let mut costs = Costs { supersteps, ..Costs::default() };
        expect(words.next(), "SYNCS")?;
        for (metric, name) in Metric::ALL.into_iter().zip(["COMP", "COMM", "COMPIDLE", "HREL"]) {
            let mut figure = || -> Result<f64, String> {
                let word = words.next().ok_or_else(|| format!("{name} is missing"))?;
                let value = word.parse::<f64>().ok().filter(|value| value.is_finite());
                value.ok_or_else(|| format!("{} is no number for {name}", brief(word)))
            };
            let (maximum, average, minimum) = (figure()?, figure()?, figure()?);
            costs.metrics[metric.index()] = Summary { maximum, average, minimum };
            expect(words.next(), name)?;
        }
        let lists = words.collect::<Vec<_>>().concat();
        let mut each = Vec::new();
        for list in lists.split(';').filter(|list| !list.is_empty()) {
            let figures: Vec<Option<f64>> = list
                .split(',')
                .map(|word| word.parse().ok().filter(|value: &f64| value.is_finite()))
                .collect();
            if figures.len() != 5 || figures.contains(&None) {
                let what = format!("processor {} has no five figures: {}", each.len(), brief(list));
                self.note(number, what);
            }
            let figure = |index: usize| figures.get(index).copied().flatten().unwrap_or(0.0);
            each.push([figure(0), figure(1), figure(2), figure(3).max(figure(4))]);
        }
        Ok(Centre { line, file: file.to_owned(), functions, costs, each, of_line: number })
    }

    fn finish(mut self, size: usize) -> Result<Profile, Diagnostic> {
        let end = size..size;
        if self.centres.is_empty() {
            let wrong = Diagnostic::error("P001", end, "there is no cost centre in it");
            return Err(
                wrong.help("a profile of the Oxford BSP Toolset has lines that begin with A <")
            );
        }
        let number = self.centres.iter().map(|centre| centre.each.len()).max().unwrap_or(0);
        let processors = match self.processors {
            Some(processors) => processors,
            None if number > 0 => {
                let what = format!("no line P has the processors; {number} are in its centres");
                self.note(1, what);
                number as u32
            }
            None => {
                let wrong = "neither a line P nor a centre has the number of processors";
                return Err(Diagnostic::error("P002", end, wrong));
            }
        };
        for index in 0..self.centres.len() {
            let (has, line) = (self.centres[index].each.len(), self.centres[index].of_line);
            if has != processors as usize {
                self.note(line, format!("it has figures of {has} processors, not of {processors}"));
                self.centres[index].each.resize(processors as usize, [0.0; 4]);
            }
        }
        let mut nodes = self.nodes(processors as usize);
        crate::gather::inherit(&mut nodes);
        for index in (1..nodes.len()).rev() {
            let costs = nodes[index].costs;
            if let Some(parent) = nodes[index].parent {
                nodes[parent].costs += costs;
            }
        }
        let idle = Metric::Idle.index();
        let exceeds = |node: &&Node| {
            let most = node.each[idle].iter().copied().fold(0.0, f64::max);
            node.kind.is_centre() && most > node.costs.metrics[idle].maximum * (1.0 + 1e-6) + 1e-6
        };
        let centres = nodes.iter().filter(exceeds).count();
        if centres > 0 {
            let total = self.centres.len();
            self.notes.push(Note::IdleExceeds { centres, of: total });
        }
        let sum_s = nodes[0].costs.time();
        let elapsed_s = self.elapsed_s.unwrap_or(sum_s);
        if self.elapsed_s.is_none() {
            self.note(1, "no line E has the time of the program".to_owned());
        } else if sum_s > elapsed_s * 1.01 {
            self.notes
                .push(Note::MoreThanElapsed { sum: Seconds(sum_s), elapsed: Seconds(elapsed_s) });
        }
        let Reader { date, flags, architecture, device, notes, .. } = self;
        let source = Source::Oxford { date, flags, architecture, device };
        let elapsed = Seconds(elapsed_s);
        Ok(Profile { source, processors, elapsed, h_unit: 4, nodes, notes })
    }

    fn nodes(&self, processors: usize) -> Vec<Node> {
        let empty = |kind, parent| Node {
            kind,
            parent,
            children: Vec::new(),
            costs: Costs::default(),
            each: std::array::from_fn(|_| vec![0.0; processors]),
            last: vec![0; processors],
        };
        let mut nodes = vec![empty(NodeKind::Program { name: "program".to_owned() }, None)];
        let mut known: HashMap<(usize, NodeKind), usize> = HashMap::new();
        for centre in &self.centres {
            let mut current = 0;
            let functions = centre.functions.iter().rev().map(|name| {
                NodeKind::Function(Frame { function: name.clone(), ..Frame::default() })
            });
            let (file, line) = (centre.file.clone(), centre.line);
            let ends = vec![End { file, line, ..End::default() }];
            let leaf = match centre.file.as_str() {
                "bsp_begin" => NodeKind::Start,
                "bsp_end" => NodeKind::End { ends: Vec::new() },
                _ => NodeKind::Centre { ends },
            };
            for kind in functions.chain([leaf]) {
                let next = nodes.len();
                let node = *known.entry((current, kind.clone())).or_insert(next);
                if node == next {
                    nodes.push(empty(kind, Some(current)));
                    nodes[current].children.push(node);
                }
                current = node;
            }
            nodes[current].costs += centre.costs;
            for (processor, figures) in centre.each.iter().enumerate().take(processors) {
                for (each, figure) in nodes[current].each.iter_mut().zip(figures) {
                    each[processor] += figure;
                }
            }
        }
        nodes
    }
}

fn expect(word: Option<&str>, expected: &str) -> Result<(), String> {
    match word {
        Some(word) if word == expected => Ok(()),
        Some(word) => Err(format!("{} stands where {expected} should", brief(word))),
        None => Err(format!("{expected} is missing")),
    }
}

/// The beginning of a text from outside, short enough for a message.
pub(crate) fn brief(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text[..end].escape_debug()),
        None => text.escape_debug().to_string(),
    }
}
