//! A text that is shown as it is.

use std::any::Any;

use cll_report::Style;
use serde_json::Value as Json;

use crate::value::Thing;

/// A text that was made for a style, and what it stands for.
#[derive(Debug)]
pub struct Printed {
    text: Rendering,
    json: Json,
}

/// How a text is made.
enum Rendering {
    /// It is there.
    Text(String),
    /// It depends on the terminal.
    Styled(Box<dyn Fn(&Style) -> String + Send + Sync>),
}

impl std::fmt::Debug for Rendering {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rendering::Text(text) => f.debug_tuple("Text").field(text).finish(),
            Rendering::Styled(_) => f.write_str("Styled"),
        }
    }
}

impl Printed {
    /// A text that is there.
    pub fn text(text: String, json: Json) -> Printed {
        Printed { text: Rendering::Text(text), json }
    }

    /// A text that is made for the terminal.
    pub fn styled(
        render: impl Fn(&Style) -> String + Send + Sync + 'static,
        json: Json,
    ) -> Printed {
        Printed { text: Rendering::Styled(Box::new(render)), json }
    }
}

impl Thing for Printed {
    fn kind(&self) -> &'static str {
        "report"
    }

    fn summary(&self) -> String {
        let style = Style { width: 80, color: false, unicode: true };
        self.text(&style).lines().next().unwrap_or_default().to_owned()
    }

    fn text(&self, style: &Style) -> String {
        match &self.text {
            Rendering::Text(text) => text.clone(),
            Rendering::Styled(render) => render(style),
        }
    }

    fn json(&self) -> Json {
        self.json.clone()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
