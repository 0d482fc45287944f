/** A member of a row: its name in snake case, its path, its value. */
export type Cell = readonly [name: string, path: string, value: unknown];
