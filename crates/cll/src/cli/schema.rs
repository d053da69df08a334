//! `cll schema`.

use clap::Args;

/// Print the JSON Schema of what a command prints with --json
///
/// Without a name, the names with the commands and the format of each are listed. The schemas follow
/// from the types that are written, draft 2020-12 of JSON Schema.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll schema
  cll schema fit > fit.schema.json")]
pub struct SchemaArgs {
    /// The schema, such as fit; cll schema lists the names
    pub name: Option<String>,
}
