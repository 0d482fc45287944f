import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { decimal } from '../../shared/decimal.ts';
import { versionKeyOf } from '../ledgerKey.ts';
import { fieldValue } from './filter.ts';

/** What a list can be sorted by besides the time. */
export const sortFields = ['cost_usd', 'confidence'] as const;
export type SortField = (typeof sortFields)[number];
/** Every order a list may have. */
export type SortOrder = SortField | 'occurred_at';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Stands for a value that is unknown: behind the letter of the longest whole part, which has 18 digits. */
const UNKNOWN_PREFIX = 'z';

/**
 * A non-negative decimal so that texts sort as the numbers do: a letter that counts the digits of the whole part, the
 * digits, and those of the fraction as far as there are any. What follows must sort before every digit.
 */
export const encodeSortable = (text: string): string => {
  const [whole = '', fraction = ''] = decimal(text).toFixed().split('.');
  const digits = whole === '0' ? '' : whole;
  return `${LETTERS.charAt(digits.length)}${digits}${fraction}`;
};

/** The place of a version in the order of a field: by value, of equal ones by the time of the call. */
export const sortKeyOf = (record: AttributionRecord, ulid: string, field: SortField): string => {
  const value = fieldValue(record, field);
  return `${value === null ? UNKNOWN_PREFIX : encodeSortable(value)}#${versionKeyOf(ulid, record.version)}`;
};

/** The ULID of the record at a place. */
export const ulidOfSortKey = (place: string): string => place.slice(-33, -7);

/** Places from one to another, both included. */
export interface SortKeyRange {
  readonly from: string;
  readonly to: string;
}

/** Just behind every place of a value. */
export const keyAfterValue = (text: string): string => `${encodeSortable(text)}$`;

export const KNOWN_RANGE: SortKeyRange = { from: LETTERS.charAt(0), to: 'y' };
/** They come last in either direction. */
export const UNKNOWN_RANGE: SortKeyRange = { from: UNKNOWN_PREFIX, to: `${UNKNOWN_PREFIX}~` };

/** Compares places, or keys, as a walk meets them. */
export const keyComparator =
  (descending: boolean) =>
  (one: string, other: string): number => {
    const unknown = Number(one >= UNKNOWN_PREFIX) - Number(other >= UNKNOWN_PREFIX);
    if (unknown !== 0 || one === other) return unknown;
    return one < other === descending ? 1 : -1;
  };
