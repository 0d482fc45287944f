const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** A row of a table as text. Equal rows have equal texts: an engine returns attributes, and members of maps, in any order. */
export const rowText = (row: object): string => JSON.stringify(row, sorted);
