//! The program's text with its regions.

use cll_result::ExperimentModel;

use super::called;
use super::html::Html;
use super::upsilon::{Column, PageSets, tables};
use crate::notation::Notation;

/// Number of lines around a region that are visible at first.
const CONTEXT_LINES: usize = 3;
/// Fewer lines than these are not folded away.
const MIN_FOLDED_LINES: usize = 8;
/// Bytes of folded text that are kept in the page, for each source.
const MAX_FOLDED_BYTES: usize = 1 << 20;

/// A source of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSource {
    /// The name of the file, as places have it.
    pub file: String,
    /// The text of the file; `None` if it is not at hand.
    pub text: Option<String>,
    /// A note on it: why there is no text, or that the file may have changed.
    pub note: String,
    /// The regions that experiments measure in it.
    pub regions: Vec<PageRegion>,
    /// The statements of the constants of its experiments, if they are known.
    pub sets: Option<PageSets>,
}

/// A region of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRegion {
    /// Index of its experiment in the model.
    pub experiment: usize,
    /// The first line of the region, from 1.
    pub begin: usize,
    /// The last line of the region; the first if that is not known.
    pub end: usize,
}

/// The link to a place such as `file.c:12` of an experiment on the page.
pub(crate) fn target(sources: &[PageSource], experiment: usize, place: &str) -> Option<String> {
    let (file, line) = place.rsplit_once(':')?;
    let line: usize = line.parse().ok()?;
    let number = sources.iter().position(|source| {
        let here = |region: &PageRegion| region.experiment == experiment && region.begin == line;
        source.file == file && source.text.is_some() && source.regions.iter().any(here)
    })?;
    Some(format!("#s{number}-{line}"))
}

/// The section. Nothing if there is no source.
pub(crate) fn sources(out: &mut Html, sources: &[PageSource], experiments: &[ExperimentModel]) {
    if sources.is_empty() {
        return;
    }
    out.open("section", &[("id", "source"), ("aria-labelledby", "source-title")]);
    out.element("h2", &[("id", "source-title")], "Source");
    for (number, source) in sources.iter().enumerate() {
        out.open("div", &[("class", "part source")]);
        out.open("h3", &[]);
        out.element("bdi", &[], &source.file);
        out.close();
        if !source.note.is_empty() {
            out.element("p", &[("class", "faint")], &source.note);
        }
        if let Some(text) = &source.text {
            if let Some(sets) = &source.sets {
                tables(out, number, sets, experiments);
            }
            body(out, number, text, source, experiments);
        }
        out.close();
    }
    out.close();
}

/// The text: lines near a region are visible, the others are folded.
fn body(
    out: &mut Html,
    number: usize,
    text: &str,
    source: &PageSource,
    experiments: &[ExperimentModel],
) {
    let regions = &source.regions[..];
    let column = source.sets.as_ref().map(|page| Column::new(&page.sets));
    let column = column.as_ref();
    let lines: Vec<&str> = text.lines().collect();
    let mut near = vec![false; lines.len()];
    for region in regions {
        let from = region.begin.saturating_sub(1 + CONTEXT_LINES);
        let to = (region.end.max(region.begin) + CONTEXT_LINES).min(lines.len());
        near.get_mut(from..to).into_iter().flatten().for_each(|line| *line = true);
    }
    for line in column.iter().flat_map(|column| column.lines()) {
        near.get_mut(line.wrapping_sub(1)).into_iter().for_each(|line| *line = true);
    }
    let mut kept = MAX_FOLDED_BYTES;
    let mut start = 0;
    while start < lines.len() {
        let end = (start..lines.len()).find(|&k| near[k] != near[start]).unwrap_or(lines.len());
        let lines = &lines[start..end];
        let block = Block { number, first: start, lines, regions, experiments, column };
        if near[start] || end - start < MIN_FOLDED_LINES {
            block.write(out);
        } else {
            let size: usize = block.lines.iter().map(|line| line.len() + 1).sum();
            let count = Notation::Unicode.count(end - start, "line", "lines");
            out.open("details", &[]);
            let summary = format!("{count}, {} to {end}", start + 1);
            out.element("summary", &[], &summary);
            if size <= kept {
                kept -= size;
                block.write(out);
            } else {
                out.element("p", &[("class", "faint")], "Too long to be kept in the page.");
            }
            out.close();
        }
        start = end;
    }
}

