//! Titles, paragraphs and named lines of a report.

use crate::style::{Role, Style};
use crate::text::{columns, pad, wrap};

/// Everything under a title stands in by so much.
pub(crate) const INDENT: usize = 2;

/// A title, with a remark behind it.
pub(crate) fn title(text: &str, remark: &str, style: &Style) -> String {
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

/// Text in lines that fit, each behind so many spaces. The text must have been escaped.
pub(crate) fn paragraph(text: &str, indent: usize, role: Role, style: &Style) -> String {
    hanging("", text, indent, role, style)
}

/// As [`paragraph`], behind a mark on the first line.
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
pub(crate) fn named(name: &str, width: usize, text: &str, role: Role, style: &Style) -> String {
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
