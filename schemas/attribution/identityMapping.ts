import * as z from 'zod';
import { label, Timestamp } from '../values.ts';

/** The most mappings per tenant. Every event is tested against all of them. */
export const MAPPINGS_MAXIMUM = 500;
export const POSITION_MAXIMUM = 1_000_000;

/** Length of the longest field that a condition can read, a SPIFFE id. */
const VALUE_LENGTH_MAXIMUM = 512;
/** Matching time grows with the length of a glob, so its limit is lower than that of the values. */
const GLOB_LENGTH_MAXIMUM = 128;
const CONDITIONS_MAXIMUM = 10;

/** The event fields that a condition can read, under their names in the API. */
export const MappableField = z.enum([
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
]);
export type MappableField = z.infer<typeof MappableField>;

export const MappingCondition = z
  .strictObject({
    field: MappableField.meta({
      id: 'MappableField',
      description:
        'Event member that the condition reads: identity is attributed_identity, service is attributed_service, tag is any of tags, the others have the same name. An event without the member does not match',
    }),
    operator: z.enum(['exact', 'prefix', 'glob']).meta({
      id: 'MappingOperator',
      description:
        'exact: the whole value; prefix: the start of the value; glob: the whole value, where * matches any characters (also none, also slashes) and ? matches exactly one. All are case-sensitive',
    }),
    value: label(VALUE_LENGTH_MAXIMUM).meta({
      description: `At most ${GLOB_LENGTH_MAXIMUM} characters for a glob`,
      example: 'spiffe://prod.example.org/ns/search/*',
    }),
  })
  .refine(({ operator, value }) => operator !== 'glob' || value.length <= GLOB_LENGTH_MAXIMUM, {
    path: ['value'],
    error: `must have at most ${GLOB_LENGTH_MAXIMUM} characters for a glob`,
  })
  .meta({ id: 'MappingCondition' });
export type MappingCondition = z.infer<typeof MappingCondition>;

/** A UTC offset must not move the year beyond four digits, the limit of RFC 3339. */
const MAX_EFFECTIVE_FROM = Date.parse('9999-12-31T00:00:00Z');
const EFFECTIVE_FROM =
  'The mapping applies to calls that occurred at or after this instant. It may be in the past or in the future. Existing records change only when they are reprocessed';

/** The members of a mapping that a client can set. */
export const mappingFields = {
  name: label(128).meta({ description: 'Shown in the explanation of every record that the mapping decided' }),
  position: z.int().min(0).max(POSITION_MAXIMUM).meta({
    description: 'Position in the order of evaluation: lower first, equal positions in the order of creation',
  }),
  conditions: z
    .array(MappingCondition)
    .min(1)
    .max(CONDITIONS_MAXIMUM)
    .meta({ description: 'All of them must match' }),
  owner: label(256).meta({ description: 'Owner of the calls that match', example: 'team-search' }),
  service: label(256).meta({ description: 'Service of the calls that match', example: 'ranking' }),
  effective_from: Timestamp.refine((text) => Date.parse(text) >= 0 && Date.parse(text) < MAX_EFFECTIVE_FROM, {
    error: 'must be between 1970 and 9999',
  }).meta({ description: EFFECTIVE_FROM }),
};

export const OWNER_OR_SERVICE_REQUIRED = 'must name an owner, a service or both';

/** Whether a mapping has an owner or a service. */
export const namesOwnerOrService = (mapping: {
  readonly owner?: string | null | undefined;
  readonly service?: string | null | undefined;
}): boolean => (mapping.owner ?? mapping.service ?? null) !== null;

export const IdentityMapping = z
  .object({
    id: z.string().meta({ example: 'map_k3v9q2mc01KA3Z5V7JQ2M6X9R8T4B1C0DE' }),
    ...mappingFields,
    owner: mappingFields.owner.optional(),
    service: mappingFields.service.optional(),
    effective_from: z.iso.datetime().meta({ description: EFFECTIVE_FROM }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    created_by: z.string().meta({ description: 'Id of the key, client or user' }),
  })
  .meta({ id: 'IdentityMapping' });
export type IdentityMapping = z.infer<typeof IdentityMapping>;
