import type { Order } from './sortRows.ts';

/** `order=-Groups:Calls`: the table and the column, with a hyphen for the largest first. Once for each ordered table. */
const PARAMETER = 'order';

const textOf = (table: string, { title, descending }: Order): string =>
  `${descending ? '-' : ''}${table}:${title}`;

const read = (text: string, table: string): Order | null => {
  const descending = text.startsWith('-');
  const named = descending ? text.slice(1) : text;
  const prefix = `${table}:`;
  return named.startsWith(prefix) ? { title: named.slice(prefix.length), descending } : null;
};

/** The order of a table in the query string of its page. */
export const orderIn = (search: string, table: string): Order | null =>
  new URLSearchParams(search).getAll(PARAMETER).flatMap((text) => read(text, table) ?? [])[0] ?? null;

/** The query string with another order of a table. All else stays. */
export const withOrder = (search: string, table: string, order: Order | null): string => {
  const next = new URLSearchParams(search);
  const others = next.getAll(PARAMETER).filter((text) => read(text, table) === null);
  next.delete(PARAMETER);
  for (const text of others) next.append(PARAMETER, text);
  if (order !== null) next.append(PARAMETER, textOf(table, order));
  return next.toString();
};
