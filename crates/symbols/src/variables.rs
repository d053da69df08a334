//! Variables with static storage.

use object::SymbolKind;
use object::read::{Object as _, ObjectSymbol as _};

use crate::error::Error;

/// A variable with static storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name, without what a compiler adds to that of a variable of a function.
    pub name: String,
    /// The address in the file.
    pub address: u64,
    /// The size in bytes.
    pub size: u64,
}

/// The variables of an executable or shared object that its symbol table has, by address.
///
/// # Errors
/// If it is no such file.
pub fn variables(bytes: &[u8]) -> Result<Vec<Variable>, Error> {
    let file = object::File::parse(bytes).map_err(|error| Error::Unreadable(error.to_string()))?;
    let data = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Data);
    let symbols = data.filter(|symbol| symbol.size() > 0 && symbol.section_index().is_some());
    let mut all: Vec<Variable> = symbols
        .filter_map(|symbol| {
            let name = symbol.name().ok()?;
            // GCC calls a static variable of a function `a.0`.
            let name = match name.rsplit_once('.') {
                Some((plain, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => plain,
                _ => name,
            };
            let (name, address, size) = (name.to_owned(), symbol.address(), symbol.size());
            Some(Variable { name, address, size })
        })
        .collect();
    all.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
    all.dedup_by_key(|variable| variable.address);
    Ok(all)
}
