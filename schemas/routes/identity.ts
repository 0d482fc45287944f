import * as z from 'zod';
import {
  IdentityMapping,
  MAPPINGS_MAXIMUM,
  mappingFields,
  namesOwnerOrService,
  OWNER_OR_SERVICE_REQUIRED,
} from '../attribution/identityMapping.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { Timestamp } from '../values.ts';
import { route } from './route.ts';

const MAPPING_BYTES_MAXIMUM = 256 * 1_024;
/** Records a dry run looks at, and changes and owners it tells of, at most: it has the time and the answer of one call. */
export const DRY_RUN_RECORDS_MAXIMUM = 1_000;
export const DRY_RUN_TOLD_MAXIMUM = 50;

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
      .meta({ description: 'Lower ones are tried first. Default: behind the last' }),
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
    description: 'At least one of owner and service must be named',
    example,
  });
export type IdentityMappingRequest = z.infer<typeof IdentityMappingRequest>;

const IdentityMappingPatch = z
  .strictObject({
    name: name.optional(),
    position: position.optional(),
    conditions: conditions.optional().meta({ description: 'Replaces all of them' }),
    owner: owner.nullable().optional().meta({ description: 'Null: the mapping names no owner any more' }),
    service: service
      .nullable()
      .optional()
      .meta({ description: 'Null: the mapping names no service any more' }),
    effective_from: effective_from.optional(),
  })
  .meta({
    id: 'IdentityMappingPatch',
    description: 'What is not named stays as it is (RFC 7396); the result must be a mapping again',
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
      .meta({ description: 'Id of the mapping that is changed into this one; alone, that is deleted' }),
    from: Timestamp.optional().meta({ description: 'Calls from then on. Default: 24 hours before to' }),
    to: Timestamp.optional().meta({ description: 'Calls before then. Default: now' }),
  })
  .refine((request) => request.mapping !== undefined || request.replaces !== undefined, {
    error: 'must give a mapping, an id in replaces or both',
  })
  .meta({
    id: 'IdentityMappingDryRunRequest',
    description: 'At least one of mapping and replaces must be given',
    example: { mapping: example },
  });

const Named = z.object({ owner: z.string().nullable(), service: z.string().nullable() });

const DryRun = z
  .object({
    examined: z.int().meta({ description: 'Records looked at: the newest of the period' }),
    truncated: z.boolean().meta({ description: 'The period holds more than were looked at' }),
    changed: z.int().meta({ description: 'Of those looked at, records that would name somebody else' }),
    changes: z
      .array(
        z.object({
          attribution_id: z.string(),
          before: Named.meta({ description: 'Whom the record names' }),
          after: Named.meta({ description: 'Whom it would name' }),
        }),
      )
      .meta({ description: `The newest of them, at most ${DRY_RUN_TOLD_MAXIMUM}` }),
    owners: z
      .array(
        z.object({
          owner: z.string().nullable().meta({ description: 'Null: calls nobody is named for' }),
          invocations_before: z.int(),
          invocations_after: z.int(),
        }),
      )
      .meta({
        description: `Who would gain or lose calls, of those looked at; the most first, at most ${DRY_RUN_TOLD_MAXIMUM}`,
      }),
  })
  .meta({ id: 'IdentityMappingDryRun' });
export type DryRun = z.infer<typeof DryRun>;

const MappingListQuery = z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() });

export const createIdentityMapping = route({
  method: 'POST',
  path: '/api/v1/identity/mappings',
  operation: 'createIdentityMapping',
  effect: 'attribution',
  unit: 'identity',
  summary: 'Say whose calls with a certain identity, workload or key name are',
  description: `The first mapping, in order, that matches a call and names an owner decides the owner, likewise the service; what no mapping decides follows from the evidence itself. It applies to new events within seconds. VALIDATION_FAILED once the tenant has ${MAPPINGS_MAXIMUM}.`,
  access: 'admin:config',
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
  unit: 'identity',
  summary: 'List identity mappings in the order they are tried',
  description:
    'Each comes once, except one that is moved while the list is being walked: it may come twice or not at all.',
  access: 'admin:config',
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
  unit: 'identity',
  summary: 'Read one identity mapping',
  access: 'admin:config',
  rate: 'read',
  needs: ['identity.read'],
  ids: { id: 'map' },
  replies: { 200: { description: 'The mapping', body: IdentityMapping } },
});

export const updateIdentityMapping = route({
  method: 'PATCH',
  path: '/api/v1/identity/mappings/{id}',
  operation: 'updateIdentityMapping',
  effect: 'attribution',
  unit: 'identity',
  summary: 'Change or move an identity mapping',
  description:
    'Applies to new events within seconds. Records made before keep what they say until they are reprocessed; effective_from stays as it is unless it is named.',
  access: 'admin:config',
  rate: 'write',
  needs: ['identity.write'],
  ids: { id: 'map' },
  body: { kind: 'json', schema: IdentityMappingPatch, maxBytes: MAPPING_BYTES_MAXIMUM },
  audit: 'identity_mapping.update',
  replies: { 200: { description: 'The mapping as it is now', body: IdentityMapping } },
});

export const deleteIdentityMapping = route({
  method: 'DELETE',
  path: '/api/v1/identity/mappings/{id}',
  operation: 'deleteIdentityMapping',
  effect: 'attribution',
  unit: 'identity',
  summary: 'Delete an identity mapping',
  description: 'Records it decided keep what they say until they are reprocessed.',
  access: 'admin:config',
  rate: 'write',
  needs: ['identity.write'],
  ids: { id: 'map' },
  audit: 'identity_mapping.delete',
  replies: { 204: { description: 'It is deleted' } },
});

export const dryRunIdentityMapping = route({
  method: 'POST',
  path: '/api/v1/identity/mappings/dry-run',
  operation: 'dryRunIdentityMapping',
  effect: 'none',
  unit: 'identity',
  summary: 'Try what a change of the identity mappings would do',
  description: `Changes nothing. A mapping alone is tried as if it were created, with replaces as what that one is changed into; replaces alone tries its deletion. Looks at the newest records of the period, at most ${DRY_RUN_RECORDS_MAXIMUM}, that the credential may see. What a person has decided about a record stays. A new mapping without effective_from counts for the whole period.`,
  access: 'admin:config',
  rate: 'write',
  needs: ['identity.list', 'ledger.read'],
  body: { kind: 'json', schema: DryRunRequest, maxBytes: MAPPING_BYTES_MAXIMUM },
  replies: { 200: { description: 'What would change', body: DryRun } },
});
