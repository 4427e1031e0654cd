//! What tests read a lane's drawing with.

/// The number of attribute `key`, in CSS px.
fn number(line: &str, key: &str) -> Option<f64> {
    let rest = line.split(&format!(" {key}=\"")).nth(1)?;
    rest.split('"').next()?.parse().ok()
}

/// Centres of the dots of a drawing, in CSS px.
pub fn dots(svg: &str) -> Vec<(f64, f64)> {
    dots_with(svg, "")
}

/// The same, of those alone that have the attribute.
pub fn dots_with(svg: &str, attribute: &str) -> Vec<(f64, f64)> {
    let is_asked = |line: &&str| line.starts_with("<circle") && line.contains(attribute);
    let circles = svg.lines().filter(is_asked);
    circles.filter_map(|line| Some((number(line, "cx")?, number(line, "cy")?))).collect()
}

/// Places of the texts with this anchor, in CSS px.
pub fn texts(svg: &str, anchor: &str) -> Vec<(f64, f64)> {
    let anchor = format!("text-anchor=\"{anchor}\"");
    let texts = svg.lines().filter(|line| line.starts_with("<text") && line.contains(&anchor));
    texts.filter_map(|line| Some((number(line, "x")?, number(line, "y")?))).collect()
}

/// Every text with its place, in CSS px.
pub fn words(svg: &str) -> Vec<(f64, f64, &str)> {
    let word = |element: &'_ str| -> Option<(f64, f64)> {
        let element = format!("<text{element}");
        Some((number(&element, "x")?, number(&element, "y")?))
    };
    let open = svg.split("<text").skip(1).filter_map(|text| text.split_once('>'));
    let words = open.filter_map(|(element, rest)| {
        let (x, y) = word(element)?;
        Some((x, y, rest.split_once("</text>")?.0))
    });
    words.collect()
}

/// Corners of the shapes of this colour, in CSS px.
pub fn polygons(svg: &str, colour: &str) -> Vec<Vec<(f64, f64)>> {
    corners(svg, "<polygon", colour)
}

/// Corners of the lines of this colour, in CSS px.
pub fn polylines(svg: &str, colour: &str) -> Vec<Vec<(f64, f64)>> {
    corners(svg, "<polyline", colour)
}

fn corners(svg: &str, element: &str, colour: &str) -> Vec<Vec<(f64, f64)>> {
    let found = svg.lines().filter(|line| line.starts_with(element) && line.contains(colour));
    let points = found.filter_map(|line| line.split("points=\"").nth(1)?.split('"').next());
    let pair = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    points.map(|points| points.split_whitespace().filter_map(pair).collect()).collect()
}

/// Left, top, right and bottom of the rectangles of this colour, in CSS px.
pub fn rectangles(svg: &str, colour: &str) -> Vec<[f64; 4]> {
    let found = svg.lines().filter(|line| line.starts_with("<rect") && line.contains(colour));
    let sides = |line| {
        let [x, y] = [number(line, "x")?, number(line, "y")?];
        Some([x, y, x + number(line, "width")?, y + number(line, "height")?])
    };
    found.filter_map(sides).collect()
}
