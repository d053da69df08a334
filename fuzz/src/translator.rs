//! The translator: only insertions, whatever the source.

use cll_translate::{Options, Source, translate};

/// Translates `data`; panics if something is lost.
pub fn check(data: &[u8]) {
    let options = Options { unit: "fuzz".to_owned(), ..Options::default() };
    let translation = translate(&Source { name: "fuzz.c", text: data }, &options);
    for diagnostic in &translation.diagnostics {
        for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
            let span = &label.span;
            assert!(span.start <= span.end && span.end <= data.len(), "{diagnostic:?}");
        }
    }
    assert_eq!(translation.header.is_some(), translation.code.is_some());
    let Some(code) = &translation.code else {
        assert!(translation.failed() || !translation.directives_found);
        return;
    };
    assert!(!translation.failed() && translation.directives_found);

    // Without what was inserted the source is left.
    let mut left = Vec::with_capacity(data.len());
    let (mut at, mut read) = (0, 0);
    for (offset, inserted) in &translation.insertions {
        let copied = offset.checked_sub(read).expect("insertions ascend");
        left.extend_from_slice(&code[at..at + copied]);
        at += copied;
        assert_eq!(&code[at..at + inserted.len()], &inserted[..]);
        at += inserted.len();
        read = *offset;
    }
    left.extend_from_slice(&code[at..]);
    assert!(left == data, "the insertions taken out leave something else than the source");
}
