import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { unownedServices } from '../../../functions/insight/unowned/unownedServices.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import { selectVisible } from '../../../functions/ledger/cohorts/selectVisible.ts';
import { addDecimals } from '../../../functions/platform/shared/decimal.ts';
import { COHORT_MINIMUM } from '../../../schemas/insight/reports.ts';
import { type Call, rollupReaderOf, smallTenant, TENANT, team } from '../reports/calls.ts';

const MARCH = { from: Date.parse('2026-03-01'), to: Date.parse('2026-04-01') };
const BOTH = { from: MARCH.from, to: Date.parse('2026-05-01') };
const at = Date.parse('2026-03-02T09:00:00Z');

const cohortsIn = async (calls: readonly Call[], period: typeof MARCH) => {
  const { cohorts } = await readCohorts(rollupReaderOf(calls), TENANT, period);
  return selectVisible(cohorts, period, null).shown;
};
const reportOf = async (calls: readonly Call[], top = 20) =>
  unownedServices(await cohortsIn(calls, MARCH), top);
const nobody: Call = { at, owner: null, state: 'deterministically_resolved' };

it('lists services without a confirmed owner, the most expensive first, and calls without a service', async () => {
  const { rows, services, totals } = await reportOf([
    { ...nobody, service: 'cheap', cost: '1', invocations: 4 },
    { ...nobody, service: 'dear', cost: '5' },
    { ...nobody, service: null, cost: '2', state: 'unresolved' },
    { at, owner: 'notebooks', service: 'dear', cost: '1', band: 'provisional' },
    { at, owner: 'ads', service: 'owned', cost: '11' },
    { ...nobody, service: 'cheap', cost: null, invocations: 3 },
  ]);

  expect(rows).toMatchObject([
    { kind: 'group', service: 'dear', invocations: 2, cost_usd: '6', share: 0.3, provisional: '1' },
    { kind: 'group', service: null, invocations: 1, cost_usd: '2', share: 0.1, provisional: '0' },
    { kind: 'group', service: 'cheap', invocations: 7, cost_usd: '1', unpriced_invocations: 3 },
  ]);
  expect(services).toBe(2);
  expect(totals).toMatchObject({ invocations: 10, cost_usd: '9', cost_usd_maximum: '9', share: 0.45 });
});

it('gives a range, and names no service, where suppression hides who is called', async () => {
  const { rows, services, totals } = await reportOf([
    { ...nobody, person: 'ann', service: 'secret', cost: '3' },
    { at, person: 'bo', owner: 'ads', service: 'other', cost: '1' },
  ]);

  expect(services).toBe(0);
  expect(rows).toMatchObject([{ kind: 'folded', cost_usd: '0', cost_usd_maximum: '4', share_maximum: 1 }]);
  expect(totals).toMatchObject({ share: 0, share_maximum: 1, invocations: 0, invocations_maximum: 2 });
  expect(JSON.stringify(rows)).not.toContain('secret');
});

it('has no range for a large team, and none for calls without persons', async () => {
  const { totals } = await reportOf([
    ...team('ads', 2 * COHORT_MINIMUM).map((person): Call => ({ ...nobody, person, service: 'bot' })),
    { at, owner: 'ads', service: 'owned' },
  ]);

  expect(totals).toMatchObject({ cost_usd: '10', cost_usd_maximum: '10' });
});

it('has null shares without a known cost', async () => {
  const { totals } = await reportOf([{ ...nobody, service: 'bot', cost: null }]);

  expect(totals).toMatchObject({ share: null, share_maximum: null, unpriced_invocations: 1 });
});

it('sums its rows to its totals, whatever is hidden and wherever the list ends', () =>
  fc.assert(
    fc.asyncProperty(smallTenant(24), fc.integer({ min: 1, max: 3 }), async (calls, top) => {
      const { rows, totals } = unownedServices(await cohortsIn(calls, BOTH), top);

      for (const member of ['cost_usd', 'cost_usd_maximum'] as const)
        expect(rows.reduce((sum, row) => addDecimals(sum, row[member]), '0')).toBe(totals[member]);
      for (const member of ['invocations', 'invocations_maximum', 'unpriced_invocations'] as const)
        expect(rows.reduce((sum, row) => sum + row[member], 0)).toBe(totals[member]);
    }),
    { numRuns: 30 },
  ));
