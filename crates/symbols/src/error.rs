//! What can be wrong with a file.

/// Why a file tells nothing of its addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Not ELF, or its headers are damaged; with the reader's words.
    #[error("this is no executable or shared object that can be read: {0}")]
    Unreadable(String),
    /// ELF, but nothing that is run.
    #[error("this is neither an executable nor a shared object, but {0}")]
    NotLoadable(&'static str),
    /// A file with debug information, but of another program or of another build of it.
    #[error("this debug information belongs to another build: {found}, not {wanted}")]
    OtherBuild {
        /// What the object says of its debug file: a build id or a checksum.
        wanted: String,
        /// What the file has.
        found: String,
    },
}
