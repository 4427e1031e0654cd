// Fortran lines as statements: comments and the contents of strings gone, continuations joined,
// small letters, no blanks.
//
// Fixed form: a comment has `C`, `c`, `*`, `!`, `d` or `D` in column 1; columns 1 to 5 are a label, a
// sign in column 6 continues the line before, and what is beyond column 72 counts as well (many
// compilers are told so, and a remark there does no harm). Free form: `&` at the end continues,
// `!` begins a comment. Lines of the preprocessor (`#` in column 1) are left out, both branches of a
// condition are read. Hollerith constants are not understood.

/**
 * @typedef {Object} Statement
 * @property {string} text
 * @property {string} label number before it, or empty
 * @property {number} from first line, from 1
 * @property {number} to last line
 */

/** A statement is over after so many signs: only broken files have longer ones. */
const LONGEST = 20_000;

/**
 * @param {string[]} lines
 * @param {boolean} isFixed
 * @returns {Statement[]}
 */
export function statementsOf(lines, isFixed) {
  /** @type {Statement[]} */
  const statements = [];
  /** @type {Statement | null} */
  let open = null;
  /** What a string that goes on in the next line ends with. */
  let quote = '';
  let continues = false;
  const end = () => {
    if (open && (open.text !== '' || open.label !== '')) statements.push(open);
    open = null;
  };
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('#') || (isFixed ? /^[cd*!]/i : /^\s*!/).test(line) || line.trim() === '') continue;
    const label = isFixed ? line.slice(0, 5).trim() : '';
    const isNext = isFixed ? !line.startsWith('\t') && /^ {5}[^ 0]/.test(line) : continues;
    if (!isNext || !open) {
      end();
      quote = '';
      open = { text: '', label: /^\d+$/.test(label) ? label : '', from: index + 1, to: index + 1 };
    }
    const body = isFixed ? (line.startsWith('\t') ? line : line.slice(6)) : isNext ? line.replace(/^\s*&/, '') : line;
    const code = withoutStrings(body, quote);
    quote = code.quote;
    continues = !isFixed && code.text.endsWith('&');
    const parts = (continues ? code.text.slice(0, -1) : code.text).split(';');
    for (const [i, part] of parts.entries()) {
      if (i > 0) {
        end();
        open = { text: '', label: '', from: index + 1, to: index + 1 };
      }
      const now = /** @type {Statement} */ (open);
      if (now.text.length < LONGEST) now.text += part;
      now.to = index + 1;
    }
    if (!isFixed && !continues) end();
  }
  end();
  return isFixed ? statements : statements.map(labelled);
}

/**
 * In free form a label is the number before the statement.
 * @param {Statement} statement
 */
function labelled(statement) {
  const match = /^(\d{1,5})(\D.*)$/.exec(statement.text);
  return match ? { ...statement, label: match[1], text: match[2] } : statement;
}

/**
 * The code of a line, strings as `''`, up to a comment.
 * @param {string} line
 * @param {string} quote that is open from the line before
 */
function withoutStrings(line, quote) {
  let text = '';
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (quote !== '') {
      // What is doubled closes and opens at once. A continued string ends the line with `&`.
      if (sign === quote) {
        quote = '';
        text += "'";
      } else if (sign === '&' && line.slice(at + 1).trim() === '') return { text: `${text}&`, quote };
    } else if (sign === "'" || sign === '"') {
      quote = sign;
      text += "'";
    } else if (sign === '!') break;
    else if (sign !== ' ' && sign !== '\t') text += sign.toLowerCase();
  }
  // A string that is not continued ends with its line.
  return { text, quote: '' };
}

/**
 * Whether a file is in fixed form: by its ending, unless its lines say otherwise, as some projects
 * give free form the old ending, and `.inc` may be both.
 * @param {string} name
 * @param {string[]} lines
 */
export function isFixedForm(name, lines) {
  const ending = /\.([^.]+)$/.exec(name)?.[1].toLowerCase() ?? '';
  if (!['f', 'for', 'ftn', 'f77', 'inc', 'fi', 'h'].includes(ending)) return false;
  const code = lines.filter((line) => line.trim() !== '' && !/^[cd*!#]/i.test(line)).slice(0, 2000);
  const free = code.filter((line) => /^ {0,4}[a-z]/i.test(line) || /&\s*(!.*)?$/.test(line.slice(0, 72))).length;
  return free <= code.length / 10;
}
