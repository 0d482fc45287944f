import {
  type IdentityMapping,
  namesOwnerOrService,
  OWNER_OR_SERVICE_REQUIRED,
} from '../../../schemas/attribution/identityMapping.ts';
import type {
  IdentityMappingPatch,
  IdentityMappingRequest,
} from '../../../schemas/routes/attribution/mappings.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

/** The mapping. Throws NOT_FOUND when there is none. */
export const requireMapping = (mapping: IdentityMapping | null): IdentityMapping => {
  if (mapping === null) throw new ProblemError('NOT_FOUND', 'Mapping not found.');
  return mapping;
};

const toUtc = (text: string): string => toIso(Date.parse(text));

/** Members of a new mapping that do not come from the request. */
export interface MappingDefaults {
  readonly id: string;
  /** Used when the request has no position. */
  readonly position: number;
  /** Used when the request has no `effective_from`. */
  readonly effectiveFrom: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly by: string;
}

export const buildMapping = (
  { name, position, conditions, owner, service, effective_from }: IdentityMappingRequest,
  defaults: MappingDefaults,
): IdentityMapping => ({
  id: defaults.id,
  name,
  position: position ?? defaults.position,
  conditions,
  ...(owner !== undefined && { owner }),
  ...(service !== undefined && { service }),
  effective_from: toUtc(effective_from ?? defaults.effectiveFrom),
  created_at: toIso(defaults.at),
  updated_at: toIso(defaults.at),
  created_by: defaults.by,
});

/**
 * A mapping after a JSON merge patch (RFC 7396), at `at` (epoch milliseconds). Throws VALIDATION_FAILED when the result has
 * neither an owner nor a service.
 */
export const patchMapping = (
  mapping: IdentityMapping,
  patch: IdentityMappingPatch,
  at: number,
): IdentityMapping => {
  const owner = patch.owner === undefined ? mapping.owner : (patch.owner ?? undefined);
  const service = patch.service === undefined ? mapping.service : (patch.service ?? undefined);
  if (!namesOwnerOrService({ owner, service })) {
    throw new ProblemError('VALIDATION_FAILED', 'The mapping must keep an owner or a service.', {
      errors: [{ pointer: '', detail: OWNER_OR_SERVICE_REQUIRED }],
    });
  }
  return {
    id: mapping.id,
    name: patch.name ?? mapping.name,
    position: patch.position ?? mapping.position,
    conditions: patch.conditions ?? mapping.conditions,
    ...(owner !== undefined && { owner }),
    ...(service !== undefined && { service }),
    effective_from: toUtc(patch.effective_from ?? mapping.effective_from),
    created_at: mapping.created_at,
    updated_at: toIso(at),
    created_by: mapping.created_by,
  };
};
