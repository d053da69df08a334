//! Documents as text in columns.

use super::{Block, Document, Formulas, Medium, Notice, Section, Title, Verdict};
use crate::style::{Role, Style};
use crate::text::{columns, pad, wrap};

/// Indentation of everything under a title.
pub(crate) const INDENT: usize = 2;

/// All sections, an empty line between them.
pub(crate) fn document(document: &Document, style: &Style) -> String {
    let mut out = String::new();
    for (number, part) in document.sections.iter().enumerate() {
        if number > 0 && !part.is_joined {
            out.push('\n');
        }
        out.push_str(&section(part, style));
    }
    out
}

/// One section.
pub(crate) fn section(section: &Section, style: &Style) -> String {
    let mut out = match &section.title {
        Title::None => String::new(),
        Title::Report { name, about } => {
            subject(name, "", style) + &paragraph(about, INDENT, Role::Faint, style) + "\n"
        }
        Title::Subject { name, place } => subject(name, place, style),
        Title::Part { text, remark } => title(text, remark, style),
        Title::Plain(text) => format!("{text}\n"),
    };
    section.blocks.iter().for_each(|child| out.push_str(&block(child, style)));
    out
}

fn block(block: &Block, style: &Style) -> String {
    match block {
        Block::Paragraph { mark, text, role } => hanging(mark, text, INDENT, *role, style),
        Block::Line { indent, text } => format!("{}{text}\n", " ".repeat(*indent)),
        Block::Space => "\n".to_owned(),
        Block::Named(rows) => {
            let width = rows.iter().map(|(name, ..)| columns(name)).max().unwrap_or(0);
            rows.iter().map(|(name, text, role)| named(name, width, text, *role, style)).collect()
        }
        Block::Table { table, indent, .. } => table.render(style, *indent),
        Block::Tree { tree, on_terminal } => tree.render(style, *on_terminal),
        Block::Notices(all) => all.iter().map(|entry| notice(entry, style)).collect(),
        Block::Verdict(judgement) => verdict(judgement, style),
        Block::Formulas(all) => formulas(all, style),
        Block::Live { blocks, .. } => {
            blocks.iter().map(|child| self::block(child, style)).collect()
        }
        Block::Only(Medium::Terminal, inner) => self::block(inner, style),
        Block::Only(Medium::Page, _) | Block::Plot { .. } => String::new(),
    }
}

fn subject(name: &str, place: &str, style: &Style) -> String {
    let mut out = style.paint(Role::Title, name);
    if !place.is_empty() {
        out.push_str("  ");
        out.push_str(&style.paint(Role::Faint, place));
    }
    out.push('\n');
    out
}

/// A warning with its mark before it and its code after it: `! N = 9000: … [beyond]`.
fn notice(Notice { code, text }: &Notice, style: &Style) -> String {
    match code.as_str() {
        "" => hanging("! ", text, INDENT, Role::Caution, style),
        code => hanging("! ", &format!("{text} [{code}]"), INDENT, Role::Plain, style),
    }
}

/// A title, followed by a remark.
fn title(text: &str, remark: &str, style: &Style) -> String {
    let mut out = style.paint(Role::Heading, text);
    let remark = if remark.is_empty() { String::new() } else { format!("({remark})") };
    if remark.is_empty() {
        out.push('\n');
        return out;
    }
    if columns(text) + 1 + columns(&remark) <= style.columns() {
        out.push(' ');
        out.push_str(&style.paint(Role::Faint, &remark));
        out.push('\n');
        return out;
    }
    out.push('\n');
    out + &paragraph(&remark, INDENT, Role::Faint, style)
}

/// Text in lines that fit, each with this indentation. The text must have been escaped.
fn paragraph(text: &str, indent: usize, role: Role, style: &Style) -> String {
    hanging("", text, indent, role, style)
}

