import type { IdentityMapping, MappingCondition } from '../../../schemas/attribution/identityMapping.ts';

export const CREATED_AT = '2026-01-01T00:00:00.000Z';

/** The id of the mapping with this index. */
export const mappingId = (index: number): string =>
  `map_abcdefgh01KA3Z5V7JQ2M6X9R8T4B1${String(index).padStart(4, '0')}`;

export const condition = (
  field: MappingCondition['field'],
  value: string,
  operator: MappingCondition['operator'] = 'exact',
): MappingCondition => ({ field, operator, value });

/** A mapping that matches the identity `ann`, with the given members. */
export const aMapping = (index: number, members: Partial<IdentityMapping> = {}): IdentityMapping => ({
  id: mappingId(index),
  name: `Mapping ${index}`,
  position: 10,
  conditions: [condition('identity', 'ann')],
  ...(members.service === undefined && { owner: `owner-${index}` }),
  effective_from: CREATED_AT,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  created_by: 'key_1',
  ...members,
});
