import { Timestamp } from '../../schemas/values.ts';

const PATTERN = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?\s?(Z|[+-]\d\d:\d\d)?$/i;

/**
 * Parses the timestamp of a trace to epoch milliseconds: ISO 8601 with a space or a T and up to nine decimals, truncated
 * to milliseconds. Without a zone it is UTC, as in the Azure traces. Undefined for anything else, including dates that do
 * not exist.
 */
export const parseTimestamp = (text: string): number | undefined => {
  const [, date, time, fraction = '', zone = 'Z'] = PATTERN.exec(text) ?? [];
  if (date === undefined) return undefined;
  const normal = `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${zone.toUpperCase()}`;
  return Timestamp.safeParse(normal).success ? Date.parse(normal) : undefined;
};
