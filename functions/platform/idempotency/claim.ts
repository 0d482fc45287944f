import * as z from 'zod';
import type { Claim } from '../shared/retry/optimisticUpdate.ts';
import type { Caller } from '../tenancy/caller.ts';
import {
  IssuedSecret,
  openForAnyone,
  openSecret,
  type SealedRow,
  sealForAnyone,
  sealSecret,
} from './replay.ts';
import type { HeldClaim, ResponseStore } from './response.store.ts';

/** The effect of a call, as its row stores it. */
const StoredEffect = z.object({ result: z.unknown(), issued: IssuedSecret.nullable() });

/**
 * The claim of `caller` as its operation receives it, and the secret that an earlier attempt has issued. Nobody who reads
 * the row learns the result, and a retry by another credential does not learn the secret.
 */
export const claimOf = (
  held: HeldClaim,
  { store, caller, row }: { readonly store: ResponseStore; readonly caller: Caller; readonly row: SealedRow },
): { readonly claim: Claim; readonly issued: IssuedSecret | null } => {
  const { key, attempt, receivedAt, effect } = held;
  const stored = effect === null ? null : StoredEffect.parse(JSON.parse(openForAnyone(effect, row)));
  const issued = stored?.issued ?? null;
  return {
    issued,
    claim: {
      // The key may be reused after 24 hours, so the claim includes the arrival time.
      claim: `${key}#${receivedAt}`,
      attempt,
      effect: stored && {
        result: stored.result,
        secret: issued === null ? null : openSecret(issued, caller, row),
      },
      guard: store.guard(held),
      record: ({ result, secret }) => {
        const own = secret === null ? null : sealSecret(secret, caller, row);
        return store.record(held, sealForAnyone(JSON.stringify({ result, issued: own }), row));
      },
    },
  };
};
