import { csvLine, type Value } from '../../../../sdk/shared/csv.ts';

/** The members of a row by their names in the API. Those of an object have its name before: `period.from`. */
const cellsOf = (row: object, prefix = ''): readonly (readonly [name: string, value: Value])[] =>
  Object.entries(row).flatMap(([member, value]: [string, unknown]) => {
    const name = prefix + member;
    if (value === null || value === undefined) return [[name, null] as const];
    if (Array.isArray(value)) return [[name, JSON.stringify(value)] as const];
    return typeof value === 'object' ? cellsOf(value, `${name}.`) : [[name, String(value)] as const];
  });

/** Rows of the API as CSV (RFC 4180), with all digits. What a row does not have, or is unknown, is empty. */
export const rowsCsv = (rows: readonly object[]): string => {
  const lines = rows.map((row) => new Map(cellsOf(row)));
  const filled = new Set(
    lines.flatMap((cells) => [...cells].flatMap(([name, value]) => (value === null ? [] : [name]))),
  );
  // An object that is null in one row has its members as columns of other rows.
  const isObject = (name: string): boolean => [...filled].some((one) => one.startsWith(`${name}.`));
  const names = [...new Set(lines.flatMap((cells) => [...cells.keys()]))].filter(
    (name) => filled.has(name) || !isObject(name),
  );
  return [csvLine(names), ...lines.map((cells) => csvLine(names.map((name) => cells.get(name))))]
    .map((line) => `${line}\r\n`)
    .join('');
};
