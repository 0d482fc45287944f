import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import {
  type RecordFilter,
  type RecordFilterName,
  recordFilterNames,
  recordFilters,
} from '../../../../schemas/attribution/recordFilters.ts';
import { fieldValue } from './filter.ts';

/** A filter field with an attribute. */
interface FilterAttribute extends RecordFilter {
  readonly attribute: string;
}

/** The attribute of a filter field. Null where the key decides. */
export const filterAttributeOf = (field: RecordFilterName): FilterAttribute | null => {
  const { attribute, ...declared }: RecordFilter = recordFilters[field];
  return attribute === undefined ? null : { ...declared, attribute };
};

/** The code of a value, or the value itself. */
export const encodeValue = ({ codes = {} }: RecordFilter, value: string): string =>
  Object.hasOwn(codes, value) ? (codes[value] ?? value) : value;

export interface FilterValue {
  readonly attribute: string;
  readonly text: string;
  readonly number: boolean;
}

/** The filter attributes of a record's item. Null values are left out. */
export const toFilterValues = (record: AttributionRecord): FilterValue[] =>
  recordFilterNames.flatMap((field) => {
    const member = filterAttributeOf(field);
    const value = fieldValue(record, field);
    if (member === null || value === null) return [];
    return [
      { attribute: member.attribute, text: encodeValue(member, value), number: member.isNumber === true },
    ];
  });
