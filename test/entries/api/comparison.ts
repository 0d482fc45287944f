import { isDeepStrictEqual } from 'node:util';
import type { Item, Rows } from './rows.ts';

/** The number of the attempt that wrote a row differs with each retry. */
const ATTEMPT = 'attempt';
/** The newest of all bills, whichever call wrote it. */
const MERGED = /^\["bills",.*#head.*\/claim/;

const parse = (text: string): unknown => {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The values at the ends of a JSON value, by path. Text that holds JSON is opened. */
const leavesOf = (value: unknown, path: string, into: Map<string, unknown>): Map<string, unknown> => {
  const opened = typeof value === 'string' ? parse(value) : value;
  if (typeof opened !== 'object' || opened === null) return into.set(path, opened);
  for (const [name, member] of Object.entries(opened)) {
    if (name !== ATTEMPT) leavesOf(member, `${path}/${name}`, into);
  }
  return into;
};

const leavesOfRow = (row: Item | undefined) =>
  row === undefined ? new Map([['', 'no row']]) : leavesOf(row, '', new Map());

/** A state: the answer of a call, and the rows after it. */
export interface Outcome {
  readonly answer: { readonly status: number; readonly text: string };
  readonly rows: Rows;
}

const flatten = ({ answer, rows }: Outcome): Map<string, unknown> => {
  const all = new Map<string, unknown>([['status', answer.status]]);
  for (const [path, value] of leavesOf(answer.text, 'answer', new Map())) {
    if (!path.endsWith('/trace_id')) all.set(path, value);
  }
  for (const [name, row] of rows) {
    for (const [path, value] of leavesOfRow(row))
      if (value !== 'no row' && !MERGED.test(`${name}${path}`)) all.set(`${name}${path}`, value);
  }
  return all;
};

/** The paths at which two outcomes of the same calls differ: secrets, seals and other random values. */
export const randomPathsOf = (one: Outcome, other: Outcome): ReadonlySet<string> => {
  const [first, second] = [flatten(one), flatten(other)];
  return new Set(
    [...new Set([...first.keys(), ...second.keys()])].filter(
      (path) => !isDeepStrictEqual(first.get(path), second.get(path)),
    ),
  );
};

/** What differs between two outcomes, apart from random values. */
export const differencesOf = (one: Outcome, other: Outcome, random: ReadonlySet<string>): string[] => {
  const [first, second] = [flatten(one), flatten(other)];
  return [...randomPathsOf(one, other)]
    .filter((path) => !random.has(path))
    .map(
      (path) => `${path}: ${JSON.stringify(first.get(path))} instead of ${JSON.stringify(second.get(path))}`,
    );
};
