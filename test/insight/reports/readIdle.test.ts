import { describe, expect, it } from 'vitest';
import { readIdle } from '../../../functions/insight/reports/readIdle.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import type { NodeHourLine } from '../../../schemas/attribution/nodeHours.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { caller } from '../../platform/http/harness.ts';
import { newTenant } from '../../support/tenants.ts';

const HOUR = '2026-05-14T10:00:00Z';
const DAY = { from: Date.parse(HOUR), to: Date.parse(HOUR) + LENGTH.day };

const line = (pool: string, idle_usd: string, energy: Partial<NodeHourLine> = {}): NodeHourLine => ({
  pool,
  hour: HOUR,
  cost_usd: '4',
  charged_usd: '1',
  idle_usd,
  busy: 'busy_time',
  measure: 'tokens',
  calls: 3,
  unmeasured_calls: 0,
  as_of: HOUR,
  ...energy,
});
const LINES = [
  line('a', '2.000000000001', { energy_wh: '700', idle_wh: '300.5' }),
  line('b', '0.999999999999', { energy_wh: '700', idle_wh: '0' }),
];

interface Asked {
  readonly scopes?: readonly Scope[];
  readonly residency?: string | null;
  readonly query?: { readonly tags?: readonly string[]; readonly [filter: string]: unknown };
  readonly days?: number;
}
const BOTH: readonly Scope[] = ['read:reporting', 'read:attribution'];

const idleFor = ({ scopes = BOTH, residency = null, query = {}, days = 1 }: Asked, lines = LINES) =>
  readIdle(
    {
      caller: { ...caller, tenant: newTenant(), scopes: new Set(scopes), residency },
      query,
      stores: { nodeHourLines: { list: async () => lines } },
    },
    { from: DAY.from, to: DAY.from + days * LENGTH.day },
  );

describe('the idle time beside a usage report', () => {
  it('is the sum of all pools, to the last digit', async () => {
    expect(await idleFor({})).toEqual({ idle_nodes: { cost_usd: '3', energy_wh: '300.5' } });
  });

  it('has no energy if the power of one pool is unknown', async () => {
    const idle = await idleFor({}, [...LINES, line('c', '1')]);

    expect(idle).toEqual({ idle_nodes: { cost_usd: '4', energy_wh: null } });
  });

  it.each<[string, Asked]>([
    ['a caller without read:attribution', { scopes: ['read:reporting'] }],
    ['a credential of one lane', { residency: 'eu' }],
    ['a filtered report', { query: { 'owner[ne]': 'ads' } }],
    ['a report of a tag', { query: { tags: ['env:prod'] } }],
    ['a longer range than node hours are listed for', { days: 32 }],
  ])('is absent for %s', async (_, call) => {
    expect(await idleFor(call)).toEqual({});
  });

  it('is absent, not zero, without own nodes', async () => {
    expect(await idleFor({}, [])).toEqual({});
  });
});
