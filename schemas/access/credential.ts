import * as z from 'zod';
import { Cursor, PageLimit } from '../page.ts';
import { label } from '../values.ts';
import { Scope } from './scopes.ts';

export const CREDENTIAL_BYTES_MAXIMUM = 256 * 1_024;
/** The longest a replaced secret may go on. */
const OVERLAP_SECONDS_MAXIMUM = 24 * 60 * 60;

export const CredentialName = label(128);
const Lane = label(64);
export const CredentialScopes = z
  .array(Scope)
  .min(1)
  .max(32)
  .meta({ description: 'Fixed at creation; a subset of the creator’s own' });
export const CredentialResidency = Lane.optional().meta({
  description:
    'Binds the credential to one of the tenant’s data-residency lanes; default the creator’s binding',
});

/** A creation without a scope is told apart from one that is malformed, so the operation looks at the scopes itself. */
export const uncheckedScopes = { scopes: z.array(Scope).max(32).default([]) };

/** Which callers may rotate a credential, and which may revoke or delete it: for the descriptions of these routes. */
export const ROTATION_RIGHTS =
  'The caller needs every scope of the credential (INSUFFICIENT_SCOPE), and no residency lane or the same one (RESIDENCY_BLOCKED).';
export const ENDING_RIGHTS = `${ROTATION_RIGHTS} A tenant administrator may end any credential: a caller with every scope of the admin role and no lane.`;

export const RotationRequest = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(OVERLAP_SECONDS_MAXIMUM).optional().meta({
      description: 'How long the old secret goes on; default 0, which ends it at once',
    }),
  })
  .meta({ id: 'RotationRequest' });

export const CredentialListQuery = z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() });
