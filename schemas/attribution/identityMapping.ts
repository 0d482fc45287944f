import * as z from 'zod';
import { label, Timestamp } from '../values.ts';

/** Mappings a tenant may have: every event is held against all of them. */
export const MAPPINGS_MAXIMUM = 500;
export const POSITION_MAXIMUM = 1_000_000;

/** As long as the longest field a condition reads, a SPIFFE id. */
const VALUE_LENGTH_MAXIMUM = 512;
/** A glob costs an event time in proportion to its length, so it is kept shorter than what it is held against. */
const GLOB_LENGTH_MAXIMUM = 128;
const CONDITIONS_MAXIMUM = 10;

/** What a condition can read of an event, by the names tenants know it under. */
export const MappableField = z.enum([
  'identity',
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
      description:
        'The member of the event it reads: identity is attributed_identity, service attributed_service, tag any one of tags, the others as they are called. An event without it does not match',
    }),
    operator: z.enum(['exact', 'prefix', 'glob']).meta({
      description:
        'exact: the whole value; prefix: how it begins; glob: the whole value, where * stands for any run of characters, slashes and nothing at all included, and ? for any one. All tell upper from lower case',
    }),
    value: label(VALUE_LENGTH_MAXIMUM).meta({
      description: `At most ${GLOB_LENGTH_MAXIMUM} characters for a glob`,
      example: 'spiffe://prod.example.org/ns/search/*',
    }),
  })
  .refine(({ operator, value }) => operator !== 'glob' || value.length <= GLOB_LENGTH_MAXIMUM, {
    path: ['value'],
    error: `a glob must have at most ${GLOB_LENGTH_MAXIMUM} characters`,
  })
  .meta({ id: 'MappingCondition' });
export type MappingCondition = z.infer<typeof MappingCondition>;

/** What an offset would carry beyond four digits of a year has no RFC 3339 spelling. */
const MAX_EFFECTIVE_FROM = Date.parse('9999-12-31T00:00:00Z');
const EFFECTIVE_FROM =
  'Applies to calls that occurred at or after this instant. It may lie ahead, or in the past: records made before the change still change only when they are reprocessed';

/** The members of a mapping that whoever writes it chooses. */
export const mappingFields = {
  name: label(128).meta({ description: 'Told in the explanation of every record it decided' }),
  position: z.int().min(0).max(POSITION_MAXIMUM).meta({
    description: 'Place in the order of evaluation: lower first, equal ones in the order they were made',
  }),
  conditions: z
    .array(MappingCondition)
    .min(1)
    .max(CONDITIONS_MAXIMUM)
    .meta({ description: 'All of them must hold' }),
  owner: label(256).meta({ description: 'Owner of the calls that match', example: 'team-search' }),
  service: label(256).meta({ description: 'Service of the calls that match', example: 'ranking' }),
  effective_from: Timestamp.refine((text) => Date.parse(text) >= 0 && Date.parse(text) < MAX_EFFECTIVE_FROM, {
    error: 'must lie between 1970 and 9999',
  }).meta({ description: EFFECTIVE_FROM }),
};

export const OWNER_OR_SERVICE_REQUIRED = 'must name an owner, a service or both';

/** Whether a mapping says anything at all. */
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
