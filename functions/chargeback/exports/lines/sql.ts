/** An SQL expression or query. */
export type Sql = string;

/** A text as a literal. */
export const literal = (text: string): Sql => `'${text.replaceAll("'", "''")}'`;
