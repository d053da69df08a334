//! Colours, for light and for dark.
//!
//! The series' colours are Okabe and Ito's, which people distinguish with any colour vision,
//! made lighter for a dark background. Shapes and dashes show the same without colour.

use std::fmt::Write;

/// The ground a plot is drawn for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the reader's browser prefers; light if it has no preference.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The class of the root element.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Theme::Auto => "cll-plot-auto",
            Theme::Light => "cll-plot-light",
            Theme::Dark => "cll-plot-dark",
        }
    }
}

/// Series that look different; more of them begin again.
pub(crate) const MAX_LOOKS: usize = 6;

struct Colours {
    ground: &'static str,
    ink: &'static str,
    faint: &'static str,
    grid: &'static str,
    line: &'static str,
    gap: &'static str,
    model: &'static str,
    doubt: &'static str,
    series: [&'static str; MAX_LOOKS],
}

const LIGHT: Colours = Colours {
    ground: "#ffffff",
    ink: "#1b2430",
    faint: "#5a6675",
    grid: "#e6e9ee",
    line: "#8b96a5",
    gap: "#6b7a90",
    model: "#d55e00",
    doubt: "#a4262c",
    series: ["#0072b2", "#d55e00", "#007f5c", "#b3518a", "#8a6d00", "#3d4a5c"],
};

const DARK: Colours = Colours {
    ground: "#12171e",
    ink: "#e8ecf1",
    faint: "#9fabba",
    grid: "#252d38",
    line: "#67758a",
    gap: "#8fa0b8",
    model: "#ff9a4d",
    doubt: "#ff9d96",
    series: ["#5ab4f0", "#ff9a4d", "#3fd0a4", "#eb9cc9", "#e6c84a", "#c2ccd9"],
};

/// The style sheet. All rules are under the theme's class, so that several plots can be in one
/// page.
pub(crate) fn sheet(theme: Theme) -> String {
    let root = format!(".{}", theme.class());
    let mut out = String::from("\n");
    let _ = writeln!(
        out,
        "{root} text{{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',\
         sans-serif}}\n\
         {root} .num{{font-variant-numeric:tabular-nums}}\n\
         {root} .bold{{font-weight:600}}\n\
         {root} .halo{{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}}\n\
         {root} .grid{{stroke-width:1;fill:none}}\n\
         {root} .frame{{stroke-width:1;fill:none}}\n\
         {root} .zero{{stroke-width:1;fill:none}}\n\
         {root} .curve{{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}}\n\
         {root} .beyond{{stroke-width:1.6;stroke-dasharray:0.1 4.5}}\n\
         {root} .band{{stroke:none;fill-opacity:.16}}\n\
         {root} .far{{fill-opacity:.08}}\n\
         {root} .whisker{{fill:none;stroke-width:1.2;stroke-opacity:.6}}\n\
         {root} .box{{fill:none;stroke-width:5;stroke-opacity:.3}}\n\
         {root} .stem{{fill:none;stroke-width:1;stroke-opacity:.45}}\n\
         {root} .point{{stroke-width:1}}\n\
         {root} .left-out{{fill:none;stroke-width:1.5}}\n\
         {root} .gap{{stroke:none;fill-opacity:.13}}\n\
         {root} .at{{fill:none;stroke-width:1.2;stroke-dasharray:5 4}}\n\
         {root} .reference{{fill:none;stroke-width:1.2;stroke-dasharray:1.5 3}}\n\
         {root} .marker{{stroke-width:2}}"
    );
    match theme {
        Theme::Light => colours(&mut out, &root, &LIGHT),
        Theme::Dark => colours(&mut out, &root, &DARK),
        Theme::Auto => {
            colours(&mut out, &root, &LIGHT);
            // Paper is light.
            out.push_str("@media screen and (prefers-color-scheme:dark){\n");
            colours(&mut out, &root, &DARK);
            out.push_str("}\n");
        }
    }
    out
}

fn colours(out: &mut String, root: &str, c: &Colours) {
    let Colours { ground, ink, faint, grid, line, gap, model, doubt, series } = c;
    let _ = writeln!(
        out,
        "{root} .ground{{fill:{ground}}}\n\
         {root} .ink{{fill:{ink}}}\n\
         {root} .faint{{fill:{faint}}}\n\
         {root} .doubt{{fill:{doubt}}}\n\
         {root} .halo{{stroke:{ground}}}\n\
         {root} .grid{{stroke:{grid}}}\n\
         {root} .frame{{stroke:{line}}}\n\
         {root} .zero{{stroke:{faint}}}\n\
         {root} .gap{{fill:{gap}}}\n\
         {root} .at,{root} .reference{{stroke:{gap}}}\n\
         {root} .point{{stroke:{ground}}}\n\
         {root} .left-out{{stroke:{faint}}}\n\
         {root} .model-line{{stroke:{model}}}\n\
         {root} .model-fill{{fill:{model}}}\n\
         {root} .marker{{fill:{ground}}}"
    );
    for (k, colour) in series.iter().enumerate() {
        let _ =
            writeln!(out, "{root} .line{k}{{stroke:{colour}}}\n{root} .fill{k}{{fill:{colour}}}");
    }
}

/// The dashes of a series' curve; none for the first.
pub(crate) fn dashes(series: usize) -> &'static str {
    ["none", "9 4", "3 4", "9 4 2 4", "14 5", "5 3"][series % MAX_LOOKS]
}
