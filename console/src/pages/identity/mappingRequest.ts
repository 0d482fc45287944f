import type {
  IdentityMapping,
  IdentityMappingRequest,
  MappingCondition,
} from '../../../../sdk/typescript/src/types.ts';
import type { Entries } from '../../forms/entries.ts';

export const FIELDS: readonly MappingCondition['field'][] = [
  'identity',
  'end_user',
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

/** Most conditions of a mapping. */
export const CONDITIONS_MAXIMUM = 10;

/** Empty rows of the form are left out. */
const conditionsOf = (entries: Entries): MappingCondition[] =>
  Array.from({ length: CONDITIONS_MAXIMUM }, (_, row) => row).flatMap((row) => {
    const value = entries.text(`value${row}`);
    const field = FIELDS.find((name) => name === entries.text(`field${row}`));
    const operator = OPERATORS.find((name) => name === entries.text(`operator${row}`));
    return value === '' || field === undefined || operator === undefined ? [] : [{ field, operator, value }];
  });

/** The form has the day only. The instant of the edited mapping is kept if its day did not change. */
const instantOf = (day: string, edited: string | undefined): string =>
  edited?.startsWith(day) ? edited : `${day}T00:00:00Z`;

/** `edited` is the mapping that the form changes. */
export const mappingRequestOf = (
  entries: Entries,
  edited: Pick<IdentityMapping, 'effective_from'> | undefined,
): IdentityMappingRequest => ({
  name: entries.text('name'),
  conditions: conditionsOf(entries),
  ...(entries.text('position') !== '' && { position: Number(entries.text('position')) }),
  ...(entries.text('effective_from') !== '' && {
    effective_from: instantOf(entries.text('effective_from'), edited?.effective_from),
  }),
  ...entries.optional('owner'),
  ...entries.optional('service'),
});
