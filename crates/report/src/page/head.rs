//! The invisible part that every page has.

use super::html::Html;
use super::policy;

/// The parts of the head that differ from page to page.
pub(super) struct Head<'a> {
    pub title: &'a str,
    /// The program that made the page, and its version.
    pub tool: &'a str,
    /// The content security policy.
    pub policy: &'a str,
    /// In this order.
    pub styles: &'a [&'a str],
    /// The first sets the reader's colours before anything is drawn.
    pub scripts: &'a [&'a str],
}

/// Begins the document: its head, complete.
pub(super) fn head(out: &mut Html, head: &Head<'_>) {
    out.raw_text("<!doctype html>\n");
    out.open("html", &[("lang", "en")]);
    out.open("head", &[]);
    out.leaf("meta", &[("charset", "utf-8")]);
    out.leaf("meta", &[("http-equiv", "Content-Security-Policy"), ("content", head.policy)]);
    let viewport = "width=device-width, initial-scale=1";
    out.leaf("meta", &[("name", "viewport"), ("content", viewport)]);
    out.leaf("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    out.leaf("meta", &[("name", "generator"), ("content", head.tool)]);
    out.leaf("link", &[("rel", "icon"), ("href", policy::ICON)]);
    out.element("title", &[], head.title);
    for style in head.styles {
        out.raw("style", &[], style);
    }
    for script in head.scripts {
        out.raw("script", &[], script);
    }
    out.close();
}
