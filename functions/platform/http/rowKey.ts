import { sha256Of } from '../shared/hash.ts';

/** Characters of a name in a key. Most names are shorter. */
const NAME_LENGTH = 96;

/**
 * A unique sort key of a row with this name. It is in the order of the names, as far as these differ at their beginnings, and
 * fits into a cursor, however long they are.
 */
export const rowKeyOf = (name: string): string =>
  `${name.slice(0, NAME_LENGTH)}#${sha256Of('row', name).toString('base64url').slice(0, 16)}`;
