import { ProblemError } from './problem.ts';

const MAX_DEPTH = 32;

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

const invalid = (detail: string) =>
  new ProblemError('INVALID_REQUEST', detail, { errors: [{ pointer: '', detail }] });

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

/**
 * Scans the text once before it is parsed. A loop instead of recursion, so that nesting cannot overflow the stack.
 * Returns the number of member names. Throws INVALID_REQUEST for text that must not be parsed.
 */
const inspect = (text: string, escapes: boolean, maxDepth: number): number => {
  let depth = 0;
  let names = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = closingQuote(text, index, escapes);
      if (end === -1) throw invalid('The body is not valid JSON.');
      if (isKey(text, end + 1)) {
        names += 1;
        if ((escapes || mayBeForbidden(end - index - 1)) && isForbidden(text.slice(index + 1, end))) {
          throw invalid('The body has a member named __proto__, constructor or prototype. Remove it.');
        }
      }
      index = end;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > maxDepth) throw invalid(`The body is nested deeper than ${maxDepth} levels.`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
    }
  }
  return names;
};

/** Rules out most names by their length. Valid only if the name contains no escape. */
const mayBeForbidden = (length: number): boolean => length === 9 || length === 11;

const isForbidden = (name: string): boolean => FORBIDDEN.has(name.includes('\\') ? unescaped(name) : name);

const unescaped = (name: string): string => {
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    throw invalid('The body is not valid JSON.');
  }
};

const countNames = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countNames(item), 0);
  let count = 0;
  for (const member of Object.values(value)) count += 1 + countNames(member);
  return count;
};

/**
 * Parses an untrusted JSON body. Throws INVALID_REQUEST for bytes that are not UTF-8, malformed JSON, nesting deeper than
 * `maxDepth` levels, member names that reach a prototype, and repeated names. Parsers disagree on which repeated name counts,
 * so one value could pass a check while another takes effect.
 */
export const parseJson = (bytes: Uint8Array, maxDepth = MAX_DEPTH): unknown => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('The body is not valid UTF-8.');
  }
  const names = inspect(text, bytes.includes(BACKSLASH), maxDepth);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
  if (countNames(value) !== names) throw invalid('The body repeats a member name. Send each name once.');
  return value;
};
