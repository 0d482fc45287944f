import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { fieldValue } from '../query/filter.ts';

/** The filter fields that the index holds. The time follows from the id. Other filters are checked on the record itself. */
export const sortIndexFields = [
  'cost_usd',
  'confidence',
  'owner',
  'service',
  'provider',
  'served_model',
  'pathway_category',
  'output_state',
  'confidence_band',
  'stage_origin',
] as const;

/** The columns of the index: the filter fields and the lane. */
export const sortIndexColumns = [...sortIndexFields, 'residency'] as const;
export type SortIndexColumn = (typeof sortIndexColumns)[number];

export type SortEntryValues = Readonly<Record<SortIndexColumn, string | null>>;

/**
 * One version of a record in the index: what lists need to sort and filter it. The record may not exist, because its sort
 * entry is written first. It may also exist with other values, when a later attempt decided otherwise.
 */
export interface SortEntry {
  readonly ulid: string;
  readonly version: number;
  readonly values: SortEntryValues;
}

/** The values of all columns. */
export const sortEntryValues = (read: (column: SortIndexColumn) => string | null): SortEntryValues => ({
  cost_usd: read('cost_usd'),
  confidence: read('confidence'),
  owner: read('owner'),
  service: read('service'),
  provider: read('provider'),
  served_model: read('served_model'),
  pathway_category: read('pathway_category'),
  output_state: read('output_state'),
  confidence_band: read('confidence_band'),
  stage_origin: read('stage_origin'),
  residency: read('residency'),
});

export const sortEntryOf = (record: AttributionRecord, ulid: string): SortEntry => ({
  ulid,
  version: record.version,
  values: sortEntryValues((column) =>
    column === 'residency' ? record.residency : fieldValue(record, column),
  ),
});
