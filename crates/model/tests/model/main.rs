//! The models on programs whose times are known.

#![forbid(unsafe_code)]

mod any;
mod cray;
mod fft;
mod properties;
mod worked;
