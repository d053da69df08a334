//! Plans for known truth.

mod adaptive;
mod fft;
mod fitted;
mod truths;
