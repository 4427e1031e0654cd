//! Files of models: XML as the reference tool has it, and three attributes more.
//!
//! ```xml
//! <model name="…" title-name="…" y1="…" y2="…" y1-stacked="yes|no" source="…" unless="…">
//!   <component name="…" title-name="…" where="y1|y2" color="…" hidden="yes|no" explanation="…">
//!     <operation type="+|-|*|/|m|M">
//!       <value> PAPI_L1_DCM </value>
//!       <value> 1000 </value>
//!     </operation>
//!   </component>
//! </model>
//! ```

use roxmltree::{Document, Error, Node, ParsingOptions};

use crate::text::ParseError;

use super::colour;
use super::component::{Axis, Component, Model};
use super::quote::quoted;
use super::value::Values;

/// Largest file, in bytes; models are short.
const LARGEST: usize = 1 << 20;
/// Most elements, texts and comments.
const MOST_NODES: u32 = 40_000;
/// Most terms in all formulas of a file: aliases of long formulas are short to write.
const MOST_TERMS_OF_A_FILE: usize = 10_000;

/// Reads the models of a file: one `<model>`, or several inside any other element.
///
/// `source` (of a model), `unless` and `explanation` are ours and may be absent, as may all but
/// `name` and `where`; attributes of other names are ignored. In a `<value>` a name is an earlier
/// component of the same model or a counter; of `A|B` the first that a trace has.
///
/// # Errors
///
/// With its place: what is no XML or no model, a document type (so that no entity can blow up), a
/// component that names itself or a later one, an operation without two operands, nesting or
/// formulas without end, more than a mebibyte.
#[inline(never)]
pub fn read(file: &str, bytes: &[u8]) -> Result<Vec<Model>, ParseError> {
    const EXPECTED: &str = "a file of performance models in XML";
    if bytes.len() > LARGEST {
        let found = format!("{} bytes", bytes.len());
        return Err(ParseError::of_file(file, &found, "models of at most 1 MiB"));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(ParseError::of_file(file, "bytes that are no UTF-8", EXPECTED));
    };
    let place = Place { file, text };
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options);
    let document = document.map_err(|error| place.of_xml(&error, EXPECTED))?;
    let root = document.root_element();
    let mut left = MOST_TERMS_OF_A_FILE;
    if root.has_tag_name("model") {
        return Ok(vec![model(root, &place, &mut left)?]);
    }
    let models = elements(root).map(|node| {
        place.named(node, "model")?;
        model(node, &place, &mut left)
    });
    let models = models.collect::<Result<Vec<_>, _>>()?;
    if models.is_empty() {
        let found = format!("{} without a <model>", tag(root));
        return Err(place.at(root.range().start, found, "<model>"));
    }
    Ok(models)
}

/// `left` is how many terms the file may still have.
fn model(node: Node<'_, '_>, place: &Place<'_>, left: &mut usize) -> Result<Model, ParseError> {
    let name = place.required(node, "name")?;
    let mut model = Model {
        title: attribute(node, "title-name").unwrap_or_else(|| name.clone()),
        name,
        left: attribute(node, "y1").unwrap_or_default(),
        right: attribute(node, "y2").unwrap_or_default(),
        stacked: place.yes_or_no(node, "y1-stacked")?,
        source: attribute(node, "source").unwrap_or_default(),
        unless: attribute(node, "unless").unwrap_or_default(),
        own: false,
        counters: Vec::new(),
        components: Vec::new(),
    };
    place.no_text(node)?;
    let nodes = elements(node).collect::<Vec<_>>();
    let names = nodes.iter().map(|node| attribute(*node, "name").unwrap_or_default());
    let names = names.collect::<Vec<_>>();
    for (index, node) in nodes.into_iter().enumerate() {
        place.named(node, "component")?;
        let component = component(node, place, &mut model, names.get(index..).unwrap_or_default())?;
        *left = left.checked_sub(component.formula.terms()).ok_or_else(|| {
            let found = format!("formulas of more than {MOST_TERMS_OF_A_FILE} terms");
            place.at(node.range().start, found, "fewer or shorter ones")
        })?;
        model.components.push(component);
    }
    if model.components.is_empty() {
        let found = "a <model> without components".to_owned();
        return Err(place.at(node.range().start, found, "<component>"));
    }
    Ok(model)
}

