import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Limiter, limiter } from '../../../functions/platform/limits/limiter.ts';
import {
  planLimits,
  plans,
  type RateClass,
  rateClasses,
  tenantCeilings,
} from '../../../schemas/platform/limits.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { inMemoryBucketStore } from './inMemoryBucketStore.ts';

const NOON = Date.parse('2026-03-15T12:00:00Z');
const tenant = aTenant({ plan: 'standard', limits: { bulk: { rate: 0.1, burst: 5 } } });
const CEILING = 5 * (tenantCeilings.standard.bulk ?? 0);

let now: number;
let limits: Limiter;
beforeEach(() => {
  now = NOON;
  limits = limiter(inMemoryBucketStore().store, { clock: () => now });
});

const charge = (principal: string, rateClass: RateClass = 'bulk') =>
  limits.charge({ tenant, principal, rateClass, cost: 1 });
const peek = (principal: string) => limits.peek({ tenant, principal, rateClass: 'bulk' });

/** The admitted of `count` charges. */
const admitted = async (principal: string, count: number): Promise<number> => {
  let total = 0;
  for (let one = 0; one < count; one += 1) total += (await charge(principal)).outcome === 'admitted' ? 1 : 0;
  return total;
};

describe('the ceiling of a tenant for expensive routes', () => {
  it('admits the same number of calls however many keys the tenant has', async () => {
    const counts = [];
    for (let key = 0; key < 6; key += 1) counts.push(await admitted(`key_${key}`, 6));

    expect(counts).toEqual([5, 5, 0, 0, 0, 0]);
  });

  it('takes no token from a principal whose tenant is over it', async () => {
    await admitted('key_1', 5);
    await admitted('key_2', 5);
    // One token of the shared bucket is refilled in 1 / (2 × 0.1) seconds, all ten in ten times that.
    expect(await charge('key_3')).toMatchObject({ outcome: 'refused', retryAfter: 5, state: { reset: 50 } });

    now += 50_000;

    expect(await admitted('key_3', 6)).toBe(5);
  });

  it('loses nothing to a principal that is over its own limit', async () => {
    await admitted('key_1', 100);

    expect(await admitted('key_2', 5)).toBe(5);
  });

  it('is part of the remaining budget that the headers and the route report', async () => {
    await admitted('key_1', 5);
    expect(await peek('key_2')).toMatchObject({ limit: 5, remaining: 5 });

    await admitted('key_2', 3);

    expect(await peek('key_3')).toMatchObject({ limit: CEILING, remaining: 2 });
    expect((await charge('key_3')).state).toMatchObject({ limit: CEILING, remaining: 1 });
    expect(await peek('key_3')).toMatchObject({ remaining: 1 });
  });

  it('does not concern another tenant', async () => {
    await admitted('key_1', 5);
    await admitted('key_2', 5);

    const other = { ...tenant, tenant_id: 'globex' };

    expect(
      (await limits.charge({ tenant: other, principal: 'key_1', rateClass: 'bulk', cost: 1 })).outcome,
    ).toBe('admitted');
  });

  it('does not exist for the other classes', async () => {
    for (const rateClass of rateClasses.filter((name) => name !== 'bulk')) {
      for (let key = 0; key < 20; key += 1) {
        expect((await charge(`key_${key}`, rateClass)).outcome).toBe('admitted');
      }
    }
  });

  it('is at least the limit of one principal in every plan', () => {
    for (const plan of plans) {
      expect(tenantCeilings[plan].bulk).toBeGreaterThanOrEqual(1);
      expect(planLimits[plan].bulk.burst * (tenantCeilings[plan].bulk ?? 0)).toBeGreaterThan(1);
    }
  });

  it('admits at most burst + rate × time for all principals together', async () => {
    const steps = fc.array(fc.record({ pause: fc.nat({ max: 20_000 }), key: fc.nat({ max: 5 }) }), {
      maxLength: 100,
    });

    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        now = NOON;
        limits = limiter(inMemoryBucketStore().store, { clock: () => now });
        let total = 0;
        for (const { pause, key } of all) {
          now += pause;
          total += await admitted(`key_${key}`, 1);
        }
        expect(total).toBeLessThanOrEqual(CEILING + Math.ceil(((now - NOON) / 1_000) * 0.2));
      }),
    );
  });
});
