//! Which function a call instruction calls.

use std::collections::HashMap;

use object::SectionKind;
use object::read::{Object as _, ObjectSection as _, ObjectSymbol as _, ObjectSymbolTable as _};

/// The code of a file and its imported functions; for x86-64 only.
#[derive(Default)]
pub struct Code {
    sections: Vec<(u64, Box<[u8]>)>,
    /// Names of functions by the address of the word with their address.
    imported: HashMap<u64, Box<str>>,
}

/// The target of a call.
#[derive(Debug, PartialEq, Eq)]
pub enum Callee<'a> {
    /// An address in the same file.
    Here(u64),
    /// A function by its name, in any file.
    Named(&'a str),
}

impl Code {
    /// The code of a file.
    pub fn read(file: &object::File<'_>) -> Code {
        let mut code = Code::default();
        if file.architecture() != object::Architecture::X86_64 {
            return code;
        }
        for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
            if let Ok(data) = section.data() {
                code.sections.push((section.address(), data.into()));
            }
        }
        code.sections.sort_by_key(|section| section.0);
        let symbols = file.dynamic_symbol_table();
        for (address, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let object::RelocationTarget::Symbol(index) = relocation.target() else { continue };
            let symbol = symbols.as_ref().and_then(|table| table.symbol_by_index(index).ok());
            if let Some(name) = symbol.and_then(|symbol| symbol.name().ok().map(Box::from))
                && relocation.addend() == 0
            {
                code.imported.insert(address, name);
            }
        }
        code
    }

    /// The target of the call before a return address; `None` if the target was computed, or there is no call.
    pub fn callee(&self, behind: u64) -> Option<Callee<'_>> {
        if let Some([0xe8, distance @ ..]) = self.bytes::<5>(behind.checked_sub(5)?) {
            let target = behind.wrapping_add_signed(i32::from_le_bytes(distance).into());
            return match self.stub(target) {
                Some(slot) => self.import(slot),
                None => Some(Callee::Here(target)),
            };
        }
        // call *distance(%rip)
        match self.bytes::<6>(behind.checked_sub(6)?)? {
            [0xff, 0x15, distance @ ..] => {
                self.import(behind.wrapping_add_signed(i32::from_le_bytes(distance).into()))
            }
            _ => None,
        }
    }

    fn import(&self, slot: u64) -> Option<Callee<'_>> {
        self.imported.get(&slot).map(|name| Callee::Named(name))
    }

    /// The word with the target of code that jumps to another file: [endbr64] [bnd] jmp *distance(%rip).
    fn stub(&self, mut address: u64) -> Option<u64> {
        if self.bytes(address) == Some([0xf3, 0x0f, 0x1e, 0xfa]) {
            address += 4;
        }
        if self.bytes(address) == Some([0xf2]) {
            address += 1;
        }
        match self.bytes::<6>(address)? {
            [0xff, 0x25, distance @ ..] => Some(
                address.wrapping_add(6).wrapping_add_signed(i32::from_le_bytes(distance).into()),
            ),
            _ => None,
        }
    }

    fn bytes<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let after = self.sections.partition_point(|section| section.0 <= address);
        let (start, bytes) = &self.sections[after.checked_sub(1)?];
        let from = usize::try_from(address - start).ok()?;
        bytes.get(from..from.checked_add(N)?)?.try_into().ok()
    }
}
