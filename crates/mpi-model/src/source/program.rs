//! The functions of a program's files, and which of them communicate.

use std::collections::{BTreeSet, HashMap};

use cll_csource::file::{Function, Variant};
use cll_csource::tree::{NodeId, Tree};
use cll_csource::{File, TokenKind, spelling};
use cll_trace::layout::call::{Class, Op};

use super::evaluate::{Values, value};

/// A function.
pub(super) struct Body {
    pub(super) name: String,
    /// The name of its file, without folders.
    pub(super) file: String,
    pub(super) tokens: Vec<String>,
    pub(super) lines: Vec<u32>,
    pub(super) tree: Tree,
    /// Children of each node.
    pub(super) children: Vec<Vec<NodeId>>,
    pub(super) parameters: Vec<String>,
    /// The first token of the file that is in `tokens`.
    first: usize,
}

impl Body {
    /// The tokens of a range of the file's.
    pub(super) fn text(&self, from: usize, to: usize) -> &[String] {
        let clamped = |index: usize| index.saturating_sub(self.first).min(self.tokens.len());
        &self.tokens[clamped(from)..clamped(to).max(clamped(from))]
    }

    pub(super) fn line(&self, token: usize) -> u32 {
        self.lines.get(token.saturating_sub(self.first)).copied().unwrap_or(0)
    }
}

/// A program.
pub(super) struct Program {
    pub(super) bodies: Vec<Body>,
    pub(super) by_name: HashMap<String, usize>,
    /// Functions that call MPI to communicate, or call such functions.
    pub(super) communicates: BTreeSet<String>,
    /// Constants: macros and enumerators.
    pub(super) constants: Values,
}

/// A call of MPI that is a step of a graph.
pub(super) fn step_of(name: &str) -> Option<Op> {
    let op = Op::of_function(name)?;
    (!matches!(op.class(), Class::File)).then_some(op)
}

impl Program {
    pub(super) fn new(files: &[(String, Vec<u8>)]) -> Program {
        let mut program = Program {
            bodies: Vec::new(),
            by_name: HashMap::new(),
            communicates: BTreeSet::new(),
            constants: Values::new(),
        };
        for (name, source) in files {
            let file = File::read(source, |_, _| false);
            let variant = file.variant(&[], 0);
            program.constants(source, &variant);
            for function in variant.functions() {
                program.add(name, &variant, &function);
            }
        }
        loop {
            let before = program.communicates.len();
            for body in &program.bodies {
                let calls = body.tokens.windows(2).filter(|pair| pair[1] == "(");
                let mut names = calls.map(|pair| pair[0].as_str());
                if names.any(|name| step_of(name).is_some() || program.communicates.contains(name))
                {
                    program.communicates.insert(body.name.clone());
                }
            }
            if program.communicates.len() == before {
                return program;
            }
        }
    }

    /// Macros that are a number, and enumerators with values.
    fn constants(&mut self, source: &[u8], variant: &Variant<'_>) {
        for line in String::from_utf8_lossy(source).lines() {
            let mut words = line.trim_start().trim_start_matches('#').split_whitespace();
            if line.trim_start().starts_with('#') && words.next() == Some("define") {
                let (Some(name), Some(number)) = (words.next(), words.next()) else { continue };
                let number = number.trim_matches(['(', ')']).to_owned();
                if let Some(known) = value(&[number], &self.constants) {
                    self.constants.insert(name.to_owned(), Some(known));
                }
            }
        }
        let words: Vec<String> =
            variant.tokens.iter().map(|token| word(variant.source, token)).collect();
        for start in (0..words.len()).filter(|&index| words[index] == "enum") {
            let Some(open) = (start..words.len().min(start + 3)).find(|&index| words[index] == "{")
            else {
                continue;
            };
            let close =
                (open..words.len()).find(|&index| words[index] == "}").unwrap_or(words.len());
            let mut next = Some(0);
            for part in words[open + 1..close].split(|word| word == ",") {
                let Some(name) = part.first() else { continue };
                if part.get(1).is_some_and(|word| word == "=") {
                    next = value(&part[2..], &self.constants);
                }
                self.constants.insert(name.clone(), next);
                next = next.and_then(|next| next.checked_add(1));
            }
        }
    }

