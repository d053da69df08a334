//! Documents as text in columns.

use super::{Block, Card, Document, Estimate, Formulas, Medium, Notice, Section, Title, Verdict};
use crate::style::{Role, Style};
use crate::text::{columns, pad, wrap};

/// Indentation of everything under a title.
pub(crate) const INDENT: usize = 2;

/// All sections, an empty line between them.
pub(crate) fn document(document: &Document, style: &Style) -> String {
    let mut out = String::new();
    for (number, one) in document.sections.iter().enumerate() {
        if number > 0 && !one.is_joined {
            out.push('\n');
        }
        out.push_str(&section(one, style));
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
    section.blocks.iter().for_each(|one| out.push_str(&block(one, style)));
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
        Block::Notices(all) => all.iter().map(|one| notice(one, style)).collect(),
        Block::Verdict(of) => verdict(of, style),
        Block::Estimates(all) => all.iter().map(|one| estimate(one, style)).collect(),
        Block::Remarked { text, remark, role } => {
            let remark = format!("{} {remark}", mark(*role, style));
            paragraph(text, INDENT, Role::Plain, style) + &paragraph(&remark, INDENT, *role, style)
        }
        Block::Cards(all) => all.iter().map(|one| card(one, style)).collect(),
        Block::Formulas(all) => formulas(all, style),
        Block::Live { blocks, .. } => blocks.iter().map(|one| self::block(one, style)).collect(),
        Block::Only(Medium::Terminal, one) => self::block(one, style),
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

fn verdict(of: &Verdict, style: &Style) -> String {
    let mut out = paragraph(&format!("{} {}", mark(of.role, style), of.name), 0, of.role, style);
    for reason in &of.reasons {
        out.push_str(&hanging("! ", reason, INDENT, Role::Plain, style));
    }
    for advice in &of.advice {
        out.push_str(&hanging("> ", advice, INDENT, Role::Plain, style));
    }
    out
}

/// `N = 3000: 3.42 ms (3.34 to 3.50 ms, with 95 % confidence), inside the data`
fn estimate(one: &Estimate, style: &Style) -> String {
    match &one.result {
        Ok(predicted) => {
            let doubt = if predicted.is_doubtful { "? " } else { "" };
            let (place, _) = &predicted.place;
            let text = format!("{doubt}{} ({}), {place}", predicted.value, predicted.range);
            paragraph(&format!("{}: {text}", one.at), INDENT, Role::Plain, style)
        }
        Err(why) => hanging("! ", &format!("{}: {why}", one.at), INDENT, Role::Caution, style),
    }
}

fn card(card: &Card, style: &Style) -> String {
    let blocks: String = card.blocks.iter().map(|one| block(one, style)).collect();
    format!("\n{}\n{blocks}", style.paint(Role::Heading, &card.title))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::Predicted;
    use super::*;

    /// The first screen of a page.
    fn overview() -> Document {
        let predicted = |value: &str, is_doubtful| Estimate {
            at: "N = 3000".into(),
            result: Ok(Predicted {
                value: value.into(),
                is_doubtful,
                range: "3.3 to 3.5 ms, with 95 % confidence".into(),
                place: ("inside the data".into(), Role::Good),
            }),
        };
        let failed = Estimate { at: "N = 0".into(), result: Err("N is below 1".into()) };
        let remarked = |remark: &str, role| Block::Remarked {
            text: "Error of the model: median 1 %.".into(),
            remark: remark.into(),
            role,
        };
        let card = |title: &str, blocks| Card { title: title.into(), target: "#e0".into(), blocks };
        let verdict = Verdict {
            role: Role::Caution,
            name: "The machine was disturbed.".into(),
            reasons: vec!["others in 1 of 5 rounds".into()],
            advice: vec!["wait".into()],
            more: Some(("#sampling", "How it was sampled")),
        };
        let results = vec![
            card(
                "sort",
                vec![
                    Block::Estimates(vec![predicted("3.4 ms", false), failed]),
                    remarked("no warnings", Role::Good),
                ],
            ),
            card(
                "merge",
                vec![
                    Block::Estimates(vec![predicted("3.4 ms", true)]),
                    remarked("1 warning", Role::Caution),
                ],
            ),
        ];
        let title = Title::Report { name: "matrix".into(), about: "2 experiments".into() };
        let blocks = vec![Block::Verdict(verdict), Block::Cards(results)];
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

            sort
              N = 3000: 3.4 ms (3.3 to 3.5 ms, with 95 % confidence), inside the data
              ! N = 0: N is below 1
              Error of the model: median 1 %.
              ✓ no warnings

            merge
              N = 3000: ? 3.4 ms (3.3 to 3.5 ms, with 95 % confidence), inside the data
              Error of the model: median 1 %.
              ! 1 warning
        "#]]
        .assert_eq(&overview().text(&Style::default()));
    }

    #[test]
    fn an_overview_is_markdown() {
        expect![[r#"
            # matrix

            2 experiments

            **The machine was disturbed.**

            - others in 1 of 5 rounds
            - wait

            ### sort

            - N = 3000: **3.4 ms** (3.3 to 3.5 ms, with 95 % confidence), inside the data
            - N = 0: N is below 1

            Error of the model: median 1 %. *no warnings*

            ### merge

            - N = 3000: ? **3.4 ms** (3.3 to 3.5 ms, with 95 % confidence), inside the data

            Error of the model: median 1 %. *1 warning*
        "#]]
        .assert_eq(&overview().markdown());
    }
}