/// `names` are those of this component and of all later ones.
fn component(
    node: Node<'_, '_>,
    place: &Place<'_>,
    model: &mut Model,
    names: &[String],
) -> Result<Component, ParseError> {
    let name = place.required(node, "name")?;
    if model.components.iter().any(|earlier| earlier.name == name) {
        let found = format!("a second component {}", quoted(&name));
        return Err(place.of_attribute(node, "name", found, "names that differ"));
    }
    let axis = match place.required(node, "where")?.as_str() {
        "y1" => Axis::Left,
        "y2" => Axis::Right,
        other => {
            let found = quoted(other);
            return Err(place.of_attribute(node, "where", found, "y1 (left) or y2 (right)"));
        }
    };
    let colour = match attribute(node, "color") {
        None => None,
        Some(text) => Some(colour::parse(&text).ok_or_else(|| {
            let expected = "a colour such as red or #1f77b4";
            place.of_attribute(node, "color", quoted(&text), expected)
        })?),
    };
    let hidden = place.yes_or_no(node, "hidden")?;
    let mut values = Values::new(place, &model.components, names, &mut model.counters);
    let formula = values.only_formula(node)?;
    let title = attribute(node, "title-name").unwrap_or_else(|| name.clone());
    let explanation = attribute(node, "explanation").unwrap_or_default();
    Ok(Component { name, title, axis, colour, hidden, explanation, formula })
}

/// The elements directly inside.
pub fn elements<'a, 'input>(node: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(Node::is_element)
}

/// The text of an attribute with its runs of blanks as one; `None` if there is none or it is empty.
pub fn attribute(node: Node<'_, '_>, name: &str) -> Option<String> {
    let text = node.attribute(name)?;
    let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    Some(text).filter(|text| !text.is_empty())
}

/// `<name>`, cut if it is long.
pub fn tag(node: Node<'_, '_>) -> String {
    format!("<{}>", node.tag_name().name().chars().take(40).collect::<String>())
}

/// Makes errors of places in the text.
pub struct Place<'a> {
    file: &'a str,
    text: &'a str,
}