    fn add(&mut self, file: &str, variant: &Variant<'_>, function: &Function) {
        let tree = Tree::parse(variant, function);
        let end = (function.close + 1).min(variant.tokens.len());
        let range = &variant.tokens[function.open..end];
        let mut lines = Vec::new();
        let mut line =
            1 + count_lines(&variant.source[..range.first().map_or(0, |token| token.start)]);
        let mut offset = range.first().map_or(0, |token| token.start);
        for token in range {
            line += count_lines(&variant.source[offset..token.start]);
            offset = token.start;
            lines.push(line);
        }
        let mut children = vec![Vec::new(); tree.nodes.len()];
        for (node, tree_node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = tree_node.parent {
                children[parent].push(node);
            }
        }
        let body = Body {
            name: function.name.clone(),
            file: file.rsplit('/').next().unwrap_or(file).to_owned(),
            tokens: range.iter().map(|token| word(variant.source, token)).collect(),
            lines,
            tree,
            children,
            parameters: parameters(variant, function),
            first: function.open,
        };
        self.by_name.insert(function.name.clone(), self.bodies.len());
        self.bodies.push(body);
    }
}

fn word(source: &[u8], token: &cll_csource::Token) -> String {
    match token.kind {
        TokenKind::Marker | TokenKind::Directive => String::new(),
        _ => String::from_utf8_lossy(&spelling(source, token)).into_owned(),
    }
}

fn count_lines(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u32
}

/// The names in the parentheses before a body.
fn parameters(variant: &Variant<'_>, function: &Function) -> Vec<String> {
    let words = |from: usize| -> Vec<String> {
        variant.tokens[from..function.open]
            .iter()
            .map(|token| word(variant.source, token))
            .collect()
    };
    let start = function.open.saturating_sub(200);
    let before = words(start);
    let mut depth = 0;
    let mut open = None;
    for (index, text) in before.iter().enumerate().rev() {
        match text.as_str() {
            ")" => depth += 1,
            "(" => {
                depth -= 1;
                if depth == 0 {
                    open = Some(index);
                    break;
                }
            }
            _ => {}
        }
    }
    let Some(open) = open else { return Vec::new() };
    let inside = &before[open + 1..before.len().saturating_sub(1)];
    let is_name =
        |token: &&String| token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    split(inside, ",")
        .into_iter()
        .map(|part| part.iter().rev().find(is_name).cloned().unwrap_or_default())
        .collect()
}

/// Parts between separators that are in no brackets.
pub(super) fn split<'t>(tokens: &'t [String], separator: &str) -> Vec<&'t [String]> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (index, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            text if text == separator && depth == 0 => {
                parts.push(&tokens[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts
}

/// Index of the parenthesis that closes the one at `open`.
pub(super) fn closing(tokens: &[String], open: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "(" => depth += 1,
            ")" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return index;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// The tokens in the parentheses behind the first token of a statement, and the token behind them.
pub(super) fn head(body: &Body, first: usize, end: usize) -> (&[String], usize) {
    let tokens = body.text(first, end);
    let Some(open) = tokens.iter().take(3).position(|token| token == "(") else {
        return (&[], first + 1);
    };
    let close = closing(tokens, open);
    (&tokens[(open + 1).min(close)..close], first + close + 1)
}

/// Source text on one line.
pub(super) fn words(tokens: &[String]) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        let glued = |word: &str| {
            matches!(word, "(" | ")" | "[" | "]" | "." | "->" | "++" | "--" | "!" | "&")
        };
        let tight = index == 0
            || matches!(
                token.as_str(),
                ")" | "]" | "," | ";" | "++" | "--" | "[" | "(" | "." | "->"
            );
        let is_glued = |word: &String| glued(word) && word != ")" && word != "]";
        let follows = index.checked_sub(1).is_some_and(|before| is_glued(&tokens[before]));
        if !tight && !follows {
            text.push(' ');
        }
        text.push_str(token);
    }
    text
}

/// How often `i = a; i < b; i++` is passed.
pub(super) fn passages(head: &[String], values: &Values) -> Option<u64> {
    let [first, condition, step] = split(head, ";")[..] else { return None };
    let equals = first.iter().position(|token| token == "=")?;
    let name = &first[equals.checked_sub(1)?];
    let from = value(&first[equals + 1..], values)?;
    let ([variable, operator, bound @ ..], true) = (condition, !condition.is_empty()) else {
        return None;
    };
    let to = value(bound, values).filter(|_| variable == name)?;
    let by = match step {
        [target, two] if (target == name && two == "++") || (target == "++" && two == name) => 1,
        [target, two] if (target == name && two == "--") || (target == "--" && two == name) => -1,
        [target, operator, by @ ..] if target == name && operator == "+=" => value(by, values)?,
        [target, operator, by @ ..] if target == name && operator == "-=" => -value(by, values)?,
        _ => return None,
    };
    let (span, by) = match (operator.as_str(), by) {
        ("<", 1..) => (to - from, by),
        ("<=", 1..) => (to - from + 1, by),
        (">", ..=-1) => (from - to, -by),
        (">=", ..=-1) => (from - to + 1, -by),
        _ => return None,
    };
    u64::try_from((span.max(0) + by - 1) / by).ok()
}
