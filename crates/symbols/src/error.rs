//! Errors of reading a file.

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Not ELF, or its headers are damaged; with the reader's words.
    #[error("this is not a readable executable or shared object: {0}")]
    Unreadable(String),
    /// ELF, but not an executable or shared object.
    #[error("this is not an executable or shared object, but {0}")]
    NotLoadable(&'static str),
    /// Debug information of another program or of another build.
    #[error("this debug information belongs to another build: {found}, not {wanted}")]
    OtherBuild {
        /// The build id or checksum in the object.
        wanted: String,
        /// That of the file.
        found: String,
    },
}
