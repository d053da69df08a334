//! The JSON of results: written, read again, of older and newer versions.

#![forbid(unsafe_code)]

mod answers;
mod campaigns;
mod carried;
mod comparisons;
mod kept;
mod older;
mod support;
