//! Functions of the user.

use std::sync::Arc;

use crate::syntax::ast::Expr;

/// A function of the user.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters, in order.
    pub parameters: Vec<String>,
    /// Its body.
    pub body: Expr,
    /// The text that the body's places refer to.
    pub text: Arc<str>,
    /// The statement that defined it.
    pub definition: String,
}
