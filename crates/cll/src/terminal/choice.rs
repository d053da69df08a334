//! Choices of colour, width and characters.

use std::env::var_os;
use std::ffi::OsString;

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set; CLICOLOR_FORCE=1 forces it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Whether a stream accepts colour.
    pub fn applies(self, is_terminal: bool) -> bool {
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => decide(is_terminal, |name| var_os(name)),
        }
    }

    /// The name of the choice as the value of `--color`.
    pub fn name(self) -> &'static str {
        match self {
            ColorChoice::Auto => "auto",
            ColorChoice::Always => "always",
            ColorChoice::Never => "never",
        }
    }

    /// The same for clap.
    pub fn for_clap(self) -> clap::ColorChoice {
        match self {
            ColorChoice::Auto => clap::ColorChoice::Auto,
            ColorChoice::Always => clap::ColorChoice::Always,
            ColorChoice::Never => clap::ColorChoice::Never,
        }
    }
}

fn decide(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    is_terminal
        && set("CLICOLOR").is_none_or(|value| value != "0")
        && set("TERM").is_none_or(|value| value != "dumb")
}

/// Columns of the terminal, `COLUMNS`, or 80; at least 40.
pub fn width() -> usize {
    let asked = || var_os("COLUMNS")?.to_str()?.parse().ok();
    let number = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    number.or_else(asked).unwrap_or(80).clamp(40, 160)
}

/// Rows of the terminal that standard output is, if it is one.
pub fn rows() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(_, height)| usize::from(height.0))
}

/// Whether the locale's encoding is UTF-8.
pub fn unicode() -> bool {
    let set = |name| var_os(name).filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
    locale.is_some_and(|locale| {
        let locale = locale.to_string_lossy().to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colored(is_terminal: bool, variables: &[(&str, &str)]) -> bool {
        decide(is_terminal, |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })
    }

    #[test]
    fn colour_follows_the_terminal_and_the_variables() {
        assert!(colored(true, &[]));
        assert!(!colored(false, &[]));
        assert!(!colored(true, &[("NO_COLOR", "1")]));
        assert!(colored(true, &[("NO_COLOR", "")]));
        assert!(!colored(true, &[("CLICOLOR", "0")]));
        assert!(!colored(true, &[("TERM", "dumb")]));
        assert!(colored(false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!colored(false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    }
}
