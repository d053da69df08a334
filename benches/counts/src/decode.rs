//! Instructions of a binary, from objdump: what they read and write, and what they do.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Registers: 16 for integers, 32 for vectors, the flags.
pub const REGISTERS: usize = 49;
const FLAGS: usize = 48;

/// What an instruction needs.
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
    let one = |(k, (at, function, text)): (usize, &(u64, u64, &str))| {
        let after = rows.get(k + 1).map_or(0, |next| next.0);
        (*at, instruction(text, after, *function))
    };
    Ok(rows.iter().enumerate().map(one).collect())
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
    let mut one = Instruction {
        kind: kind(name, &operands),
        is_single: name.ends_with("ss") || name.ends_with("ps"),
        loads: false,
        stores: false,
        address: Vec::new(),
        is_array: false,
        reads: Vec::new(),
        writes: Vec::new(),
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
        let is_target = k == last && !is_compare && one.next == Next::Fall;
        match operand.contains('(') || (operand.starts_with("0x") && one.next == Next::Fall) {
            true if name.starts_with("lea")
                || name.starts_with("nop")
                || name.starts_with("prefetch") =>
            {
                one.reads.extend(registers(operand));
            }
            true => {
                one.address.extend(registers(operand));
                one.is_array = operand.contains(',')
                    || !(operand.contains("%rsp")
                        || operand.contains("%rbp")
                        || operand.contains("%rip"));
                one.stores |= is_target;
                one.loads |= !is_target || !(is_move || name.starts_with("set"));
            }
            false => {
                let of = registers(operand);
                if is_target {
                    one.writes.extend(&of);
                    let overwrites = is_move || name.starts_with("set") || name.starts_with("pop");
                    let is_three = name.starts_with('v') && !name.starts_with("vfm");
                    let converts = name.starts_with("cvt") || name.starts_with("sqrt");
                    if !overwrites && !is_three && !converts {
                        one.reads.extend(&of);
                    }
                } else {
                    one.reads.extend(&of);
                }
            }
        }
    }
    if (name.starts_with("push") || name.starts_with("call")) && !name.starts_with("pushf") {
        one.reads.append(&mut one.writes);
        one.stores = true;
    }
    if name.starts_with("pop") || name.starts_with("ret") || name.starts_with("leave") {
        one.loads = true;
    }
    let is_wide =
        operands.len() == 1 && matches!(one.kind, Kind::IntegerDivide | Kind::IntegerMultiply);
    if is_wide {
        // The operand is not the target: that are rax and rdx, of which a division needs both.
        one.writes.clear();
        one.stores = false;
    }
    if is_wide || name == "cltd" || name == "cqto" {
        one.reads.push(0);
        if one.kind == Kind::IntegerDivide {
            one.reads.push(3);
        }
        one.writes.extend([0, 3]);
    }
    let is_zero =
        (name.starts_with("xor") || name.starts_with("pxor") || name.starts_with("vpxor"))
            && operands.len() >= 2
            && operands[0] == operands[1];
    if is_zero {
        one.reads.clear();
        one.kind = Kind::None;
    }
    if is_compare || (one.kind == Kind::Integer && !is_move && !name.starts_with('p')) || is_one {
        one.writes.push(FLAGS);
    }
    let takes = ["cmov", "set", "adc", "sbb"].iter().any(|word| name.starts_with(word));
    if takes || matches!(one.next, Next::Branch(_)) {
        one.reads.push(FLAGS);
    }
    one
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
    let mut found = vec![String::new()];
    let mut depth = 0;
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        match letter {
            ',' if depth == 0 => found.push(String::new()),
            letter => found.last_mut().expect("one").push(letter),
        }
    }
    found.retain(|one| !one.trim().is_empty());
    found
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
