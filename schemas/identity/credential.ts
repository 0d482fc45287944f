import * as z from 'zod';
import { DAY_SECONDS } from '../durations.ts';
import { Cursor, PageLimit } from '../page.ts';
import { label } from '../values.ts';
import { Scope } from './scopes.ts';

export const CREDENTIAL_BYTES_MAXIMUM = 256 * 1_024;
/** The maximum overlap of a replaced secret. */
const OVERLAP_SECONDS_MAXIMUM = DAY_SECONDS;

export const CredentialName = label(128);
const Lane = label(64);
export const CredentialScopes = z
  .array(Scope)
  .min(1)
  .max(32)
  .meta({ description: 'Fixed at creation. Must be a subset of the scopes of the creator.' });
export const CredentialResidency = Lane.optional().meta({
  description:
    'Binds the credential to one of the data-residency lanes of the tenant. Default: the lane of the creator',
});

/** Accepts an empty list, because the operation returns NO_SCOPE for it instead of VALIDATION_FAILED. */
export const uncheckedScopes = { scopes: z.array(Scope).max(32).default([]) };

/** Who may rotate a credential, and who may revoke or delete it. Part of the route descriptions. */
export const ROTATION_RIGHTS =
  'The caller needs every scope of the credential (INSUFFICIENT_SCOPE). If the caller is bound to a residency lane, the credential must be bound to the same one (RESIDENCY_BLOCKED).';
export const ENDING_RIGHTS = `${ROTATION_RIGHTS} So a tenant administrator, which is a caller with every scope of the admin role and no lane, may revoke or delete any credential.`;

export const RotationRequest = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(OVERLAP_SECONDS_MAXIMUM).optional().meta({
      description: 'How long the old secret stays valid. Default 0: it becomes invalid at once',
    }),
  })
  .meta({ id: 'RotationRequest', example: { overlap_seconds: 3_600 } });

export const CredentialListQuery = z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() });
