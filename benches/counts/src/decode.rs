//! Instructions of a binary, from objdump: what they read and write, and what they do.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::values::{Address, Effect};

/// Registers: 16 for integers, 32 for vectors, the flags.
pub const REGISTERS: usize = 49;
pub const FLAGS: usize = 48;

/// The resource that an instruction needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Nothing, or only a register renamed.
    None,
    Integer,
    IntegerMultiply,
    IntegerDivide,
    Add,
    Multiply,
    Fma,
    Divide,
    Sqrt,
}

/// How it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    Fall,
    Branch(Option<u64>),
    Jump(Option<u64>),
    Call(Option<u64>),
    Return,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    pub kind: Kind,
    pub is_single: bool,
    pub loads: bool,
    pub stores: bool,
    /// Registers of its address.
    pub address: Vec<usize>,
    /// Whether its address has an index, or a base that is not the stack's.
    pub is_array: bool,
    pub reads: Vec<usize>,
    pub writes: Vec<usize>,
    /// The operand in memory.
    pub place: Option<Address>,
    /// The effect on a register of integers, if that is known.
    pub effect: Option<Effect>,
    /// Whether it jumps if what was compared is equal, or if it is not.
    pub on_equal: Option<bool>,
    pub next: Next,
    /// The address after it.
    pub after: u64,
    /// The begin of its function.
    pub function: u64,
}

