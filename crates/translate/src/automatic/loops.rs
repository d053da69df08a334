//! The outermost loops of a function, and where braces around them may be put.

use cll_csource::pragma::AppliesTo;
use cll_csource::tree::{NodeId, Role, Statement};
use cll_csource::{Token, TokenKind};

use super::parameters::text;
use crate::language::Directive;
use crate::regions::Site;

/// A loop that can be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// Offset of the keyword.
    pub offset: usize,
    /// Offset of the opening brace.
    pub open: usize,
    /// Offset of the closing brace.
    pub close: usize,
    /// The tokens of the loop, with the pragmas that apply to it.
    pub tokens: (usize, usize),
    /// Index of its keyword.
    pub keyword: usize,
}

/// The outermost loops in order; for each that cannot be measured the offset of its keyword and the reason.
pub(super) fn outermost(site: &Site<'_>, entered: &[bool]) -> Vec<Result<Placed, (usize, String)>> {
    let nodes = &site.tree.nodes;
    let is_loop = |statement: Statement| {
        matches!(
            statement,
            Statement::For | Statement::While | Statement::Do | Statement::Macro(true)
        )
    };
    let is_inside =
        |node: NodeId| site.tree.ancestors(node).any(|ancestor| is_loop(nodes[ancestor].statement));
    let unreachable = |node: NodeId| {
        site.tree.ancestors(node).find_map(|ancestor| match nodes[ancestor].statement {
            Statement::Block(Role::Nested) => Some("it is in a function inside the function"),
            Statement::Block(Role::Expression) => Some("it is in an expression `({ … })`"),
            _ => None,
        })
    };
    let loops = (0..nodes.len()).filter(|&node| is_loop(nodes[node].statement));
    let loops = loops.filter(|&node| !is_inside(node) && !is_once(site, node));
    loops
        .map(|node| {
            let offset = site.variant.tokens[nodes[node].first].start;
            let can_be = unreachable(node).map_or(Ok(()), |why| Err(why.to_owned()));
            can_be.and_then(|()| placed(site, entered, node)).map_err(|why| (offset, why))
        })
        .collect()
}

/// The functions inside the function: the name and the offset of the brace of each.
pub(super) fn nested_functions(site: &Site<'_>) -> Vec<(String, usize)> {
    let tokens = &site.variant.tokens;
    let nested =
        site.tree.nodes.iter().filter(|node| node.statement == Statement::Block(Role::Nested));
    nested
        .map(|node| {
            let name = before_parentheses(tokens, node.first)
                .filter(|&index| tokens[index].kind == TokenKind::Identifier)
                .map(|index| text(site.variant, &tokens[index]));
            (name.unwrap_or_else(|| "a function".to_owned()), tokens[node.first].start)
        })
        .collect()
}

/// The token before the parentheses that end before a token.
fn before_parentheses(tokens: &[Token], end: usize) -> Option<usize> {
    let mut depth = 0usize;
    for index in (0..end).rev() {
        match tokens[index].byte {
            b')' => depth += 1,
            b'(' if depth == 1 => return index.checked_sub(1),
            b'(' => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// `do … while (0)`: no loop.
fn is_once(site: &Site<'_>, node: NodeId) -> bool {
    let node = &site.tree.nodes[node];
    let tokens = &site.variant.tokens[node.first..node.end];
    node.statement == Statement::Do
        && matches!(tokens, [.., open, value, close, _]
            if open.is(b'(') && close.is(b')') && text(site.variant, value) == "0")
}

fn placed(site: &Site<'_>, entered: &[bool], node: NodeId) -> Result<Placed, String> {
    let nodes = &site.tree.nodes;
    let tokens = &site.variant.tokens;
    let keyword = nodes[node].first;
    if let Statement::Macro(_) = nodes[node].statement {
        return Err(format!("the macro {} makes it", text(site.variant, &tokens[keyword])));
    }
    if entered[node] {
        return Err("something jumps into it".to_owned());
    }
    if takes_more(site, node) {
        return Err("its body is a macro without `;`, whose extent is not known".to_owned());
    }
    let outer = with_pragmas(site, node);
    let (first, end) = (nodes[outer].first, nodes[outer].end);
    let last = end.checked_sub(1).filter(|&last| last < tokens.len() && last >= first);
    let last = last.ok_or("its end is not found")?;
    if !(tokens[last].is(b'}') || tokens[last].is(b';')) {
        return Err("its end is not found".to_owned());
    }
    let before = &tokens[first - 1];
    let is_pragma = matches!(tokens[first].kind, TokenKind::Directive | TokenKind::Marker);
    let is_line = matches!(before.kind, TokenKind::Directive | TokenKind::Marker);
    if is_pragma && is_line {
        return Err("a brace before its pragma would be on the line of another one".to_owned());
    }
    let follows = before.is(b';') || before.is(b'{') || before.is(b'}') || before.is(b':');
    if !nodes[outer].sub && !follows && !is_line {
        let name = text(site.variant, before);
        return Err(format!("it follows `{name}`, which may be part of it"));
    }
    if nodes[outer].sub
        && nodes[outer].parent.is_some_and(|parent| {
            matches!(nodes[parent].statement, Statement::Macro(_) | Statement::Pragma(_))
                && is_pragma
        })
    {
        return Err("it belongs to a macro or a pragma".to_owned());
    }
    if has_open_region(site, first, end) {
        return Err("a region of a pragma begins in it and ends behind it".to_owned());
    }
    let open = if is_pragma { before.end } else { tokens[first].start };
    Ok(Placed {
        offset: tokens[keyword].start,
        open,
        close: tokens[last].end,
        tokens: (first, end),
        keyword,
    })
}

/// The outermost of the pragmas directly before a loop, which must stay with it; else the loop itself.
fn with_pragmas(site: &Site<'_>, node: NodeId) -> NodeId {
    let nodes = &site.tree.nodes;
    let mut outer = node;
    while let Some(parent) = nodes[outer].parent.filter(|_| nodes[outer].sub) {
        match nodes[parent].statement {
            Statement::Pragma(AppliesTo::Loop { .. }) => outer = parent,
            // Its line ends where the brace would be.
            Statement::Pragma(_) if outer != node => outer = parent,
            _ => break,
        }
    }
    outer
}

/// Whether a pragma among the tokens opens a region that is not closed among them.
fn has_open_region(site: &Site<'_>, first: usize, end: usize) -> bool {
    let mut open = 0usize;
    for token in site.variant.tokens[first..end].iter().filter(|t| t.kind == TokenKind::Marker) {
        match &site.marked.marks[site.marked.id(token)].directive {
            Directive::Begin(_) | Directive::For(_) => open += 1,
            Directive::End { .. } | Directive::EndFor if open == 0 => return true,
            Directive::End { .. } | Directive::EndFor => open -= 1,
            _ => {}
        }
    }
    open > 0
}

/// Whether the body is `NAME(…)` and goes on without `;`: the macro may be a complete statement.
fn takes_more(site: &Site<'_>, node: NodeId) -> bool {
    let nodes = &site.tree.nodes;
    let body = nodes.iter().find(|child| child.parent == Some(node) && child.sub);
    let Some(body) = body.filter(|body| body.statement == Statement::Simple) else { return false };
    let tokens = &site.variant.tokens[body.first..body.end];
    let calls = tokens.len() > 2 && tokens[0].kind == TokenKind::Identifier && tokens[1].is(b'(');
    if !calls {
        return false;
    }
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(1) {
        match token.byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return tokens
                        .get(index + 1)
                        .is_some_and(|next| next.kind == TokenKind::Identifier);
                }
            }
            _ => {}
        }
    }
    false
}
