//! Documents as Markdown.

use super::{Block, Document, Medium, Section, Title, Verdict};
use crate::text::{Align, Table};

/// All sections, each below a heading if it has a title.
pub(crate) fn document(document: &Document) -> String {
    let parts = document.sections.iter().map(section).filter(|text| !text.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

fn section(section: &Section) -> String {
    let mut parts = Vec::new();
    match &section.title {
        Title::None => {}
        Title::Report { name, about } => {
            parts.push(format!("# {}\n\n{}\n", text(name), text(about)));
        }
        Title::Subject { name, place } if place.is_empty() => {
            parts.push(format!("# {}\n", text(name)));
        }
        Title::Subject { name, place } => {
            parts.push(format!("# {} ({})\n", text(name), text(place)));
        }
        Title::Part { text: title, remark } => {
            parts.push(format!("## {}\n", text(title)));
            if !remark.is_empty() {
                parts.push(format!("*{}*\n", text(remark)));
            }
        }
        Title::Plain(title) => parts.push(format!("## {}\n", text(title))),
    }
    parts.extend(section.blocks.iter().map(block).filter(|text| !text.is_empty()));
    parts.join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Paragraph { text, .. } | Block::Line { text, .. } => {
            format!("{}\n", self::text(text))
        }
        Block::Named(rows) => {
            let rows =
                rows.iter().map(|(name, of, _)| format!("- **{}**: {}\n", text(name), text(of)));
            rows.collect()
        }
        Block::Table { table, .. } => self::table(table),
        Block::Tree { tree, .. } => self::table(&tree.table()),
        Block::Verdict(of) => verdict(of),
        Block::Notices(all) => {
            let rows = all.iter().map(|notice| match notice.code.as_str() {
                "" => format!("- {}\n", text(&notice.text)),
                code => format!("- {} `{code}`\n", text(&notice.text)),
            });
            rows.collect()
        }
        Block::Formulas(all) => {
            let doubt = if all.is_doubtful { "? " } else { "" };
            let rows = all.lines.iter().map(|(right, place)| {
                let place = place.as_ref().map(|place| format!(" for {}", text(place)));
                let formula = code(&format!("{doubt}{} = {right}", all.left));
                format!("- {formula}{}\n", place.unwrap_or_default())
            });
            let levels = all.levels.iter();
            let levels = levels.map(|(name, own)| format!("- {}: {}\n", code(name), text(own)));
            rows.chain(levels).collect()
        }
        Block::Live { blocks, .. } => blocks.iter().map(self::block).collect(),
        Block::Only(Medium::Terminal, one) => self::block(one),
        Block::Only(Medium::Page, _) | Block::Plot { .. } | Block::Space => String::new(),
    }
}

fn verdict(of: &Verdict) -> String {
    let all = of.reasons.iter().chain(&of.advice).map(|reason| format!("- {}\n", text(reason)));
    let all: Vec<String> = all.collect();
    let space = if all.is_empty() { "" } else { "\n" };
    format!("**{}**\n{space}{}", text(&of.name), all.concat())
}

/// Columns that are empty in every row are left out. A column that continues another is appended to it.
fn table(table: &Table) -> String {
    let used = table.used();
    let heads: Vec<usize> =
        used.iter().copied().filter(|&c| table.columns[c].gap != 1 || c == used[0]).collect();
    let of = |cell: &dyn Fn(usize) -> String| -> String {
        let cells = heads.iter().enumerate().map(|(k, &head)| {
            let end = heads.get(k + 1).copied().unwrap_or(table.columns.len());
            let joined = used.iter().filter(|&&c| head <= c && c < end).map(|&c| cell(c));
            joined.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
        });
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    if heads.is_empty() {
        return String::new();
    }
    let rules: Vec<&str> = heads
        .iter()
        .map(|&c| match table.columns[c].align {
            Align::Left => "---",
            Align::Right => "---:",
        })
        .collect();
    let mut out = of(&|c| text(&table.columns[c].title));
    out.push_str(&format!("| {} |\n", rules.join(" | ")));
    out.extend(table.rows.iter().map(|row| of(&|c| text(&row[c].text))));
    out
}

/// Text in which nothing is markup.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if "\\`*_{}[]<>#|".contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

/// Text as code, with any content.
fn code(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{text}{fence}"),
        _ => format!("{fence} {text} {fence}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Formulas, Notice};
    use super::*;
    use crate::style::Role;
    use crate::text::{Cell, Column};

    #[test]
    fn everything_has_its_markup() {
        let mut table = Table::new(vec![
            Column::left("constant"),
            Column::right("value"),
            Column::left("").joined(),
            Column::left("empty"),
        ]);
        table.row(["f[0]", "1.2", "± 0.1 s", ""].map(Cell::new));
        let formulas = Formulas {
            left: "t".into(),
            lines: vec![("1 s*N".into(), Some("N > 2".into()))],
            levels: vec![("f[0]".to_owned(), "1 ns up to N = 3".to_owned())],
            is_doubtful: false,
        };
        let notice = |code: &str| Notice { code: code.into(), text: "beyond".into() };
        let blocks = vec![
            Block::Formulas(formulas),
            Block::table(table, "Constants"),
            Block::Space,
            Block::Named(vec![("error".into(), "5 %".into(), Role::Plain)]),
            Block::Notices(vec![notice("far"), notice("")]),
            Block::paragraph("only there", Role::Plain).on_page(),
        ];
        let all = Document::new([
            Section::default(),
            Section::new("Part", "a remark", blocks),
            Section::plain("Plain").line("a line"),
        ]);
        let expected = "\
## Part

*a remark*

- `t = 1 s*N` for N \\> 2
- `f[0]`: 1 ns up to N = 3

| constant | value |
| --- | ---: |
| f\\[0\\] | 1.2 ± 0.1 s |

- **error**: 5 %

- beyond `far`
- beyond

## Plain

a line
";
        assert_eq!(all.markdown(), expected);
    }

    #[test]
    fn names_are_no_markup() {
        assert_eq!(text("<b> | `x` [a](b)"), "\\<b\\> \\| \\`x\\` \\[a\\](b)");
        assert_eq!((code("a*b"), code("a`b")), ("`a*b`".into(), "`` a`b ``".into()));
    }
}