/// The instructions of a binary by address.
pub fn decoded(program: &Path) -> Result<BTreeMap<u64, Instruction>> {
    let output = Command::new("objdump")
        .args(["-d", "--no-show-raw-insn"])
        .arg(program)
        .output()
        .context("objdump is needed")?;
    ensure!(output.status.success(), "objdump: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let mut function = 0;
    let mut rows: Vec<(u64, u64, &str)> = Vec::new();
    for line in text.lines() {
        if let Some((address, _)) = line.split_once(" <").filter(|_| line.ends_with(">:")) {
            function = u64::from_str_radix(address, 16).unwrap_or(0);
        } else if let Some((address, rest)) = line.trim_start().split_once(":\t")
            && let Ok(address) = u64::from_str_radix(address, 16)
        {
            rows.push((address, function, rest.trim()));
        }
    }
    let row = |(k, (at, function, text)): (usize, &(u64, u64, &str))| {
        let after = rows.get(k + 1).map_or(0, |next| next.0);
        (*at, instruction(text, after, *function))
    };
    Ok(rows.iter().enumerate().map(row).collect())
}

fn instruction(text: &str, after: u64, function: u64) -> Instruction {
    let text = text.split(['#', '<']).next().unwrap_or_default().trim();
    let mut words = text.split_whitespace().peekable();
    let prefix = ["rep", "repz", "repnz", "lock", "notrack", "bnd", "data16", "cs"];
    while words.peek().is_some_and(|word| prefix.contains(word)) {
        words.next();
    }
    let name = words.next().unwrap_or_default();
    let rest: String = words.collect::<Vec<_>>().join(" ");
    let operands = operands(&rest);
    let target = u64::from_str_radix(rest.trim(), 16).ok();
    let next = match name {
        "ret" | "retq" => Next::Return,
        "call" | "callq" => Next::Call(target),
        "jmp" | "jmpq" => Next::Jump(target),
        _ if name.starts_with('j') => Next::Branch(target),
        _ => Next::Fall,
    };
    let mut instruction = Instruction {
        kind: kind(name, &operands),
        is_single: name.ends_with("ss") || name.ends_with("ps"),
        loads: false,
        stores: false,
        address: Vec::new(),
        is_array: false,
        reads: Vec::new(),
        writes: Vec::new(),
        place: operands.iter().find_map(|operand| address(operand, after)),
        effect: effect(name, &operands),
        on_equal: match name {
            "je" => Some(true),
            "jne" => Some(false),
            _ => None,
        },
        next,
        after,
        function,
    };
    let is_compare = ["cmp", "test", "ucomi", "comi", "vucomi", "vcomi", "bt"];
    let is_compare =
        is_compare.iter().any(|word| name.starts_with(word)) && !name.starts_with("cmpp");
    let is_move = name.starts_with("mov") || name.starts_with("vmov") || name.starts_with("lea");
    let is_one = ["inc", "dec", "neg", "not", "set"].iter().any(|word| name.starts_with(word));
    let last = operands.len().saturating_sub(1);
    for (k, operand) in operands.iter().enumerate() {
        let is_target = k == last && !is_compare && instruction.next == Next::Fall;
        match operand.contains('(') || (operand.starts_with("0x") && instruction.next == Next::Fall)
        {
            true if name.starts_with("lea")
                || name.starts_with("nop")
                || name.starts_with("prefetch") =>
            {
                instruction.reads.extend(registers(operand));
            }
            true => {
                instruction.address.extend(registers(operand));
                instruction.is_array = operand.contains(',')
                    || !(operand.contains("%rsp")
                        || operand.contains("%rbp")
                        || operand.contains("%rip"));
                instruction.stores |= is_target;
                instruction.loads |= !is_target || !(is_move || name.starts_with("set"));
            }
            false => {
                let of = registers(operand);
                if is_target {
                    instruction.writes.extend(&of);
                    let overwrites = is_move || name.starts_with("set") || name.starts_with("pop");
                    let is_three = name.starts_with('v') && !name.starts_with("vfm");
                    let converts = name.starts_with("cvt") || name.starts_with("sqrt");
                    if !overwrites && !is_three && !converts {
                        instruction.reads.extend(&of);
                    }
                } else {
                    instruction.reads.extend(&of);
                }
            }
        }
    }
    if (name.starts_with("push") || name.starts_with("call")) && !name.starts_with("pushf") {
        instruction.reads.append(&mut instruction.writes);
        instruction.stores = true;
    }
    if name.starts_with("pop") || name.starts_with("ret") || name.starts_with("leave") {
        instruction.loads = true;
    }
    let is_wide = operands.len() == 1
        && matches!(instruction.kind, Kind::IntegerDivide | Kind::IntegerMultiply);
    if is_wide {
        // The operand is not the target: that are rax and rdx, of which a division needs both.
        instruction.writes.clear();
        instruction.stores = false;
    }
    if is_wide || name == "cltd" || name == "cqto" {
        instruction.reads.push(0);
        if instruction.kind == Kind::IntegerDivide {
            instruction.reads.push(3);
        }
        instruction.writes.extend([0, 3]);
    }
    let is_zero =
        (name.starts_with("xor") || name.starts_with("pxor") || name.starts_with("vpxor"))
            && operands.len() >= 2
            && operands[0] == operands[1];
    if is_zero {
        instruction.reads.clear();
        instruction.kind = Kind::None;
    }
    if is_compare
        || (instruction.kind == Kind::Integer && !is_move && !name.starts_with('p'))
        || is_one
    {
        instruction.writes.push(FLAGS);
    }
    let takes = ["cmov", "set", "adc", "sbb"].iter().any(|word| name.starts_with(word));
    if takes || matches!(instruction.next, Next::Branch(_)) {
        instruction.reads.push(FLAGS);
    }
    instruction
}

/// A number as it stands in an operand: `0x10`, `-0x8`, `$0x48`.
fn number(text: &str) -> Option<i64> {
    let text = text.strip_prefix('$').unwrap_or(text);
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let value = u64::from_str_radix(digits.strip_prefix("0x")?, 16).ok()?;
    Some((value as i64).wrapping_mul(sign))
}

/// A register of integers, alone.
fn register(operand: &str) -> Option<usize> {
    let is_alone = operand.starts_with('%') && !operand.contains('(');
    is_alone.then(|| registers(operand).first().copied()).flatten().filter(|number| *number < 16)
}

/// `0x8(%rbx,%rax,8)`; places of the program stand relative to the next instruction.
fn address(operand: &str, after: u64) -> Option<Address> {
    let (plus, rest) = operand.split_once('(')?;
    let plus = if plus.is_empty() { 0 } else { number(plus)? };
    let parts: Vec<&str> = rest.trim_end_matches(')').split(',').collect();
    if parts[0] == "%rip" {
        return Some(Address { plus: plus.wrapping_add(after as i64), ..Address::default() });
    }
    let base = register(parts[0]);
    let index = parts.get(1).and_then(|part| register(part));
    let scale = parts.get(2).map_or(Some(1), |part| part.parse().ok())?;
    Some(Address { base, index: index.map(|index| (index, scale)), plus })
}

fn effect(name: &str, operands: &[String]) -> Option<Effect> {
    let [from, to] = operands else {
        let number = register(operands.first()?)?;
        return match name {
            "inc" => Some(Effect::Add(number, 1)),
            "dec" => Some(Effect::Add(number, -1)),
            _ => None,
        };
    };
    let to = register(to)?;
    match name {
        "mov" | "movabs" => match register(from) {
            Some(from) => Some(Effect::Copy { from, to, plus: 0 }),
            None => {
                from.starts_with('$').then(|| number(from)).flatten().map(|n| Effect::Set(to, n))
            }
        },
        "xor" if register(from) == Some(to) => Some(Effect::Set(to, 0)),
        "add" => number(from).map(|n| Effect::Add(to, n)),
        "sub" => number(from).map(|n| Effect::Add(to, n.wrapping_neg())),
        "cmp" => number(from).map(|n| Effect::Compare(to, n)),
        "lea" => {
            let Address { base: Some(from), index: None, plus } = address(from, 0)? else {
                return None;
            };
            Some(Effect::Copy { from, to, plus })
        }
        _ => None,
    }
}

fn kind(name: &str, operands: &[String]) -> Kind {
    let vector = operands.iter().any(|operand| operand.contains("mm"));
    let bare = name.strip_prefix('v').unwrap_or(name);
    let starts = |words: &[&str]| words.iter().any(|word| bare.starts_with(word));
    if starts(&["nop", "endbr", "ret", "leave", "jmp", "call", "push", "pop", "prefetch"]) {
        return Kind::None;
    }
    if starts(&["mov", "lddqu"]) {
        // Between a register of integers and one of vectors, or extended: a step.
        let mixed = vector && operands.iter().any(|o| o.starts_with('%') && !o.contains("mm"));
        return if mixed { Kind::Integer } else { Kind::None };
    }
    if vector {
        return match () {
            () if starts(&["fm", "fnm"]) => Kind::Fma,
            () if starts(&["div"]) => Kind::Divide,
            () if starts(&["sqrt", "rsqrt"]) => Kind::Sqrt,
            () if starts(&["mul", "pmul"]) => Kind::Multiply,
            () if starts(&[
                "add", "sub", "cvt", "ucomi", "comi", "min", "max", "cmp", "haddp", "round",
            ]) =>
            {
                Kind::Add
            }
            () => Kind::Integer,
        };
    }
    match () {
        () if starts(&["imul", "mul"]) => Kind::IntegerMultiply,
        () if starts(&["idiv", "div"]) => Kind::IntegerDivide,
        () => Kind::Integer,
    }
}

/// Operands, divided at commas outside of brackets.
fn operands(text: &str) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut depth = 0;
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        match letter {
            ',' if depth == 0 => texts.push(String::new()),
            letter => texts.last_mut().expect("one").push(letter),
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    texts
}

/// The registers that are named in an operand.
fn registers(operand: &str) -> Vec<usize> {
    const NAMES: [&str; 8] = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp"];
    let names = operand.split('%').skip(1);
    let one = |rest: &str| {
        let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
        if let Some(number) =
            name.strip_prefix("xmm").or(name.strip_prefix("ymm")).or(name.strip_prefix("zmm"))
        {
            return number.parse::<usize>().ok().map(|number| 16 + number % 32);
        }
        if let Some(rest) = name.strip_prefix('r')
            && let Ok(number) = rest.trim_end_matches(['d', 'w', 'b']).parse::<usize>()
        {
            return Some(number % 16);
        }
        let core = name.trim_start_matches(['r', 'e']);
        if let Some(place) =
            NAMES.iter().position(|known| *known == core || core.strip_suffix('l') == Some(known))
        {
            return Some(place);
        }
        match name.as_str() {
            "al" | "ah" => Some(0),
            "bl" | "bh" => Some(1),
            "cl" | "ch" => Some(2),
            "dl" | "dh" => Some(3),
            _ => None,
        }
    };
    names.filter_map(one).collect()
}
