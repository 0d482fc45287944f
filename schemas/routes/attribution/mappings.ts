import * as z from 'zod';
import {
  IdentityMapping,
  MAPPINGS_MAXIMUM,
  mappingFields,
  namesOwnerOrService,
  OWNER_OR_SERVICE_REQUIRED,
} from '../../attribution/identityMapping.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { DayOrInstant } from '../../values.ts';
import { route } from '../route.ts';

const MAPPING_BYTES_MAXIMUM = 256 * 1_024;
/**
 * Limits of a dry run: records examined, and changes and owners listed. They keep it within the time and the response size
 * of one request.
 */
export const DRY_RUN_RECORDS_MAXIMUM = 1_000;
export const DRY_RUN_LISTED_MAXIMUM = 50;

const { name, position, conditions, owner, service, effective_from } = mappingFields;

const example = {
  name: 'Search namespace',
  conditions: [{ field: 'k8s_namespace', operator: 'exact', value: 'search' }],
  owner: 'team-search',
};

const IdentityMappingRequest = z
  .strictObject({
    name,
    position: position
      .optional()
      .meta({ description: 'Mappings are evaluated in ascending order. Default: after the last mapping' }),
    conditions,
    owner: owner.optional(),
    service: service.optional(),
    effective_from: effective_from.optional().meta({
      description: `${effective_from.meta()?.description}. Default: now`,
    }),
  })
  .refine(namesOwnerOrService, { error: OWNER_OR_SERVICE_REQUIRED })
  .meta({
    id: 'IdentityMappingRequest',
    description: 'At least one of owner and service is required',
    example,
  });
export type IdentityMappingRequest = z.infer<typeof IdentityMappingRequest>;

const IdentityMappingPatch = z
  .strictObject({
    name: name.optional(),
    position: position.optional(),
    conditions: conditions.optional().meta({ description: 'Replaces all conditions' }),
    owner: owner.nullable().optional().meta({ description: 'Null removes the owner' }),
    service: service.nullable().optional().meta({ description: 'Null removes the service' }),
    effective_from: effective_from.optional(),
  })
  .meta({
    id: 'IdentityMappingPatch',
    description:
      'Omitted members do not change (JSON Merge Patch, RFC 7396). The result must be a valid mapping',
    example: { position: 5 },
  });
export type IdentityMappingPatch = z.infer<typeof IdentityMappingPatch>;

const DryRunRequest = z
  .strictObject({
    mapping: IdentityMappingRequest.optional(),
    replaces: z
      .string()
      .regex(/^map_[a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be the id of a mapping')
      .optional()
      .meta({
        description: 'Id of the mapping that this one replaces. Without mapping, the dry run deletes it',
      }),
    from: DayOrInstant.optional().meta({
      description: 'Start of the period, inclusive. Default: 24 hours before to',
    }),
    to: DayOrInstant.optional().meta({ description: 'End of the period, exclusive. Default: now' }),
  })
  .refine((request) => request.mapping !== undefined || request.replaces !== undefined, {
    error: 'must give a mapping, an id in replaces or both',
  })
  .meta({
    id: 'IdentityMappingDryRunRequest',
    description: 'At least one of mapping and replaces is required',
    example: { mapping: example },
  });

const Named = z.object({ owner: z.string().nullable(), service: z.string().nullable() });

const DryRun = z
  .object({
    examined: z.int().meta({ description: 'Number of records examined: the newest of the period' }),
    truncated: z.boolean().meta({ description: 'True if the period has more records than were examined' }),
    changed: z.int().meta({ description: 'Number of examined records whose owner or service would change' }),
    changes: z
      .array(
        z.object({
          attribution_id: z.string(),
          before: Named.meta({ description: 'Current owner and service' }),
          after: Named.meta({ description: 'Owner and service after the change' }),
        }),
      )
      .meta({ description: `The newest changed records, at most ${DRY_RUN_LISTED_MAXIMUM}` }),
    owners: z
      .array(
        z.object({
          owner: z.string().nullable().meta({ description: 'Null: calls without an owner' }),
          invocations_before: z.int(),
          invocations_after: z.int(),
        }),
      )
      .meta({
        description: `Owners whose number of examined calls would change, largest change first, at most ${DRY_RUN_LISTED_MAXIMUM}`,
      }),
  })
  .meta({ id: 'IdentityMappingDryRun' });
export type DryRun = z.infer<typeof DryRun>;

const MappingListQuery = z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() });

