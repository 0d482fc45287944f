import { commit } from '../../../platform/shared/aws/document.store.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { checkKey, placeOf } from '../delivery/deliveredKeys.ts';
import { type BucketAccess, openBucket } from '../delivery/openBucket.ts';
import { putBytes } from '../delivery/putFile.ts';
import { JSON_TYPE } from '../steps/contentTypes.ts';
import type { CheckRef, CheckStore } from './destination.store.ts';
import type { StoredDestination } from './destination.ts';

/**
 * Puts a test object into the bucket of a destination, as deliveries put theirs, and stores the result. A check whose
 * destination changes at the same time stays requested, and is repeated.
 */
export const destinationChecker = (deps: {
  readonly checks: CheckStore;
  readonly bucketAccess: BucketAccess;
  readonly clock: () => number;
  readonly newClaim: () => string;
}) => {
  const { checks, bucketAccess, clock, newClaim } = deps;

  const failureOf = async (destination: StoredDestination) => {
    const send = await openBucket(bucketAccess, destination);
    if (typeof send !== 'function') return send;
    const body = Buffer.from(JSON.stringify({ destination_id: destination.id, checked_at: toIso(clock()) }));
    const key = checkKey(placeOf(destination.location));
    return putBytes({ send, clock }, { key, contentType: JSON_TYPE }, body);
  };

  return async (ref: CheckRef): Promise<void> => {
    const found = await checks.versioned(ref.tenant_id, ref.id);
    if (found === null) {
      await commit([checks.forget(ref)]);
      return;
    }
    const { document, revision } = found;
    const error = (await failureOf(document))?.error ?? null;
    const check = { state: error === null ? 'working' : 'failing', error, at: clock() } as const;
    const by = { claim: newClaim(), attempt: 1 };
    await commit([...checks.finish(ref, { ...document, check }, revision, by)]);
  };
};
