/** Replaces the name of a person by a pseudonym. */
export interface Rename {
  readonly text: (text: string) => string;
  /** Replaces it in all strings and member names of JSON text. Returns the same text when the name does not occur. */
  readonly json: (json: string) => string;
}

/** A character that a longer name continues with, so that `jane` is not replaced in `jane-search` or `jane@example.org`. */
const NAME = String.raw`[\p{L}\p{N}_@+-]`;
/** A dot belongs to a name only when the name goes on behind it. */
const BEFORE = String.raw`(?<!${NAME}|${NAME}\.)`;
const AFTER = String.raw`(?!${NAME}|\.${NAME})`;

const escapeForRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Replaces whole names only, with the same case. */
export const renamePerson = (name: string, pseudonym: string): Rename => {
  const pattern = new RegExp(`${BEFORE}${escapeForRegExp(name)}${AFTER}`, 'gu');
  const text = (value: string): string => value.replaceAll(pattern, () => pseudonym);
  const renameValue = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(renameValue);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [text(key), renameValue(member)]));
  };
  return {
    text,
    json: (json) => {
      const value: unknown = JSON.parse(json);
      const [before, after] = [JSON.stringify(value), JSON.stringify(renameValue(value))];
      return before === after ? json : after;
    },
  };
};
