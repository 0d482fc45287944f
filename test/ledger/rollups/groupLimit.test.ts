import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { groupDirectory } from '../../../functions/ledger/rollups/groupDirectory.store.ts';
import { groupLimiter, OTHER } from '../../../functions/ledger/rollups/groupLimit.ts';
import { sumGroups, totalOf } from '../../../functions/ledger/rollups/rollup.ts';
import type { RollupGroup } from '../../../schemas/ledger/rollup.ts';
import { aGroup } from '../../insight/budgets/rollupFixtures.ts';
import { startTables } from '../../support/tables.ts';

const MONTH = '2026-05';
const LIMIT = 4;

const live = await startTables();
afterAll(() => live.stop());

const directory = groupDirectory('rollups');
/** Each call is a process of its own, so nothing is cached. */
const limit = (tenantId: string, groups: readonly RollupGroup[]) =>
  groupLimiter(directory, LIMIT)(tenantId, MONTH, groups);

const group = fc
  .record({ owner: fc.nat(3), service: fc.nat(3), usd: fc.nat(99) })
  .map(({ owner, service, usd }) =>
    aGroup(String(usd), { owner: `owner-${owner}`, service: `service-${service}` }),
  );
const batches = fc.array(fc.array(group, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });

const namesOf = (groups: readonly RollupGroup[]) =>
  groups.map(({ dimensions: { owner, service } }) => `${owner} ${service}`).sort();

describe('groups beyond the limit', () => {
  it('keep the exact sum, and no group is counted in two places in the same month', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.boolean(), async (all, together) => {
        const tenantId = randomUUID();
        const sums = all.map((groups) => sumGroups(groups));
        const limited: RollupGroup[][] = [];
        if (together) limited.push(...(await Promise.all(sums.map((groups) => limit(tenantId, groups)))));
        else for (const groups of sums) limited.push(await limit(tenantId, groups));

        for (const [index, groups] of sums.entries()) {
          expect(totalOf(limited[index] ?? [])).toEqual(totalOf(groups));
          // Summed again later, a minute has the same groups.
          expect(await limit(tenantId, groups)).toEqual(limited[index]);
        }
        const named = new Set(limited.flat().map(({ dimensions }) => JSON.stringify(dimensions)));
        const own = [...named].filter((name) => !name.includes(OTHER));
        expect(own.length).toBeLessThanOrEqual(LIMIT);
      }),
      { numRuns: 25 },
    );
  });

  it('count under the service "(other)" of their owner', async () => {
    const tenantId = randomUUID();
    const services = (count: number) =>
      sumGroups(
        Array.from({ length: count }, (_, index) => aGroup('1', { owner: 'ads', service: `s${index}` })),
      );
    await limit(tenantId, services(4));

    const later = await limit(tenantId, services(6));

    expect(namesOf(later)).toEqual(['ads (other)', 'ads s0', 'ads s1', 'ads s2', 'ads s3']);
    expect(later.find(({ dimensions }) => dimensions.service === OTHER)?.figures.cost_usd.central).toBe('2');
  });

  it('lose the values of their tags before their service', async () => {
    const tenantId = randomUUID();
    const tagged = (count: number) =>
      sumGroups(
        Array.from({ length: count }, (_, index) =>
          aGroup('1', { owner: 'ads', service: 'chat', cost_allocation_tags: { run: `run-${index}` } }),
        ),
      );

    const limited = await limit(tenantId, tagged(9));
    const other = await limit(tenantId, [aGroup('1', { owner: 'search', service: 'ranking' })]);

    expect(
      limited.map(({ dimensions: { service, cost_allocation_tags: tags }, figures }) => [
        service,
        tags['run'],
        figures.invocations,
      ]),
    ).toEqual([
      ['chat', OTHER, 7],
      ['chat', 'run-0', 1],
      ['chat', 'run-1', 1],
    ]);
    expect(namesOf(other)).toEqual(['search ranking']);
  });

  it('share one list of a month over its items', async () => {
    const tenantId = randomUUID();
    const hashes = Array.from({ length: 2_500 }, (_, index) => String(index).padStart(16, '0'));
    await directory.append(tenantId, MONTH, new Set(), hashes.slice(0, 1_200));
    const known = await directory.read(tenantId, MONTH);

    expect(await directory.append(tenantId, MONTH, known, hashes.slice(1_200))).toBe(true);
    expect(await directory.append(tenantId, MONTH, known, ['x'.repeat(16)])).toBe(false);

    expect([...(await directory.read(tenantId, MONTH))]).toEqual(hashes);
  });
});
