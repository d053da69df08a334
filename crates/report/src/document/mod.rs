//! A report before it is text or HTML: sections of tables, notices, paragraphs and plots.
//!
//! Blocks hold the texts and values; a renderer decides how they look. If a terminal and a page show
//! different things, a block is for one of them ([`Medium`]).

pub(crate) mod html;
pub(crate) mod text;

use crate::page::html::Html;
use crate::plot::PlotSpec;
use crate::style::{Role, Style};
use crate::text::{Table, TreeTable};

/// A report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// In the order in which they are read.
    pub(crate) sections: Vec<Section>,
}

/// The medium of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    /// Text in columns.
    Terminal,
    /// HTML.
    Page,
}

/// A part with a title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    pub(crate) title: Title,
    /// Title and remark on a page, if they differ from those in a terminal.
    pub(crate) on_page: Option<(&'static str, String)>,
    /// Whether there is no empty line before it.
    pub(crate) is_joined: bool,
    pub(crate) blocks: Vec<Block>,
}

/// The title of a section.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Title {
    #[default]
    None,
    /// The title of a report, with a sentence about it.
    Report { name: String, about: String },
    /// The subject of the report, and its place in the program.
    Subject { name: String, place: String },
    /// The title of a part, followed by a remark.
    Part { text: String, remark: String },
    /// A line without colour.
    Plain(String),
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    /// Text in lines that fit, with a mark before it if there is one.
    Paragraph { mark: &'static str, text: String, role: Role },
    /// An indented line that is never broken.
    Line { indent: usize, text: String },
    /// An empty line of text; nothing elsewhere.
    Space,
    /// Names with a text for each.
    Named(Vec<(String, String, Role)>),
    /// An indented table. Its name is for screen readers. `of` is the number of all rows, if these are only the first
    /// ones.
    Table { table: Table, name: &'static str, of: Option<usize>, indent: usize },
    /// Labels of a tree with figures. Labels are shortened if it is read on a terminal.
    Tree { tree: TreeTable, on_terminal: bool },
    /// Warnings and failures.
    Notices(Vec<Notice>),
    /// How far measurements can be trusted.
    Verdict(Verdict),
    /// A formula for each interval, with its bounds.
    Formulas(Formulas),
    /// A picture of so much height, with an identity of its own on its page.
    Plot { spec: Box<PlotSpec>, height: u32, id: String },
    /// Content that the page's viewer makes interactive. Without the viewer the blocks are shown.
    Live { island: &'static str, experiment: usize, blocks: Vec<Block> },
    /// A block for one medium.
    Only(Medium, Box<Block>),
}

/// A warning or a failure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notice {
    /// For scripts; empty for a failure.
    pub code: String,
    pub text: String,
}

/// How far measurements can be trusted: a sentence with reasons and advice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// Good, caution or bad.
    pub role: Role,
    pub name: String,
    pub reasons: Vec<String>,
    pub advice: Vec<String>,
    /// A link to the details, if there are any: its target on the page, and its text.
    pub more: Option<(&'static str, &'static str)>,
}

/// The formula with its constants filled in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Formulas {
    /// The left side.
    pub left: String,
    /// The right side for each interval, with its bounds.
    pub lines: Vec<(String, Option<String>)>,
    /// The constants with levels, each with a sentence.
    pub levels: Vec<(String, String)>,
    /// Whether the machine was too disturbed to measure it.
    pub is_doubtful: bool,
}

impl Document {
    /// Makes a document of these sections; empty ones are left out.
    pub(crate) fn new(sections: impl IntoIterator<Item = Section>) -> Document {
        Document { sections: sections.into_iter().filter(|section| !section.is_empty()).collect() }
    }

    /// As text for a terminal, each line ended by a new line.
    pub fn text(&self, style: &Style) -> String {
        text::document(self, style)
    }

    /// As a part of an HTML page, without styles.
    pub fn html(&self) -> String {
        let mut out = Html::default();
        html::document(&mut out, self);
        out.finish()
    }
}

impl Section {
    /// A section with a title, followed by a remark, which may be empty.
    pub(crate) fn new(text: &str, remark: impl Into<String>, blocks: Vec<Block>) -> Section {
        let title = Title::Part { text: text.to_owned(), remark: remark.into() };
        Section { title, blocks, ..Section::default() }
    }

    /// A section below a line of text without colour.
    pub fn plain(title: impl Into<String>) -> Section {
        Section { title: Title::Plain(title.into()), ..Section::default() }
    }

    /// Blocks without a title.
    pub(crate) fn untitled(blocks: Vec<Block>) -> Section {
        Section { blocks, ..Section::default() }
    }

    /// With another title on pages.
    pub(crate) fn on_page(self, title: &'static str, remark: impl Into<String>) -> Section {
        Section { on_page: Some((title, remark.into())), ..self }
    }

    /// With a table.
    pub fn table(mut self, table: Table) -> Section {
        self.blocks.push(Block::table(table, ""));
        self
    }

    /// With a line of text, two spaces in.
    pub fn line(mut self, text: impl Into<String>) -> Section {
        self.blocks.push(Block::Line { indent: text::INDENT, text: text.into() });
        self
    }

    /// With a line of text at the margin.
    pub(crate) fn at_margin(mut self, text: impl Into<String>) -> Section {
        self.blocks.push(Block::at_margin(text));
        self
    }

    /// Whether it has neither a title nor a block.
    pub(crate) fn is_empty(&self) -> bool {
        self.title == Title::None && self.blocks.is_empty()
    }
}

impl Block {
    pub(crate) fn paragraph(text: impl Into<String>, role: Role) -> Block {
        Block::Paragraph { mark: "", text: text.into(), role }
    }

    pub(crate) fn marked(text: impl Into<String>, role: Role) -> Block {
        Block::Paragraph { mark: "! ", text: text.into(), role }
    }

    pub(crate) fn line(text: impl Into<String>) -> Block {
        Block::Line { indent: text::INDENT, text: text.into() }
    }

    /// Names with a plain text for each.
    pub(crate) fn named<'a>(rows: impl IntoIterator<Item = (&'a str, String)>) -> Block {
        let rows = rows.into_iter().map(|(name, text)| (name.to_owned(), text, Role::Plain));
        Block::Named(rows.collect())
    }

    /// A line at the margin.
    pub(crate) fn at_margin(text: impl Into<String>) -> Block {
        Block::Line { indent: 0, text: text.into() }
    }

    pub(crate) fn table(table: Table, name: &'static str) -> Block {
        Block::Table { table, name, of: None, indent: text::INDENT }
    }

    /// The first rows of a table that has `all`.
    pub(crate) fn first_rows(table: Table, name: &'static str, all: usize) -> Block {
        let total = Some(all).filter(|count| *count > table.rows.len());
        Block::Table { table, name, of: total, indent: text::INDENT }
    }

    /// A table with this indentation.
    pub(crate) fn table_at(indent: usize, table: Table) -> Block {
        Block::Table { table, name: "", of: None, indent }
    }

    pub(crate) fn in_terminal(self) -> Block {
        Block::Only(Medium::Terminal, Box::new(self))
    }

    pub(crate) fn on_page(self) -> Block {
        Block::Only(Medium::Page, Box::new(self))
    }
}
