import { describe, expect, it } from 'vitest';
import { shardCountAt, Tenant } from '../../functions/tenancy/tenant.ts';
import { aTenant } from '../attribution/events.ts';

describe('shardCountAt', () => {
  const tenant = {
    shards: [
      { from: 0, count: 1 },
      { from: 1_000, count: 5 },
      { from: 2_000, count: 2 },
    ],
  };

  it.each([
    [0, 1],
    [999, 1],
    [1_000, 5],
    [1_999, 5],
    [2_000, 2],
    [9_999_999, 2],
  ])('at %d returns %d', (at, count) => {
    expect(shardCountAt(tenant, at)).toBe(count);
  });

  it('returns 1 before the first entry', () => {
    expect(shardCountAt({ shards: [{ from: 1_000, count: 5 }] }, 999)).toBe(1);
  });
});

describe('the Tenant schema', () => {
  it('round-trips through JSON', () => {
    const tenant = aTenant({ limits: { ingest: { rate: 7.5, burst: 30 } }, residency: ['eu', 'us'] });

    expect(Tenant.parse(JSON.parse(JSON.stringify(tenant)))).toEqual(tenant);
  });

  it.each([
    { tag: 'ABCDEFGH' },
    { residency: 'eu' },
    { key_lifetime_days: 0 },
    { tag: 'abcdefg1' },
    { plan: 'gold' },
    { shards: [] },
    { shards: [{ from: 0, count: 0 }] },
    { shards: [{ from: 0, count: 65 }] },
    { limits: { everything: { rate: 1, burst: 1 } } },
    { limits: { read: { rate: 0, burst: 1 } } },
    { limits: { read: { rate: 1, burst: 0 } } },
  ])('rejects %o', (wrong) => {
    expect(Tenant.safeParse({ ...aTenant(), ...wrong }).success).toBe(false);
  });
});
