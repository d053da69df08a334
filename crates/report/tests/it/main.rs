//! Pages, plots and texts of results.

mod answers;
mod mpi_models;
mod pages;
mod plots;
mod scenes;
mod texts;
