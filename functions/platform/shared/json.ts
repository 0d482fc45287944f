import type { ItemBudget } from './itemBudget.ts';
import { ProblemError } from './problem.ts';

const MAX_DEPTH = 32;
/**
 * Content nests deeper than other bodies: OTLP's JSON has four levels for each level of a value (`value`, `kvlistValue`,
 * `values`, an item), and the schema of a tool has many. Deeper text would overflow the stack of what reads it.
 */
export const CONTENT_DEPTH_MAXIMUM = 256;

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

const invalid = (detail: string) =>
  new ProblemError('INVALID_REQUEST', detail, { errors: [{ pointer: '', detail }] });
const notJson = () => invalid('The body is not valid JSON.');

/** The index of the quote that closes the string opened at `start`, or -1. */
const closingQuote = (text: string, start: number, escapes: boolean): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (!escapes) return end;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
};

const isKey = (text: string, after: number): boolean => {
  let index = after;
  while (text.charCodeAt(index) <= 0x20) index += 1;
  return text.charCodeAt(index) === COLON;
};

interface Scan {
  /** Whether the text contains a backslash anywhere. */
  readonly escapes: boolean;
  readonly maxDepth: number;
  readonly budget: ItemBudget;
  /** Whether names that reach a prototype are refused. */
  readonly checksNames: boolean;
}

/** What a text has, or why it must not be parsed. */
type Scanned =
  | { readonly fault: null; readonly names: number; readonly items: number }
  | { readonly fault: 'syntax' | 'depth' };

/**
 * Scans the text once before it is parsed. A loop instead of recursion, so that nesting cannot overflow the stack. Returns
 * the number of member names, and of items: the objects, the arrays, the separators and the names, which bound what the
 * parser allocates. Throws INVALID_REQUEST for a name that must not be parsed, and PAYLOAD_TOO_LARGE for more items than the
 * budget has.
 */
const scan = (text: string, { escapes, maxDepth, budget, checksNames }: Scan): Scanned => {
  const itemsMaximum = budget.left;
  let depth = 0;
  let names = 0;
  let items = 0;
  let lineEnd = -1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = closingQuote(text, index, escapes);
      if (lineEnd < index) lineEnd = text.indexOf('\n', index);
      if (lineEnd === -1) lineEnd = text.length;
      // A string has no line break. Without this, an odd quote would hide the items of all later lines.
      if (end === -1 || end > lineEnd) return { fault: 'syntax' };
      if (isKey(text, end + 1)) {
        names += 1;
        if (
          checksNames &&
          (escapes || mayBeForbidden(end - index - 1)) &&
          isForbidden(text.slice(index + 1, end))
        ) {
          throw invalid('The body has a member named __proto__, constructor or prototype. Remove it.');
        }
      }
      index = end;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      items += 1;
      depth += 1;
      if (depth > maxDepth) return { fault: 'depth' };
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
    } else if (code === COMMA || code === COLON) {
      items += 1;
    }
    if (items > itemsMaximum) throw budget.exceeded();
  }
  return { fault: null, names, items };
};

/** Rules out most names by their length. Valid only if the name contains no escape. */
const mayBeForbidden = (length: number): boolean => length === 9 || length === 11;

const isForbidden = (name: string): boolean => FORBIDDEN.has(name.includes('\\') ? unescaped(name) : name);

const unescaped = (name: string): string => {
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    throw notJson();
  }
};

const countNames = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countNames(item), 0);
  let count = 0;
  for (const member of Object.values(value)) count += 1 + countNames(member);
  return count;
};

/** Decodes UTF-8. Throws INVALID_REQUEST for other bytes. */
export const decodeText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('The body is not valid UTF-8.');
  }
};

/**
 * Parses an untrusted JSON body. Throws INVALID_REQUEST for bytes that are not UTF-8, malformed JSON, nesting deeper than
 * `maxDepth` levels, member names that reach a prototype, and repeated names. Parsers disagree on which repeated name
 * counts, so one value could pass a check while another takes effect. Throws PAYLOAD_TOO_LARGE when the budget has too few
 * items.
 */
export const parseJson = (bytes: Uint8Array, budget: ItemBudget, maxDepth = MAX_DEPTH): unknown => {
  const text = decodeText(bytes);
  const scanned = scan(text, { escapes: bytes.includes(BACKSLASH), maxDepth, budget, checksNames: true });
  if (scanned.fault !== null) {
    throw scanned.fault === 'syntax'
      ? notJson()
      : invalid(`The body is nested deeper than ${maxDepth} levels.`);
  }
  budget.spend(scanned.items);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notJson();
  }
  if (countNames(value) !== scanned.names) {
    throw invalid('The body repeats a member name. Send each name once.');
  }
  return value;
};

const parseText = (text: string): unknown => JSON.parse(text);

/**
 * Parses JSON that holds content of any shape, such as a logged call: of it, only own members on an allow-list are read, so
 * the rules for names do not apply. Null for text that is not JSON, or is nested deeper than `CONTENT_DEPTH_MAXIMUM`. Throws
 * PAYLOAD_TOO_LARGE when the budget has too few items. Text that is not JSON spends none.
 */
export const parseContentJson = (
  text: string,
  budget: ItemBudget,
  parse: (text: string) => unknown = parseText,
): { readonly value: unknown } | null => {
  const escapes = text.includes('\\');
  const scanned = scan(text, { escapes, maxDepth: CONTENT_DEPTH_MAXIMUM, budget, checksNames: false });
  if (scanned.fault !== null) return null;
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return null;
  }
  budget.spend(scanned.items);
  return { value };
};
