import * as z from 'zod';
import type { Claim } from '../shared/retry/optimisticUpdate.ts';
import type { Caller } from '../tenancy/caller.ts';
import {
  type Committer,
  IssuedSecret,
  openForAnyone,
  openSecret,
  requireLane,
  type SealedRow,
  sealForAnyone,
  sealSecret,
} from './replay.ts';
import type { HeldClaim, ResponseStore } from './response.store.ts';

/** The effect of a call, as its row stores it, with the lane of the caller that committed it. */
const StoredEffect = z.object({
  result: z.unknown(),
  issued: IssuedSecret.nullable(),
  lane: z.string().nullable(),
});

/**
 * The claim of `caller` as its operation receives it, and who committed its effect in an earlier attempt. Nobody who reads the row
 * learns the result, and a retry by another credential does not learn the secret. Throws RESIDENCY_BLOCKED.
 */
export const claimOf = (
  held: HeldClaim,
  { store, caller, row }: { readonly store: ResponseStore; readonly caller: Caller; readonly row: SealedRow },
): { readonly claim: Claim; readonly committer: Committer | null } => {
  const { key, attempt, receivedAt, effect } = held;
  const committer = effect === null ? null : StoredEffect.parse(JSON.parse(openForAnyone(effect, row)));
  if (committer !== null) requireLane(caller, committer.lane);
  return {
    committer,
    claim: {
      // The key may be reused after 24 hours, so the claim includes the arrival time.
      claim: `${key}#${receivedAt}`,
      attempt,
      effect: committer && {
        result: committer.result,
        secret: committer.issued === null ? null : openSecret(committer.issued, caller, row),
      },
      guard: store.guard(held),
      record: ({ result, secret }) => {
        const issued = secret === null ? null : sealSecret(secret, caller, row);
        const stored: z.infer<typeof StoredEffect> = { result, issued, lane: caller.residency };
        return store.record(held, sealForAnyone(JSON.stringify(stored), row));
      },
    },
  };
};
