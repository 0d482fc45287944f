import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import { versionKeyOf } from '../ledgerKey.ts';
import { fieldValue } from './filter.ts';

/** Fields a list can be sorted by, besides the time. */
export const sortFields = ['cost_usd', 'confidence'] as const;
export type SortField = (typeof sortFields)[number];
/** All sort orders of a list. */
export type SortOrder = SortField | 'occurred_at';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Prefix of an unknown value. It sorts after the letter of the longest whole part, which has 18 digits. */
const UNKNOWN_PREFIX = 'z';

/**
 * Encodes a non-negative decimal so that strings sort like numbers: a letter for the number of digits of the whole part,
 * then these digits, then the digits of the fraction. Text that follows must sort before every digit.
 */
export const encodeSortable = (text: string): string => {
  const [whole = '', fraction = ''] = decimal(text).toFixed().split('.');
  const digits = whole === '0' ? '' : whole;
  return `${LETTERS.charAt(digits.length)}${digits}${fraction}`;
};

/** The part of a sort key before the ULID. */
export const sortPrefixOf = (value: string | null): string =>
  value === null ? UNKNOWN_PREFIX : encodeSortable(value);

/** Sort key of a version in the order of a field: by value, then by the time of the call. */
export const sortKeyOf = (record: AttributionRecord, ulid: string, field: SortField): string =>
  `${sortPrefixOf(fieldValue(record, field))}#${versionKeyOf(ulid, record.version)}`;

/** The record in a sort key, and its version. */
export const versionInSortKey = (key: string): { readonly ulid: string; readonly version: number } => ({
  ulid: key.slice(-33, -7),
  version: Number(key.slice(-6)),
});

/** Compares sort keys in the order of a list. Unknown values come last in both directions. */
export const keyComparator =
  (descending: boolean) =>
  (one: string, other: string): number => {
    const unknown = Number(one >= UNKNOWN_PREFIX) - Number(other >= UNKNOWN_PREFIX);
    if (unknown !== 0 || one === other) return unknown;
    return one < other === descending ? 1 : -1;
  };
