import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import {
  type RecordFilterName,
  recordFilterNames,
  recordFilters,
} from '../../../../schemas/attribution/recordFilters.ts';
import { fieldValue } from '../query/filter.ts';

type SortIndexField = {
  [Name in RecordFilterName]: (typeof recordFilters)[Name] extends { readonly isInSortIndex: true }
    ? Name
    : never;
}[RecordFilterName];

/** The filter fields that the index holds. The time follows from the id. */
export const sortIndexFields = recordFilterNames.filter(
  (name): name is SortIndexField => 'isInSortIndex' in recordFilters[name],
);

/** The columns of the index: the filter fields and the lane. */
export const sortIndexColumns = [...sortIndexFields, 'residency'] as const;
export type SortIndexColumn = (typeof sortIndexColumns)[number];

/**
 * One version of a record in the index: what lists need to sort and filter it. The record may not exist, because its sort
 * entry is written first. It may also exist with other values, when a later attempt decided otherwise.
 */
export interface SortEntry {
  readonly ulid: string;
  readonly version: number;
  readonly values: ReadonlyMap<SortIndexColumn, string | null>;
}

/** The values of all columns. */
export const sortEntryValues = (read: (column: SortIndexColumn) => string | null): SortEntry['values'] =>
  new Map(sortIndexColumns.map((column) => [column, read(column)]));

export const sortEntryOf = (record: AttributionRecord, ulid: string): SortEntry => ({
  ulid,
  version: record.version,
  values: sortEntryValues((column) =>
    column === 'residency' ? record.residency : fieldValue(record, column),
  ),
});
