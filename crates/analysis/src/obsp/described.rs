//! A program that is described in formulas.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Error;
use cll_model::formula::{Built, Description, Fits, parse};
use cll_result::{Doubt, Doubts};

use crate::file::read_model;
use crate::messages::Messages;

/// A description, with the fits that it names.
#[derive(Debug)]
pub struct Described {
    path: String,
    text: Vec<u8>,
    description: Description,
    fits: Fits,
    doubts: Doubts,
}

impl Described {
    /// Reads the file, and the models that it names, relative to its folder.
    ///
    /// # Errors
    /// If a file cannot be read or is wrong. Its diagnostics are reported.
    pub fn read(path: &Path, messages: &dyn Messages) -> Result<Described, Error> {
        let text = cll_files::read_text(path)?;
        let name = path.display().to_string();
        let utf8 = std::str::from_utf8(&text)
            .map_err(|error| Error::content(format!("{name} is not UTF-8: {error}")))?;
        let (description, diagnostics) = parse(utf8);
        messages.diagnose(&name, &text, &diagnostics);
        let Some(description) = description else { return Err(Error::Diagnosed) };
        let (mut fits, mut doubts) = (Fits::new(), Doubts::default());
        for file in description.files() {
            let model = read_model(&cll_files::folder(path).join(file))?;
            if let Some(reservation) = model.reservation() {
                messages.warn(&format!("{file}: {reservation}"));
            }
            let of_file = |doubt: Doubt| Doubt { text: format!("{file}: {}", doubt.text), ..doubt };
            doubts.extend(model.doubts().into_iter().map(of_file));
            let of: BTreeMap<_, _> = (model.experiments.into_iter())
                .filter_map(|experiment| Some((experiment.name, experiment.fit?)))
                .collect();
            fits.insert(file.to_owned(), of);
        }
        Ok(Described { path: name, text, description, fits, doubts })
    }

    /// The program at values of its variables.
    ///
    /// # Errors
    /// If a value is missing or wrong. The diagnostic is reported.
    pub fn build(&self, at: &[(String, f64)], messages: &dyn Messages) -> Result<Built, Error> {
        self.description.build(&self.fits, at).map_err(|diagnostic| {
            messages.diagnose(&self.path, &self.text, std::slice::from_ref(&*diagnostic));
            Error::Diagnosed
        })
    }

    /// The doubts in the models that it names.
    pub fn doubts(&self) -> &Doubts {
        &self.doubts
    }

    /// The file's text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }

    /// Returns the text of the description about itself.
    pub fn about(&self) -> &str {
        &self.description.about
    }

    /// Returns the name of the description, or its path if it has none.
    pub fn name(&self) -> String {
        match self.description.name.as_str() {
            "" => self.path.clone(),
            name => name.to_owned(),
        }
    }
}
