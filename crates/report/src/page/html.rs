//! HTML, written in order. Foreign text is escaped when it is added, and cut if it is very long.

use crate::style::Role;
use crate::text::{Align, Table, escape};

/// Letters of one foreign text that are shown; the data in the page have the complete text.
const MAX_LETTERS: usize = 4000;
/// Letters of a name in a title.
const MAX_NAME_LETTERS: usize = 120;

/// Writes elements.
#[derive(Default)]
pub(crate) struct Html {
    out: String,
    open: Vec<&'static str>,
}

impl Html {
    /// Begins an element.
    pub(crate) fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.open.push(name);
    }

    /// Ends the element that was begun last.
    pub(crate) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
            if !INLINE.contains(&name) {
                self.out.push('\n');
            }
        }
    }

    /// An element that has neither content nor end.
    pub(crate) fn leaf(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.out.push('\n');
    }

    /// An element that holds text.
    pub(crate) fn element(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close();
    }

    /// Text.
    pub(crate) fn text(&mut self, text: &str) {
        self.out.push_str(&escaped(&shortened(text)));
    }

    /// Text as it was written: white space stays.
    pub(crate) fn verbatim(&mut self, text: &str) {
        let parts: Vec<String> = text.split('\t').map(|part| escaped(&shortened(part))).collect();
        self.out.push_str(&parts.join("\t"));
    }

    /// An element with content of our own that is not to be escaped.
    pub(crate) fn raw(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.out.push_str(text);
        self.close();
    }

    /// Markup of our own.
    pub(crate) fn raw_text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A table that can be scrolled sideways if it is too wide. Nothing if it has no rows.
    pub(crate) fn table(&mut self, table: &Table, name: &str) {
        let used = table.used();
        if used.is_empty() {
            return;
        }
        let label = [("class", "scroll"), ("role", "group"), ("aria-label", name)];
        self.open("div", &[&label[..], &[("tabindex", "0")]].concat());
        self.open("table", &[]);
        self.open("thead", &[]);
        self.open("tr", &[]);
        let mut titles = used.iter().peekable();
        while let Some(&column) = titles.next() {
            let column = &table.columns[column];
            // A column that continues another has its title.
            let joined = titles.next_if(|&&next| table.columns[next].gap == 1).is_some();
            let class = if joined { "joint" } else { align(column.align) };
            let mut attributes = vec![("scope", "col"), ("class", class)];
            if joined {
                attributes.push(("colspan", "2"));
            }
            match column.title.as_str() {
                "" => self.element("td", &attributes[1..], ""),
                title => self.element("th", &attributes, title),
            }
        }
        self.close();
        self.close();
        self.open("tbody", &[]);
        for row in &table.rows {
            self.open("tr", &[]);
            for &column in &used {
                let cell = &row[column];
                let joined = if table.columns[column].gap == 1 { " joined" } else { "" };
                let class =
                    format!("{}{joined}{}", align(table.columns[column].align), role(cell.role));
                self.open("td", &[("class", &class)]);
                self.element("bdi", &[], &cell.text);
                self.close();
            }
            self.close();
        }
        self.close();
        self.close();
        self.close();
    }

    /// The document.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn tag(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value) in attributes {
            self.out.push(' ');
            self.out.push_str(attribute);
            self.out.push_str("=\"");
            self.out.push_str(&escaped(&shortened(value)));
            self.out.push('"');
        }
        self.out.push('>');
    }
}

/// Elements after which a new line would be seen.
const INLINE: [&str; 8] = ["a", "b", "bdi", "code", "span", "summary", "td", "th"];

fn align(align: Align) -> &'static str {
    match align {
        Align::Left => "left",
        Align::Right => "num",
    }
}

/// The class of a role, to be appended to another class.
pub(crate) fn role(role: Role) -> &'static str {
    match role {
        Role::Plain | Role::Title | Role::Heading => "",
        Role::Faint => " faint",
        Role::Value => " value",
        Role::Good => " good",
        Role::Caution => " caution",
        Role::Bad => " bad",
    }
}

/// A name that fits in a title.
pub(crate) fn brief(text: &str) -> String {
    match text.char_indices().nth(MAX_NAME_LETTERS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Not more than anyone reads.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_LETTERS) {
        None => text.to_owned(),
        Some((end, _)) => {
            format!("{}… ({} characters in all)", &text[..end], text.chars().count())
        }
    }
}

/// Text with nothing in it that HTML, or a reader's eyes, would take for something else.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in escape(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_no_character(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Tells whether a character is a noncharacter, as HTML calls them.
fn is_no_character(c: char) -> bool {
    u32::from(c) & 0xfffe == 0xfffe || ('\u{fdd0}'..='\u{fdef}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Cell, Column};

    #[test]
    fn text_is_never_markup() {
        let mut html = Html::default();
        html.open("p", &[("title", "\"><script>'&")]);
        html.text("</p><script>alert(1)</script>\0\u{202e}\u{ffff}");
        assert_eq!(
            html.finish(),
            "<p title=\"&quot;&gt;&lt;script&gt;&#39;&amp;\">&lt;/p&gt;&lt;script&gt;alert(1)\
             &lt;/script&gt;\\u{0}\\u{202e}\u{fffd}</p>\n"
        );
    }

    #[test]
    fn endless_text_is_cut_between_letters() {
        let text = "é".repeat(MAX_LETTERS + 5);
        let cut = shortened(&text);
        assert!(cut.starts_with(&"é".repeat(MAX_LETTERS)));
        assert!(cut.ends_with("… (4005 characters in all)"), "{cut}");
        assert_eq!(shortened("é"), "é");
    }

    #[test]
    fn white_space_of_sources_stays() {
        let mut html = Html::default();
        html.verbatim("\tint a;  \x1b<");
        assert_eq!(html.finish(), "\tint a;  \\u{1b}&lt;");
    }

    #[test]
    fn a_continued_column_shares_its_title() {
        let mut table = Table::new(vec![Column::right("value"), Column::left("").joined()]);
        table.row([Cell::new("3.4"), Cell::new("± 0.1 ms").role(Role::Value)]);
        let mut html = Html::default();
        html.table(&table, "Constants");
        let text = html.finish();
        assert!(
            text.contains("<th scope=\"col\" class=\"joint\" colspan=\"2\">value</th>"),
            "{text}"
        );
        assert!(
            text.contains("<td class=\"left joined value\"><bdi>± 0.1 ms</bdi></td>"),
            "{text}"
        );
    }
}
