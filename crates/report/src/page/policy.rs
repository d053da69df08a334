//! The permissions of the page in a browser: run the viewer and apply our style sheets, nothing else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The page's icon: a curve through points, no file.
pub(crate) const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' \
viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230072b2'/%3E%3Cpath d='M2.5 \
13Q9 12 13.5 3' fill='none' stroke='%23fff' stroke-width='2' stroke-linecap='round'/%3E%3C/svg%3E";

/// The content security policy: scripts and style sheets by their hashes, no network, no frames,
/// no markup made of text.
pub(crate) fn policy(scripts: &[&str], styles: &[&str]) -> String {
    let hashes =
        |texts: &[&str]| texts.iter().map(|text| hash(text)).collect::<Vec<String>>().join(" ");
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        hashes(scripts),
        hashes(styles),
    )
}

/// The same for a page that compiles WebAssembly which it holds. Only that is allowed: `eval` of text is not.
pub(crate) fn policy_with_wasm(scripts: &[&str], styles: &[&str]) -> String {
    policy(scripts, styles).replacen("script-src ", "script-src 'wasm-unsafe-eval' ", 1)
}

/// The same for a page that is served and may send something back to where it is from.
pub(crate) fn with_origin(policy: &str) -> String {
    policy.replacen("default-src 'none'; ", "default-src 'none'; connect-src 'self'; ", 1)
}

/// A text's hash as policies write it.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        assert_eq!(hash(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    }

    #[test]
    fn webassembly_is_allowed_to_scripts_only() {
        let with = policy_with_wasm(&["a"], &["b"]);
        assert_eq!(with.replace("'wasm-unsafe-eval' ", ""), policy(&["a"], &["b"]));
        assert!(with.contains("; script-src 'wasm-unsafe-eval' 'sha256-"), "{with}");
        assert_eq!(with.matches("unsafe").count(), 1);
    }

    #[test]
    fn a_served_page_sends_only_to_its_own_origin() {
        let with = with_origin(&policy(&["a"], &["b"]));
        assert!(with.starts_with("default-src 'none'; connect-src 'self'; script-src "), "{with}");
        assert_eq!(with.replace("connect-src 'self'; ", ""), policy(&["a"], &["b"]));
    }

    #[test]
    fn nothing_is_allowed_that_is_not_named() {
        let policy = policy(&["a"], &["b", "c"]);
        assert!(policy.starts_with("default-src 'none'; "));
        for loose in ["unsafe", "http", "*", "blob:"] {
            assert!(!policy.contains(loose), "{policy}");
        }
    }
}
