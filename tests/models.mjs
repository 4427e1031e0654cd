// Checks models.csv against curves.csv by other means than the crate's: reads the XML of the models
// itself, evaluates every formula from the exported rates, and fails at any difference:
//
//   node tests/models.mjs CURVES.csv MODELS.csv FILE.xml|FOLDER...
//
// A value must be the formula's within 1e-9 of its size, and absent exactly where the formula has
// none; every component that is drawn must be there at every point.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const TOLERANCE = 1e-9;
const SHOWN = 20;

const [curvesFile, modelsFile, ...sources] = process.argv.slice(2);
if (!sources.length) {
  console.error('usage: models.mjs CURVES.csv MODELS.csv FILE.xml|FOLDER...');
  process.exit(2);
}

/** Rows of a CSV file (RFC 4180) by the names in its first line. */
function table(file) {
  const text = readFileSync(file, 'utf8');
  const rows = [['']];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const row = rows[rows.length - 1];
    const sign = text[at];
    if (sign === '"' && quoted && text[at + 1] === '"') {
      row[row.length - 1] += '"';
      at += 1;
    } else if (sign === '"') {
      quoted = !quoted;
    } else if (sign === ',' && !quoted) {
      row.push('');
    } else if (sign === '\n' && !quoted) {
      rows.push(['']);
    } else if (sign !== '\r' || quoted) {
      row[row.length - 1] += sign;
    }
  }
  const [names, ...body] = rows.filter((row) => row.length > 1 || row[0] !== '');
  return body.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column]])));
}

/** The elements of an XML text as `{ name, attributes, children, text }`. */
function parsed(xml) {
  const root = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const tagOrText = /<(\/?)([\w-]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g;
  const parts = xml.replace(/<!--[^]*?-->|<\?[^]*?\?>/g, '').matchAll(tagOrText);
  for (const [, closes, name, attributes, empty, text] of parts) {
    const inside = open[open.length - 1];
    if (text !== undefined) {
      inside.text += unescaped(text);
    } else if (closes) {
      open.pop();
    } else {
      const pairs = [...attributes.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
      const element = {
        name,
        attributes: Object.fromEntries(pairs.map(([, key, double, single]) => [key, unescaped(double ?? single)])),
        children: [],
        text: '',
      };
      inside.children.push(element);
      if (!empty) open.push(element);
    }
  }
  return root.children;
}

function unescaped(text) {
  const named = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal, hex, name) => {
    if (name) return named[name] ?? all;
    return String.fromCodePoint(decimal ? Number(decimal) : parseInt(hex, 16));
  });
}

/** Whether tools print `counter` for the event that a model calls `asked`. */
function isSpelling(asked, counter) {
  const folded = (name) => name.toLowerCase().replaceAll(':', '.');
  const slashes = counter.split('/');
  const event = slashes.length === 3 ? slashes[1] : counter;
  const bare = event.replace(/:[ukhpPGH]*$/, '');
  return folded(asked) === folded(event) || folded(asked) === folded(bare);
}

function spelled(asked, available) {
  for (const name of asked.split('|')) {
    const same = available.find((counter) => counter === name);
    const found = same ?? available.find((counter) => isSpelling(name, counter));
    if (found !== undefined) return found;
  }
  return undefined;
}

const OPERATIONS = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  m: Math.min,
  M: Math.max,
};

/**
 * The value of an element, NaN where there is none.
 * @param earlier values of the components before it
 * @param rate the rate of a counter
 */
function value(element, earlier, rate) {
  if (element.name === 'operation') {
    const [a, b] = element.children.map((child) => value(child, earlier, rate));
    const result = OPERATIONS[element.attributes.type[0]](a, b);
    return Number.isFinite(result) ? result : NaN;
  }
  const text = element.text.trim().replace(/\s+/g, ' ');
  if (/^(-?\d|\.\d)/.test(text) && Number.isFinite(Number(text))) return Number(text);
  return earlier.has(text) ? earlier.get(text) : rate(text);
}

const files = sources.flatMap((source) => {
  if (!statSync(source).isDirectory()) return [source];
  return readdirSync(source).filter((name) => name.endsWith('.xml')).map((name) => path.join(source, name));
});
const trees = files.flatMap((file) => parsed(readFileSync(file, 'utf8')));
const elements = trees.flatMap((tree) => (tree.name === 'model' ? [tree] : tree.children));
const models = new Map(elements.map((model) => [model.attributes.name, model]));

const key = (...parts) => JSON.stringify(parts);
const rates = new Map();
const points = new Map();
const countersOf = new Map();
for (const { region, group, counter, x, rate } of table(curvesFile)) {
  rates.set(key(region, group, counter, x), rate === '' ? NaN : Number(rate));
  const where = key(region, group);
  points.set(where, (points.get(where) ?? new Set()).add(x));
  countersOf.set(where, (countersOf.get(where) ?? new Set()).add(counter));
}

const wrong = [];
const exported = new Map();
const shown = new Map();
for (const { region, group, model, component, x, value: text } of table(modelsFile)) {
  exported.set(key(region, group, model, component, x), text);
  shown.set(key(region, group, model), [region, group, model]);
}

let checked = 0;
for (const [region, group, name] of shown.values()) {
  const model = models.get(name);
  const where = `${region}, group ${group}, model ${name}`;
  if (!model) {
    wrong.push(`${where}: in none of the files`);
    continue;
  }
  const available = [...(countersOf.get(key(region, group)) ?? [])];
  for (const x of points.get(key(region, group)) ?? []) {
    const earlier = new Map();
    const rate = (asked) => rates.get(key(region, group, spelled(asked, available), x)) ?? NaN;
    for (const component of model.children) {
      const { name: part, hidden } = component.attributes;
      const expected = value(component.children[0], earlier, rate);
      earlier.set(part, expected);
      const text = exported.get(key(region, group, name, part, x));
      exported.delete(key(region, group, name, part, x));
      if (text === undefined && hidden === 'yes') continue;
      checked += 1;
      const difference = text ? Math.abs(Number(text) - expected) : NaN;
      const same = Number.isNaN(expected) ? text === '' : difference <= TOLERANCE * Math.abs(expected);
      if (!same) wrong.push(`${where}, ${part} at ${x}: ${text || 'nothing'} instead of ${expected}`);
    }
  }
}
for (const left of exported.keys()) {
  if (wrong.length < SHOWN) wrong.push(`${left}: no such component or point`);
}

if (!checked) wrong.push('no value to check');
for (const line of wrong.slice(0, SHOWN)) console.error(line);
if (wrong.length > SHOWN) console.error(`and ${wrong.length - SHOWN} more`);
console.log(`${checked} values of ${shown.size} models checked, ${wrong.length} wrong`);
process.exit(wrong.length ? 1 : 0);