export const createIdentityMapping = route({
  method: 'POST',
  path: '/api/v1/identity/mappings',
  operation: 'createIdentityMapping',
  limits: { resources: MAPPINGS_MAXIMUM },
  authority: { effect: 'attribution', reveals: [], lanes: 'all' },
  unit: 'mappings',
  summary: 'Create an identity mapping',
  description: `Maps calls with a certain identity, workload or key name to an owner, a service or both. The first matching mapping with an owner sets the owner. The first matching mapping with a service sets the service. If no mapping matches, the other evidence of the call decides. The mapping applies to new events within seconds. A tenant can have ${MAPPINGS_MAXIMUM} mappings; beyond that the response is VALIDATION_FAILED.`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['identity.write'],
  body: { kind: 'json', schema: IdentityMappingRequest, maxBytes: MAPPING_BYTES_MAXIMUM },
  audit: 'identity_mapping.create',
  replies: { 201: { description: 'The mapping', body: IdentityMapping } },
});

export const listIdentityMappings = route({
  method: 'GET',
  path: '/api/v1/identity/mappings',
  operation: 'listIdentityMappings',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'mappings',
  summary: 'List identity mappings in evaluation order',
  description:
    'Each mapping appears once. A mapping moved between two page requests can appear twice or not at all.',
  access: 'admin:config',
  alternative: 'read:attribution',
  discloses: 'none',
  rate: 'read',
  needs: ['identity.list', 'cursor.derive'],
  query: MappingListQuery,
  replies: {
    200: { description: 'A page of mappings', body: pageOf(IdentityMapping, 'IdentityMappingPage') },
  },
});

export const getIdentityMapping = route({
  method: 'GET',
  path: '/api/v1/identity/mappings/{id}',
  operation: 'getIdentityMapping',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'mappings',
  summary: 'Read one identity mapping',
  description: 'The mapping with its match rules and its target.',
  access: 'admin:config',
  alternative: 'read:attribution',
  discloses: 'none',
  rate: 'read',
  needs: ['identity.read'],
  ids: { id: 'map' },
  replies: { 200: { description: 'The mapping', body: IdentityMapping } },
});

export const updateIdentityMapping = route({
  method: 'PATCH',
  path: '/api/v1/identity/mappings/{id}',
  operation: 'updateIdentityMapping',
  authority: { effect: 'attribution', reveals: [], lanes: 'all' },
  unit: 'mappings',
  summary: 'Change or move an identity mapping',
  description:
    'The change applies to new events within seconds. Existing records do not change until they are reprocessed. effective_from does not change unless the request contains it.',
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['identity.write'],
  ids: { id: 'map' },
  body: { kind: 'json', schema: IdentityMappingPatch, maxBytes: MAPPING_BYTES_MAXIMUM },
  audit: 'identity_mapping.update',
  replies: { 200: { description: 'The changed mapping', body: IdentityMapping } },
});

export const deleteIdentityMapping = route({
  method: 'DELETE',
  path: '/api/v1/identity/mappings/{id}',
  operation: 'deleteIdentityMapping',
  authority: { effect: 'attribution', reveals: [], lanes: 'all' },
  unit: 'mappings',
  summary: 'Delete an identity mapping',
  description: 'Existing records do not change until they are reprocessed.',
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['identity.write'],
  ids: { id: 'map' },
  audit: 'identity_mapping.delete',
  replies: { 204: { description: 'The mapping is deleted' } },
});

export const dryRunIdentityMapping = route({
  method: 'POST',
  path: '/api/v1/identity/mappings/dry-run',
  operation: 'dryRunIdentityMapping',
  authority: { effect: 'none', reveals: ['read:attribution'], lanes: 'own' },
  unit: 'mappings',
  summary: 'Dry-run a change of the identity mappings',
  description: `Changes nothing. With mapping only, the dry run creates the mapping. With mapping and replaces, it changes the existing mapping. With replaces only, it deletes that mapping. It examines the newest records of the period that the credential can read, at most ${DRY_RUN_RECORDS_MAXIMUM}. Manual overrides do not change. A new mapping without effective_from applies to the whole period. The conditions select single calls, so the caller also needs read:attribution.`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'records',
  rate: 'write',
  needs: ['archive.read', 'identity.list', 'ledger.read'],
  body: { kind: 'json', schema: DryRunRequest, maxBytes: MAPPING_BYTES_MAXIMUM },
  replies: { 200: { description: 'What would change', body: DryRun } },
});
