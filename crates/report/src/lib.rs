//! Values to text tables, terminal plots and SVG.
#![forbid(unsafe_code)]

mod notation;
mod style;
mod text;

pub use notation::{Notation, clock_words};
pub use style::Style;
pub use text::{Align, Cell, Column, Table, escape};

mod model;
mod plot;
pub use model::{ModelView, PredictionView};
pub use plot::{
    Axis, Curve, CurvePoint, Gap, Marker, PlotError, PlotOptions, PlotPoint, PlotSpec, Reference,
    Scale, Series, Whiskers, plot,
};

mod svg;
pub use svg::{SvgOptions, Theme, svg};