/// Lines that follow each other.
struct Block<'a> {
    number: usize,
    first: usize,
    lines: &'a [&'a str],
    regions: &'a [PageRegion],
    experiments: &'a [ExperimentModel],
    column: Option<&'a Column>,
}

impl Block<'_> {
    fn write(&self, out: &mut Html) {
        let label = format!("Lines {} to {}", self.first + 1, self.first + self.lines.len());
        let attributes =
            [("class", "code"), ("tabindex", "0"), ("role", "group"), ("aria-label", &label)];
        out.open("div", &attributes);
        out.open("pre", &[]);
        for (k, line) in self.lines.iter().enumerate() {
            self.line(out, self.first + k + 1, line);
        }
        out.close();
        out.close();
    }

    fn line(&self, out: &mut Html, line: usize, text: &str) {
        // The innermost region, which is the one that begins last.
        let within = |r: &&PageRegion| r.begin <= line && line <= r.end.max(r.begin);
        let region = self.regions.iter().filter(within).max_by_key(|r| r.begin);
        let class = match region {
            Some(region) => format!("line in r{}", region.experiment % 6),
            None => "line".to_owned(),
        };
        let (id, shown) = (format!("s{}-{line}", self.number), line.to_string());
        out.open("span", &[("class", &class), ("id", &id)]);
        out.element("span", &[("class", "no"), ("data-line", &shown)], "");
        if let Some(column) = self.column {
            column.write(out, line);
        }
        out.open("span", &[("class", "text")]);
        out.verbatim(text);
        out.close();
        for begun in self.regions.iter().filter(|region| region.begin == line) {
            if let Some(experiment) = self.experiments.get(begun.experiment) {
                let target = format!("#e{}", begun.experiment);
                out.open("a", &[("href", &target), ("class", "to")]);
                out.element("bdi", &[], called(experiment));
                out.close();
            }
        }
        out.close();
        out.raw_text("\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(lines: usize) -> PageSource {
        PageSource {
            file: "a.c".into(),
            text: Some((1..=lines).map(|k| format!("line {k};\n")).collect()),
            note: String::new(),
            regions: vec![PageRegion { experiment: 0, begin: 20, end: 22 }],
            sets: None,
        }
    }

    fn written(source: PageSource) -> String {
        let mut out = Html::default();
        sources(&mut out, &[source], &[]);
        out.finish()
    }

    #[test]
    fn what_is_far_from_regions_is_folded() {
        let text = written(source(40));
        assert!(text.contains("<summary>16 lines, 1 to 16</summary>"), "{text}");
        assert!(text.contains("<summary>15 lines, 26 to 40</summary>"), "{text}");
        for line in 1..=40 {
            assert!(text.contains(&format!("line {line};")), "{line}");
            assert!(text.contains(&format!("id=\"s0-{line}\"")), "{line}");
        }
        assert_eq!(text.matches("line in r0").count(), 3);
        assert_eq!(written(PageSource { text: None, ..source(1) }).matches("<pre>").count(), 0);
    }

    #[test]
    fn endless_sources_are_not_kept() {
        let long = "x".repeat(2000) + "\n";
        let text = Some(long.repeat(1000));
        let text = written(PageSource { text, regions: Vec::new(), ..source(0) });
        assert!(text.len() < 1000, "{}", text.len());
        assert!(text.contains("Too long"));
    }

    #[test]
    fn regions_that_are_not_in_the_text_are_harmless() {
        let regions = vec![
            PageRegion { experiment: 7, begin: 0, end: 0 },
            PageRegion { experiment: 0, begin: 9, end: 3 },
            PageRegion { experiment: 0, begin: usize::MAX - 9, end: usize::MAX - 9 },
        ];
        assert!(written(PageSource { regions, ..source(5) }).contains("line 5;"));
    }

    #[test]
    fn places_lead_to_their_lines() {
        let all = [source(40)];
        assert_eq!(target(&all, 0, "a.c:20").as_deref(), Some("#s0-20"));
        for other in ["a.c:21", "b.c:20", "a.c", "a.c:x"] {
            assert_eq!(target(&all, 0, other), None, "{other}");
        }
        assert_eq!(target(&all, 1, "a.c:20"), None);
    }
}
