//! tree-sitter with its grammars of C and C++, natively. The page has the same grammars beside it.

use tree_sitter::{Language, Parser, Tree, TreeCursor};

use super::language::Grammar;
use super::syntax_tree::{DECLARATORS, Node, OUTLINED};

/// The nodes of `text` that make its outline; none if it cannot be parsed. O(bytes).
pub fn nodes(grammar: Grammar, text: &str) -> Vec<Node> {
    let language = Language::new(match grammar {
        Grammar::C => tree_sitter_c::LANGUAGE,
        Grammar::Cpp => tree_sitter_cpp::LANGUAGE,
    });
    let mut parser = Parser::new();
    let tree = parser.set_language(&language).ok().and_then(|()| parser.parse(text, None));
    tree.map_or_else(Vec::new, |tree: Tree| {
        let mut nodes = vec![];
        each_of_kinds(tree.walk(), &OUTLINED, |node, _| {
            nodes.push(taken(node, 0, text));
            if let Some(declarator) = node.child_by_field_name("declarator") {
                each_of_kinds(declarator.walk(), &DECLARATORS, |inner, depth| {
                    nodes.push(taken(inner, depth, text));
                });
            }
        });
        nodes
    })
}

fn taken(node: tree_sitter::Node<'_>, depth: u32, text: &str) -> Node {
    let declarator =
        node.child_by_field_name("declarator").and_then(|node| text.get(node.byte_range()));
    Node {
        kind: node.kind().to_owned(),
        first: node.start_position().row as u32 + 1,
        last: node.end_position().row as u32 + 1,
        depth,
        declarator: declarator.unwrap_or_default().to_owned(),
    }
}

/// Calls for every node of `kinds` in the order of the text, with how many others of them it lies in.
fn each_of_kinds<'tree>(
    mut cursor: TreeCursor<'tree>,
    kinds: &[&str],
    mut each: impl FnMut(tree_sitter::Node<'tree>, u32),
) {
    // Ends of the nodes of `kinds` round the one that is looked at.
    let mut round: Vec<u32> = vec![];
    loop {
        while round.pop_if(|depth| *depth >= cursor.depth()).is_some() {}
        if kinds.contains(&cursor.node().kind()) {
            each(cursor.node(), round.len() as u32);
            round.push(cursor.depth());
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}