/// As [`paragraph`], with a mark at the beginning of the first line.
pub(crate) fn hanging(mark: &str, text: &str, indent: usize, role: Role, style: &Style) -> String {
    let inner = indent + columns(mark);
    let mut out = String::new();
    for (k, line) in wrap(text, style.columns().saturating_sub(inner)).iter().enumerate() {
        let before = if k == 0 { mark.to_owned() } else { " ".repeat(columns(mark)) };
        out.push_str(&" ".repeat(indent));
        out.push_str(&style.paint(Role::Caution, before.trim_end()));
        out.push_str(&" ".repeat(columns(&before) - columns(before.trim_end())));
        out.push_str(&style.paint(role, line));
        out.push('\n');
    }
    out
}

/// `name  text`, the text in lines of its own column.
fn named(name: &str, width: usize, text: &str, role: Role, style: &Style) -> String {
    let inner = INDENT + width + 2;
    let mut out = String::new();
    let lines = wrap(text, style.columns().saturating_sub(inner));
    for (k, line) in lines.iter().enumerate() {
        let before = pad(if k == 0 { name } else { "" }, width, false);
        out.push_str(&" ".repeat(INDENT));
        out.push_str(&style.paint(Role::Faint, &before));
        out.push_str("  ");
        out.push_str(&style.paint(role, line));
        out.push('\n');
    }
    out
}

/// The formula with constants, one line for each interval.
fn formulas(all: &Formulas, style: &Style) -> String {
    let left = format!("{}{} = ", if all.is_doubtful { "? " } else { "" }, all.left);
    let lines = &all.lines;
    let widest = lines.iter().map(|(right, _)| columns(right)).max().unwrap_or(0);
    let mut out = String::new();
    for (right, place) in lines {
        let text = match &place {
            None => right.clone(),
            Some(place) => {
                let spaces = widest - columns(right) + 3;
                let line = format!("{right}{}for {place}", " ".repeat(spaces));
                if INDENT + columns(&left) + columns(&line) <= style.columns() {
                    // Aligned, and on one line: written as it is.
                    out.push_str(&" ".repeat(INDENT));
                    out.push_str(&left);
                    out.push_str(&style.paint(Role::Value, right));
                    out.push_str(&" ".repeat(spaces));
                    out.push_str(&format!("for {place}\n"));
                    continue;
                }
                format!("{right} for {place}")
            }
        };
        out.push_str(&hanging(&left, &text, INDENT, Role::Value, style));
    }
    for (name, sentence) in &all.levels {
        out.push_str(&hanging(&format!("{name} = "), sentence, 2 * INDENT, Role::Value, style));
    }
    out
}

/// The shape for the colour of a role.
fn mark(role: Role, style: &Style) -> &'static str {
    match role {
        Role::Good => style.glyph("✓", "ok:"),
        _ => "!",
    }
}

fn verdict(judgement: &Verdict, style: &Style) -> String {
    let mut out = paragraph(
        &format!("{} {}", mark(judgement.role, style), judgement.name),
        0,
        judgement.role,
        style,
    );
    for reason in &judgement.reasons {
        out.push_str(&hanging("! ", reason, INDENT, Role::Plain, style));
    }
    for advice in &judgement.advice {
        out.push_str(&hanging("> ", advice, INDENT, Role::Plain, style));
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    /// The first screen of a page.
    fn overview() -> Document {
        let verdict = Verdict {
            role: Role::Caution,
            name: "The machine was disturbed.".into(),
            reasons: vec!["others in 1 of 5 rounds".into()],
            advice: vec!["wait".into()],
            more: Some(("#sampling", "How it was sampled")),
        };
        let title = Title::Report { name: "matrix".into(), about: "2 experiments".into() };
        let blocks = vec![Block::Verdict(verdict)];
        Document::new([Section { title, blocks, ..Section::default() }])
    }

    #[test]
    fn an_overview_is_text() {
        expect![[r#"
            matrix
              2 experiments

            ! The machine was disturbed.
              ! others in 1 of 5 rounds
              > wait
        "#]]
        .assert_eq(&overview().text(&Style::default()));
    }
}
