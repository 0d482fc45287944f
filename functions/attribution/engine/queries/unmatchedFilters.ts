import pMap from 'p-map';
import type { RecordFilterName } from '../../../../schemas/attribution/recordFilters.ts';
import type { FieldError } from '../../../../schemas/fieldError.ts';
import { type Filter, fieldValue } from '../../../ledger/records/query/filter.ts';
import {
  type Selection,
  type SelectionStores,
  selectRecords,
} from '../../../ledger/records/query/selectRecords.ts';
import { missingName } from '../../../platform/shared/nearestName.ts';

/** The filters whose values are names that somebody gave. All other values are listed in the contract. */
const NAMES: ReadonlySet<RecordFilterName> = new Set([
  'owner',
  'service',
  'end_user',
  'provider',
  'served_model',
]);
/** Records in which a suggestion is looked for. */
const NEWEST = 200;
const CONCURRENCY = 4;

const namesIn = ({ field, operator, values }: Filter) =>
  NAMES.has(field) && (operator === 'eq' || operator === 'in')
    ? values.map((name) => ({ field, name, parameter: operator === 'eq' ? field : `${field}[in]` }))
    : [];

/**
 * The names in filters that matched no record, which none of the period has, each with the nearest name of the newest records.
 * Each is looked for alone, as far as one page is read: beyond, nobody knows.
 */
export const unmatchedFilters = async (
  stores: SelectionStores,
  selection: Selection,
): Promise<FieldError[]> => {
  const select = (filters: readonly Filter[], limit: number) =>
    selectRecords(stores, { ...selection, filters, field: 'occurred_at', descending: true, limit });
  const names = selection.filters.flatMap(namesIn);
  const absent = await pMap(
    names,
    async ({ field, name, parameter }) => {
      const { items, resume } = await select([{ field, operator: 'eq', values: [name] }], 1);
      return items.length === 0 && resume === null ? [{ field, name, parameter }] : [];
    },
    { concurrency: CONCURRENCY },
  );
  const missing = absent.flat();
  if (missing.length === 0) return [];
  const newest = await select([], NEWEST);
  // Without a record, every name would be wrong.
  if (newest.items.length === 0) return [];
  return missing.map(({ field, name, parameter }) => ({
    parameter,
    detail: 'No record of the period has this value.',
    ...missingName(
      name,
      new Set(newest.items.flatMap(({ attribution }) => fieldValue(attribution.record, field) ?? [])),
    ),
  }));
};
