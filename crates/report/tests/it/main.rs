//! Pages, plots and texts of results.

mod pages;
mod plots;
mod scenes;
mod texts;
