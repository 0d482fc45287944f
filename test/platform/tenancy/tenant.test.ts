import { describe, expect, it } from 'vitest';
import { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { aTenant } from '../../attribution/engine/events.ts';

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
    { limits: { everything: { rate: 1, burst: 1 } } },
    { limits: { read: { rate: 0, burst: 1 } } },
    { limits: { read: { rate: 1, burst: 0 } } },
  ])('rejects %o', (wrong) => {
    expect(Tenant.safeParse({ ...aTenant(), ...wrong }).success).toBe(false);
  });
});
