//! `--compare`: a new model beside an older one.

use cll_analysis::{check_fitted, compare_models, read_model};
use cll_fit::CompareOptions;
use cll_report::model_comparison_text;
use cll_result::{ModelComparison, ModelFile};

use crate::cli::CompareArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// The exit code of `--fail-if-slower`, as that of other conditions.
const SLOWER: u8 = 9;

/// The older model with what counts as a change.
pub struct Older {
    model: ModelFile,
    options: CompareOptions,
    fail_if_slower: bool,
}

impl Older {
    /// Reads it before anything else is done; `None` if no comparison was asked for.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(args: &CompareArgs, confidence: f64) -> Result<Option<Older>, Failure> {
        let Some(path) = &args.compare else { return Ok(None) };
        let options = CompareOptions { confidence, threshold: args.threshold };
        let model = read_model(path)?;
        check_fitted(&model, path)?;
        Ok(Some(Older { model, options, fail_if_slower: args.fail_if_slower }))
    }

    /// Compares, and prints the text unless the result will be part of the JSON.
    ///
    /// # Errors
    /// If no experiment can be compared.
    pub fn compare(
        &self,
        new: &ModelFile,
        print: bool,
        terminal: &mut Terminal,
    ) -> Result<ModelComparison, Failure> {
        let comparison = compare_models(&self.model, new, &self.options)?;
        if print {
            terminal.print(model_comparison_text(&comparison, new, &terminal.style()))?;
        }
        Ok(comparison)
    }

    /// The exit code for this result, `otherwise` without a finding.
    pub fn status(&self, comparison: &ModelComparison, otherwise: u8) -> u8 {
        if self.fail_if_slower && comparison.slower && otherwise == 0 { SLOWER } else { otherwise }
    }
}
