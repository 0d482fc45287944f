import { CHALLENGE_LIMITS } from '../../../../schemas/delivery/webhooks.ts';
import type { Limit } from '../../../../schemas/platform/limits.ts';
import type { BucketStore } from '../../../platform/limits/bucket.store.ts';
import { bucketOf, emptyTat, latestAdmitting, secondsUntilFits } from '../../../platform/limits/bucket.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';

/**
 * Charges one verification challenge to an endpoint and to its tenant. Throws RATE_LIMITED when one of them has opened too
 * many. Each challenge is a call to a URL whose ownership is not proven, so the rate limit of the caller is not enough: a
 * tenant could direct its whole write rate at a third party.
 */
export type ChargeChallenge = (tenantId: string, endpointId: string) => Promise<void>;

export const challengeLimit = (
  store: Pick<BucketStore, 'charge'>,
  { clock, scale }: { readonly clock: Clock; readonly scale?: number | undefined },
): ChargeChallenge => {
  const charge = async (key: string, limit: Limit, owner: string): Promise<void> => {
    const bucket = bucketOf(limit, scale);
    const now = clock() * 1_000;
    const { admitted, tat } = await store.charge({
      key,
      amount: bucket.interval,
      floor: now,
      latest: latestAdmitting(bucket, 1, now),
      emptied: emptyTat(bucket, now),
      lastTat: 0,
    });
    if (admitted) return;
    throw new ProblemError(
      'RATE_LIMITED',
      `Too many verification challenges for this ${owner}. Retry after Retry-After. The challenge that was sent last stays open.`,
      { headers: { 'retry-after': String(secondsUntilFits(bucket, tat, 1, now)) } },
    );
  };
  return async (tenantId, endpointId) => {
    // The endpoint first: repeated challenges of one endpoint must not use up those of the tenant.
    await charge(`${tenantId}#challenge#${endpointId}`, CHALLENGE_LIMITS.endpoint, 'endpoint');
    await charge(`${tenantId}#challenge`, CHALLENGE_LIMITS.tenant, 'tenant');
  };
};

/** Charges once, however often the write that opens the challenge is repeated after a conflict. */
export const chargeOnce = (charge: ChargeChallenge): ChargeChallenge => {
  let charged: Promise<void> | undefined;
  return (tenantId, endpointId) => {
    charged ??= charge(tenantId, endpointId);
    return charged;
  };
};