impl Place<'_> {
    /// An error at a byte of the text.
    pub fn at(&self, offset: usize, found: String, expected: &str) -> ParseError {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let rest = self.text.get(start..).unwrap_or_default();
        let line_text = rest.lines().next().unwrap_or_default();
        let column = 1 + before.len() - start;
        let mut error =
            ParseError::at(self.file, line as u64, column, line_text.as_bytes(), expected);
        error.found = found;
        error
    }

    pub fn of_attribute(
        &self,
        node: Node<'_, '_>,
        name: &str,
        found: String,
        expected: &str,
    ) -> ParseError {
        let offset = node.attribute_node(name).map(|attribute| attribute.range_value().start);
        self.at(offset.unwrap_or(node.range().start), found, expected)
    }

    fn of_xml(&self, error: &Error, expected: &str) -> ParseError {
        let found = match error {
            Error::DtdDetected => "a document type (<!DOCTYPE>)".to_owned(),
            Error::NodesLimitReached => format!("more than {MOST_NODES} elements"),
            // It ends in the place, in lines and characters.
            error => {
                let words = error.to_string();
                let words = words.rsplit_once(" at ").map_or(words.as_str(), |(words, _)| words);
                format!("broken XML ({words})")
            }
        };
        let lines = self.text.split_inclusive('\n').take((error.pos().row as usize).max(1) - 1);
        let start = lines.map(str::len).sum::<usize>();
        let letters = self.text.get(start..).unwrap_or_default().chars();
        let column = letters.take((error.pos().col as usize).max(1) - 1).map(char::len_utf8);
        self.at(start + column.sum::<usize>(), found, expected)
    }

    fn required(&self, node: Node<'_, '_>, name: &str) -> Result<String, ParseError> {
        attribute(node, name).ok_or_else(|| {
            let found = format!("a {} without “{name}”", tag(node));
            self.at(node.range().start, found, &format!("{name}=\"…\""))
        })
    }

    fn yes_or_no(&self, node: Node<'_, '_>, name: &str) -> Result<bool, ParseError> {
        match attribute(node, name).as_deref() {
            Some("yes") => Ok(true),
            Some("no") | None => Ok(false),
            Some(other) => Err(self.of_attribute(node, name, quoted(other), "yes or no")),
        }
    }

    fn named(&self, node: Node<'_, '_>, name: &str) -> Result<(), ParseError> {
        if node.has_tag_name(name) {
            return Ok(());
        }
        Err(self.at(node.range().start, tag(node), &format!("<{name}>")))
    }

    /// Refuses words between the elements of `node`.
    pub fn no_text(&self, node: Node<'_, '_>) -> Result<(), ParseError> {
        let texts = node.children().filter(Node::is_text);
        for text in texts {
            let words = text.text().unwrap_or_default();
            let blanks = words.len() - words.trim_ascii_start().len();
            if blanks < words.len() {
                let found = quoted(words.trim_ascii());
                let expected = "elements only";
                return Err(self.at(text.range().start + blanks, found, expected));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Operator;
    use tracefold_generate::Random;

    fn one(component: &str) -> Result<Vec<Model>, ParseError> {
        let xml = format!(
            "<model name='m'>\n  <component name='x' where='y1'>{component}</component>\n</model>"
        );
        read("m.xml", xml.as_bytes())
    }

    /// What is said of a file.
    fn refused(xml: &str) -> String {
        read("m.xml", xml.as_bytes()).unwrap_err().to_string()
    }

    /// What is said of the formula of a component on line 2, which begins at column 34.
    fn refused_formula(formula: &str) -> String {
        one(formula).unwrap_err().to_string()
    }

    #[test]
    fn the_reference_tools_own_example_is_read() {
        // The thesis, listing T.2, with its closing tags mended.
        let xml = "<?xml version='1.0'?>
            <model name=\"sample\" title-name=\"Sample_model\" y1=\"Ratios\" y2=\"MIPS\" y1-stacked=\"no\">
              <component name=\"l1_dcm_ratio\" title-name=\"L1_DCM\" where=\"y1\" color=\"red\">
                <operation type='/'>
                  <value> PAPI_L1_DCM </value>
                  <value> PAPI_TOT_INS </value>
                </operation>
              </component>
              <component name=\"mips\" title-name=\"MIPS\" where=\"y2\" color=\"black\">
                <value> PAPI_TOT_INS </value>
              </component>
            </model>";
        let [model] = read("sample.xml", xml.as_bytes()).unwrap().try_into().unwrap();
        let axes = (model.left.as_str(), model.right.as_str(), model.stacked);
        assert_eq!((model.name.as_str(), model.title.as_str()), ("sample", "Sample_model"));
        assert_eq!(axes, ("Ratios", "MIPS", false));
        assert_eq!(model.counters, ["PAPI_L1_DCM", "PAPI_TOT_INS"]);
        let [ratio, mips] = model.components.try_into().unwrap();
        assert_eq!(
            (ratio.title.as_str(), ratio.colour, ratio.axis),
            ("L1_DCM", Some([255, 0, 0]), Axis::Left)
        );
        assert_eq!(ratio.formula.evaluate(&[3.0, 12.0]), Some(0.25));
        assert_eq!((mips.axis, mips.formula.evaluate(&[3.0, 12.0])), (Axis::Right, Some(12.0)));
    }

    #[test]
    fn operations_are_known_by_their_first_letter() {
        for (kind, operator) in [
            ("+", Operator::Add),
            ("m", Operator::Min),
            ("min", Operator::Min),
            ("M", Operator::Max),
            ("Maximum", Operator::Max),
        ] {
            let formula = format!(
                "<operation type='{kind}'><value>1</value><value>2.5e1</value></operation>"
            );
            let [model] = one(&formula).unwrap().try_into().unwrap();
            let sides = [1.0, 25.0].map(crate::model::Formula::Number);
            let expected = crate::model::Formula::Operation(operator, Box::new(sides));
            assert_eq!(model.components[0].formula, expected, "{kind}");
        }
    }

    #[test]
    fn an_earlier_component_is_put_in_where_it_is_named() {
        let xml = "<models><!-- two --><model name='a'>
            <component name='twice' where='y1' hidden='yes'><operation type='*'>
              <value>2</value><value>C</value></operation></component>
            <component name='x' where='y2'><operation type='-'>
              <value>twice</value><value> D<!-- odd --> </value></operation></component>
            </model><model name='b'><component name='x' where='y1'><value>twice</value></component>
            </model></models>";
        let [a, b] = read("m.xml", xml.as_bytes()).unwrap().try_into().unwrap();
        assert_eq!(a.components[1].formula.evaluate(&[5.0, 3.0]), Some(7.0));
        assert!(a.components[0].hidden && !a.components[1].hidden);
        // Of another model, it is a counter.
        assert_eq!(b.counters, ["twice"]);
    }

    #[test]
    fn every_mistake_has_its_place_and_words() {
        for (xml, words) in [
            ("", "m.xml:1:1: found broken XML ("),
            ("<model name='a'>\n<component</model>", "m.xml:2:11: found broken XML ("),
            ("<html><body/></html>", "m.xml:1:7: found <body>, expected <model>"),
            ("<models/>", "m.xml:1:1: found <models> without a <model>, expected <model>"),
            ("<model/>", "m.xml:1:1: found a <model> without “name”, expected name=\"…\""),
            (
                "<model name='a'/>",
                "m.xml:1:1: found a <model> without components, expected <component>",
            ),
            (
                "<model name='a'>\n <value>1</value></model>",
                "m.xml:2:2: found <value>, expected <component>",
            ),
            (
                "<model name='a' y1-stacked='maybe'/>",
                "m.xml:1:29: found “maybe”, expected yes or no",
            ),
            (
                "<model name='a'><component name='x'/></model>",
                "m.xml:1:17: found a <component> without “where”, expected where=\"…\"",
            ),
            (
                "<model name='a'><component name='x' where='y3'/></model>",
                "m.xml:1:44: found “y3”, expected y1 (left) or y2 (right)",
            ),
            (
                "<model name='a'><component name='x' where='y1' color='reddish'/></model>",
                "m.xml:1:55: found “reddish”, expected a colour such as red or #1f77b4",
            ),
        ] {
            let error = refused(xml);
            assert!(error.starts_with(words), "{error}");
        }
        for (formula, words) in [
            (
                "",
                "m.xml:2:3: found a <component> without a formula, expected <value> or <operation>",
            ),
            (
                "<value> </value>",
                "m.xml:2:34: found an empty <value>, expected a number, an earlier component or a counter",
            ),
            (
                "<value>1</value><value>2</value>",
                "m.xml:2:50: found a second formula, <value>, expected one for each component",
            ),
            (
                "<value><b/></value>",
                "m.xml:2:41: found <b> in a <value>, expected a number, an earlier component or a counter",
            ),
            ("<valu>1</valu>", "m.xml:2:34: found <valu>, expected <value> or <operation>"),
            ("1 <value>1</value>", "m.xml:2:34: found “1”, expected elements only"),
            (
                "<operation type='^'/>",
                "m.xml:2:51: found “^”, expected +, -, *, /, m (minimum) or M (maximum)",
            ),
            (
                "<operation/>",
                "m.xml:2:34: found “”, expected +, -, *, /, m (minimum) or M (maximum)",
            ),
            (
                "<operation type='+'><value>1</value></operation>",
                "m.xml:2:34: found an <operation> with 1 operands, expected two operands",
            ),
            (
                "<value>x</value>",
                "m.xml:2:34: found “x”, the component itself, expected a number, an earlier component or a counter",
            ),
            (
                "<value>1</value></component><component name='x' where='y1'>",
                "m.xml:2:79: found a second component “x”, expected names that differ",
            ),
            (
                "<value>z</value></component><component name='z' where='y1'>",
                "m.xml:2:34: found “z”, a component that comes later, expected a number, an earlier component or a counter",
            ),
        ] {
            assert_eq!(refused_formula(formula), words, "{formula}");
        }
    }

    #[test]
    fn an_entity_bomb_does_not_go_off() {
        let mut bomb = "<!DOCTYPE model [<!ENTITY a0 \"ha\">".to_owned();
        for level in 1..30 {
            bomb += &format!("<!ENTITY a{level} \"&a{0};&a{0};\">", level - 1);
        }
        bomb += "]><model name='a'><component name='x' where='y1'><value>&a29;</value></component></model>";
        let words = "m.xml:1:1: found a document type (<!DOCTYPE>), expected a file of performance models in XML";
        assert_eq!(refused(&bomb), words);
    }

    #[test]
    fn neither_depth_nor_size_nor_junk_does_harm() {
        let open = "<operation type='+'>";
        let nested = |depth: usize| {
            let inner = "<value>1</value>".to_owned();
            (0..depth).fold(inner, |inner, _| format!("{open}<value>1</value>{inner}</operation>"))
        };
        assert!(one(&nested(100)).is_ok());
        let error = refused_formula(&nested(101));
        assert!(error.contains("more than 100 operations inside one another"), "{error}");
        let error = refused(&open.repeat(50_000));
        assert!(error.contains("found more than 40000 elements"), "{error}");
        let error = refused(&"<a>".repeat(39_000));
        assert!(error.contains("broken XML"), "{error}");

        // Each component twice the one before: two to the power of thirty terms.
        let mut doubling =
            "<model name='a'><component name='x0' where='y1'><value>C</value></component>"
                .to_owned();
        for level in 1..30 {
            let value = format!("<value>x{}</value>", level - 1);
            doubling += &format!(
                "<component name='x{level}' where='y1'><operation type='+'>{value}{value}</operation></component>"
            );
        }
        let error = refused(&(doubling + "</model>"));
        assert!(error.contains("a formula of more than 1000 terms"), "{error}");

        // Five thousand aliases of a formula of 199 terms.
        let long = nested(99);
        let mut aliases =
            format!("<model name='a'><component name='x0' where='y1'>{long}</component>");
        for level in 1..5000 {
            aliases +=
                &format!("<component name='x{level}' where='y1'><value>x0</value></component>");
        }
        let error = refused(&(aliases + "</model>"));
        assert!(error.contains("formulas of more than 10000 terms"), "{error}");

        let mut random = Random::new(1);
        let junk = (0..1 << 20).map(|_| random.below(256) as u8).collect::<Vec<_>>();
        let error = read("junk.xml", &junk).unwrap_err().to_string();
        assert_eq!(
            error,
            "junk.xml: found bytes that are no UTF-8, expected a file of performance models in XML"
        );
        let error = refused(&"junk ".repeat(200_000));
        assert!(error.starts_with("m.xml:1:1: found broken XML (") && error.len() < 200, "{error}");
        let error = refused(&" ".repeat(LARGEST + 1));
        assert_eq!(error, "m.xml: found 1048577 bytes, expected models of at most 1 MiB");
    }
}
