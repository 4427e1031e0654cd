//! Routines and loops of C and C++, out of the nodes of a syntax tree that tree-sitter makes.

use serde::Deserialize;

use super::{Block, BlockKind, Outline};

const LOOPS: [&str; 4] = ["for_statement", "for_range_loop", "while_statement", "do_statement"];
const ROUTINE: &str = "function_definition";
const LAMBDA: &str = "lambda_expression";
const FUNCTION: &str = "function_declarator";
const PARENTHESIS: &str = "parenthesized_declarator";

/// Kinds of the nodes that are asked for, wherever they are in the tree.
pub const OUTLINED: [&str; 6] = [LOOPS[0], LOOPS[1], LOOPS[2], LOOPS[3], ROUTINE, LAMBDA];

/// Kinds of the nodes in the declarator of one of those that are asked for behind it.
pub const DECLARATORS: [&str; 2] = [FUNCTION, PARENTHESIS];

/// A longer name is cut: nobody reads it.
const LONGEST_NAME: usize = 200;

/// A node of a syntax tree. A list of them is in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Node {
    /// As the grammar calls it.
    pub kind: String,
    /// First and last line, from 1.
    pub first: u32,
    pub last: u32,
    /// Of a declarator: in how many others of its list it lies.
    pub depth: u32,
    /// The text of its field `declarator`; empty without one.
    pub declarator: String,
}

/// The routines and loops among nodes of the kinds [`OUTLINED`], each of which those of the kinds
/// [`DECLARATORS`] in its declarator follow.
pub fn blocks_of_nodes(nodes: &[Node]) -> Outline {
    let is_declarator = |node: &Node| DECLARATORS.contains(&node.kind.as_str());
    let block = |at: usize| {
        let node = &nodes[at];
        let declarators = &nodes[at + 1..];
        let end = declarators.iter().position(|node| !is_declarator(node));
        let declarators = &declarators[..end.unwrap_or(declarators.len())];
        let (kind, name) = match node.kind.as_str() {
            ROUTINE => (BlockKind::Routine, name_of(node, declarators)),
            LAMBDA => (BlockKind::Routine, "lambda".to_owned()),
            _ => (BlockKind::Loop, String::new()),
        };
        Block::new(kind, &name, node.first, node.last)
    };
    let blocks = (0..nodes.len()).filter(|at| !is_declarator(&nodes[*at])).map(block);
    Outline::new(blocks.collect())
}

/// The name before the parameters, without what is returned: `Mesh::solve`, `operator()`.
fn name_of(routine: &Node, declarators: &[Node]) -> String {
    let mut name = &routine.declarator;
    let mut inside = declarators;
    // What is returned may lie round it: a pointer, or a pointer to a function.
    while let Some(at) = inside.iter().position(|node| node.kind == FUNCTION) {
        let function = &inside[at];
        name = &function.declarator;
        let Some(parenthesis) = inside.get(at + 1) else { break };
        if parenthesis.kind != PARENTHESIS || !name.starts_with('(') {
            break;
        }
        let rest = &inside[at + 2..];
        let end = rest.iter().position(|node| node.depth <= parenthesis.depth);
        inside = &rest[..end.unwrap_or(rest.len())];
    }
    let bare = name.strip_prefix('(').and_then(|name| name.strip_suffix(')'));
    let words: Vec<_> = bare.unwrap_or(name).split_whitespace().collect();
    words.join(" ").chars().take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(kind: &str, depth: u32, declarator: &str) -> Node {
        let declarator = declarator.to_owned();
        Node { kind: kind.to_owned(), first: 1, last: 2, depth, declarator }
    }

    #[test]
    fn the_name_of_a_routine_is_inside_what_it_returns() {
        let f = |depth, declarator| node(FUNCTION, depth, declarator);
        let cases: [(&str, &[Node], &str); 6] = [
            ("*gather(int n)", &[f(0, "gather")], "gather"),
            ("old", &[], "old"),
            // int (*f(int a))(double)
            (
                "(*f(int a))(double)",
                &[f(0, "(*f(int a))"), node(PARENTHESIS, 1, ""), f(2, "f")],
                "f",
            ),
            // void f(void (*callback)(int))
            (
                "f(void (*callback)(int))",
                &[f(0, "f"), f(1, "(*callback)"), node(PARENTHESIS, 2, "")],
                "f",
            ),
            // void (f)(void (*callback)(int))
            (
                "(f)(void (*callback)(int))",
                &[
                    f(0, "(f)"),
                    node(PARENTHESIS, 1, ""),
                    f(1, "(*callback)"),
                    node(PARENTHESIS, 2, ""),
                ],
                "f",
            ),
            ("operator\n  ()(int i)", &[f(0, "operator\n  ()")], "operator ()"),
        ];
        for (whole, declarators, expected) in cases {
            let nodes = [&[node(ROUTINE, 0, whole)], declarators].concat();
            let outline = blocks_of_nodes(&nodes);
            assert_eq!(outline.blocks().len(), 1, "{whole}");
            assert_eq!(outline.blocks()[0].name, expected, "{whole}");
        }
    }
}
