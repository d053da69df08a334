//! libcll
