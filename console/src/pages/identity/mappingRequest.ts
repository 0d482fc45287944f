import type { IdentityMappingRequest, MappingCondition } from '../../../../sdk/typescript/src/types.ts';
import type { Entries } from '../../forms/entries.ts';

export const FIELDS: readonly MappingCondition['field'][] = [
  'identity',
  'service',
  'spiffe_id',
  'k8s_namespace',
  'k8s_workload',
  'k8s_cluster',
  'api_key_name',
  'source_system',
  'tag',
];

export const OPERATORS: readonly MappingCondition['operator'][] = ['exact', 'prefix', 'glob'];

/** A form has as many rows for conditions. Empty rows are left out. */
export const CONDITION_ROWS = [0, 1, 2] as const;

const conditionsOf = (entries: Entries): MappingCondition[] =>
  CONDITION_ROWS.flatMap((row) => {
    const value = entries.text(`value${row}`);
    const field = FIELDS.find((name) => name === entries.text(`field${row}`));
    const operator = OPERATORS.find((name) => name === entries.text(`operator${row}`));
    return value === '' || field === undefined || operator === undefined ? [] : [{ field, operator, value }];
  });

export const mappingRequestOf = (entries: Entries): IdentityMappingRequest => ({
  name: entries.text('name'),
  conditions: conditionsOf(entries),
  ...(entries.text('position') !== '' && { position: Number(entries.text('position')) }),
  ...(entries.text('effective_from') !== '' && {
    effective_from: `${entries.text('effective_from')}T00:00:00Z`,
  }),
  ...entries.optional('owner'),
  ...entries.optional('service'),
});
