//! The symbol table: functions by address.

use object::read::{Object as _, ObjectSection as _, ObjectSymbol as _};
use object::{SectionKind, SymbolKind};

/// Functions of a file, including static ones if it was not stripped.
#[derive(Default)]
pub struct SymbolTable {
    /// By address.
    functions: Vec<Function>,
    /// The largest end of a function up to each.
    reach: Vec<u64>,
    /// Whether the program uses a Fortran compiler's library.
    pub fortran: bool,
}

/// A function's address, and the name of its symbol.
pub struct Function {
    /// First address.
    pub start: u64,
    end: u64,
    /// The name in the file.
    pub symbol: Box<str>,
}

impl SymbolTable {
    /// The functions of a file's symbol tables, added to those known before.
    pub fn add(&mut self, file: &object::File<'_>) {
        let mut found: Vec<(u64, u64, u8, Box<str>)> = Vec::new();
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            let Ok(name) = symbol.name_bytes() else { continue };
            if name.starts_with(b"_gfortran_") || name.starts_with(b"_Fortran") {
                self.fortran = true;
            }
            let (start, size) = (symbol.address(), symbol.size());
            let Some(section) = symbol.section_index() else { continue };
            let Ok(section) = file.section_by_index(section) else { continue };
            let end_of_section = section.address().saturating_add(section.size());
            let rank = match symbol.kind() {
                SymbolKind::Text => u8::from(!symbol.is_global()),
                // Labels of assembly.
                SymbolKind::Unknown if section.kind() == SectionKind::Text && size == 0 => 2,
                _ => continue,
            };
            if name.is_empty() || name[0] == b'$' || start >= end_of_section {
                continue;
            }
            let end = if size == 0 { end_of_section } else { start.saturating_add(size) };
            let name = String::from_utf8_lossy(name).into_owned().into_boxed_str();
            // A function without a size ends where the next one begins.
            found.push((start, if size == 0 { end | UNSIZED } else { end & !UNSIZED }, rank, name));
        }
        let known = std::mem::take(&mut self.functions);
        found.extend(
            known.into_iter().map(|function| (function.start, function.end, 0, function.symbol)),
        );
        found.sort_by(|a, b| (a.0, a.2, &a.3).cmp(&(b.0, b.2, &b.3)));
        found.dedup_by(|a, b| a.0 == b.0 && a.3 == b.3);
        self.functions = Vec::with_capacity(found.len());
        let starts: Vec<u64> = found.iter().map(|entry| entry.0).collect();
        for (start, end, _, symbol) in found {
            let end = if end & UNSIZED == 0 {
                end
            } else {
                let next = starts.partition_point(|&other| other <= start);
                starts.get(next).copied().unwrap_or(u64::MAX).min(end & !UNSIZED)
            };
            self.functions.push(Function { start, end, symbol });
        }
        let furthest = |reach: &mut u64, function: &Function| {
            *reach = function.end.max(*reach);
            Some(*reach)
        };
        self.reach = self.functions.iter().scan(0, furthest).collect();
    }

    /// The function that contains an address: the one that begins last; of several that begin there a global one.
    pub fn find(&self, address: u64) -> Option<&Function> {
        let mut best: Option<&Function> = None;
        let after = self.functions.partition_point(|function| function.start <= address);
        for index in (0..after).rev() {
            let function = &self.functions[index];
            if self.reach[index] <= address || best.is_some_and(|best| best.start != function.start)
            {
                break;
            }
            if address < function.end {
                best = Some(function);
            }
        }
        best
    }

    /// Whether a symbol of this name begins at an address.
    pub fn is_called(&self, address: u64, name: &str) -> bool {
        let first = self.functions.partition_point(|function| function.start < address);
        self.functions[first..]
            .iter()
            .take_while(|function| function.start == address)
            .any(|function| &*function.symbol == name)
    }

    /// The address of the function with this name.
    pub fn named(&self, name: &str) -> Option<u64> {
        self.functions
            .iter()
            .find(|function| &*function.symbol == name)
            .map(|function| function.start)
    }

    /// Whether no function is known.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }
}

/// Marks an end that is only an upper bound; no address is as high.
const UNSIZED: u64 = 1 << 63;
