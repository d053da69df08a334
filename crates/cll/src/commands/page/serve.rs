//! `cll page --serve`: the page from memory, and the Υ file that is corrected in it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cll_files::serve::{Reply, Server, Site, token};

use super::sets::SetsPlace;
use crate::commands::llac::Heard;
use crate::commands::upsilon::{Text, take};
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Makes the page with the file of a version.
type Make<'a> = dyn Fn(&str) -> Result<String, Failure> + Sync + 'a;

struct Corrected<'a> {
    place: SetsPlace,
    token: String,
    make: &'a Make<'a>,
    /// The page with its version of the file.
    current_page: Mutex<(String, Arc<str>)>,
}

/// Serves the page until this process is ended.
///
/// # Errors
/// If the page cannot be made, or the port is not free.
pub fn serve(
    place: SetsPlace,
    port: u16,
    make: &Make<'_>,
    terminal: &Terminal,
) -> Result<u8, Failure> {
    let version = place.version();
    let html = make(&version)?;
    let server = Server::bind(port)?;
    let file = place.file.display().to_string();
    let current_page = Mutex::new((version, html.into()));
    let site = Corrected { place, token: token()?, make, current_page };
    terminal.note(&format!("corrections are written into {file}"));
    terminal.note(&format!("the page is {} until Ctrl-C", server.address(&site)));
    server.run(&site);
    Ok(0)
}

impl Corrected<'_> {
    fn current_page(&self) -> MutexGuard<'_, (String, Arc<str>)> {
        self.current_page.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the page again if the file has changed. With a file that is wrong the page stays as it was.
    fn refresh(&self, current_page: &mut (String, Arc<str>)) {
        let version = self.place.version();
        if version != current_page.0
            && let Ok(html) = (self.make)(&version)
        {
            *current_page = (version, html.into());
        }
    }
}

impl Site for Corrected<'_> {
    fn page(&self) -> Arc<str> {
        let mut current_page = self.current_page();
        self.refresh(&mut current_page);
        Arc::clone(&current_page.1)
    }

    fn token(&self) -> &str {
        &self.token
    }

    fn take(&self, version: &str, text: &[u8]) -> Reply {
        let mut current_page = self.current_page();
        let SetsPlace { source, file } = &self.place;
        if self.place.version() != version {
            let text = "the file has changed since this page was loaded; load it again".to_owned();
            return Reply { status: "412 Precondition Failed", text };
        }
        let heard = Heard::default();
        let text = Text::from_bytes(file, text.to_vec());
        let before = file.exists().then_some(file.as_path());
        match take(&text, Some(source), before, Some(file), &heard) {
            Ok(_) => {
                self.refresh(&mut current_page);
                Reply { status: "200 OK", text: self.place.version() }
            }
            Err(failure) => {
                let why = heard.refusal(failure);
                let lines: Vec<String> = std::iter::once(why.message).chain(why.help).collect();
                Reply { status: "422 Unprocessable Content", text: lines.join("\n") }
            }
        }
    }
}
