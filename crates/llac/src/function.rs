//! Functions of the user.

use std::sync::Arc;

use crate::syntax::ast::Expr;

/// A function of the user.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name of the function.
    pub name: String,
    /// The parameters of the function, in order.
    pub parameters: Vec<String>,
    /// The body of the function.
    pub body: Expr,
    /// The text that the body's places refer to.
    pub text: Arc<str>,
    /// The statement that defined it.
    pub definition: String,
}
