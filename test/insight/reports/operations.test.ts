import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { UNKNOWN } from '../../../functions/ledger/freshness/totalsLag.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { pageOf } from '../../../schemas/page.ts';
import { getAdoptionReport, getUsageReport } from '../../../schemas/routes/insight/reports.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { newTenant } from '../../support/tenants.ts';
import { type Call, team } from './calls.ts';
import { ask, busy, NOW, TODAY, tenantWith, useReports, whileLagging, writeCalls } from './reportsHarness.ts';

useReports();

/** Days of which the day rollups are enough. */
const WHOLE_DAYS = {
  from: new Date(TODAY - 2 * LENGTH.day).toISOString(),
  to: new Date(TODAY + LENGTH.day).toISOString(),
};
const Rows = pageOf(z.unknown(), 'Rows');

describe('GET /v1/reports/usage', () => {
  it('returns the last thirty days and today, in the documented schema', async () => {
    const { status, body } = await ask('usage', await tenantWith(busy));

    expect(status).toBe(200);
    expect(getUsageReport.replies[200].body.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      data: [{ kind: 'group', invocations: 54, cost_usd: '54' }],
      totals: { invocations: 54 },
      period: { from: '2026-04-14T00:00:00.000Z', to: '2026-05-14T11:00:00.000Z', exact: true },
      as_of: new Date(TODAY + 10 * LENGTH.hour).toISOString(),
    });
  });

  it.each([true, false])('says whether calls of the tenant are missing: %s', async (stale) => {
    const { body } = await whileLagging({ isStale: stale, incompleteSince: null }, async () =>
      ask('usage', await tenantWith(busy)),
    );

    expect(body).toMatchObject({ stale, as_of: expect.any(String) });
  });

  it('is as old as the oldest change of the ledger that it lacks', async () => {
    const { body } = await whileLagging(
      { isStale: true, incompleteSince: TODAY + 8 * LENGTH.hour },
      async () => ask('usage', await tenantWith(busy)),
    );

    expect(body).toMatchObject({ stale: true, as_of: new Date(TODAY + 8 * LENGTH.hour).toISOString() });
  });

  it('does not claim to be complete when nothing is known about pending changes', async () => {
    const { body } = await whileLagging({ isStale: true, incompleteSince: UNKNOWN }, async () =>
      ask('usage', await tenantWith(busy)),
    );

    expect(body).toMatchObject({ stale: true, as_of: '2026-04-14T00:00:00.000Z' });
  });

  it('returns empty data for a tenant without calls', async () => {
    const { status, body } = await ask('usage', await tenantWith([]), { group_by: 'owner', interval: 'day' });

    expect([status, body['data']]).toEqual([200, []]);
    expect(body).toMatchObject({
      totals: { invocations: 0, cost_usd: '0' },
      as_of: new Date(NOW).toISOString(),
    });
  });

  it('compares with the period before, in the documented schema', async () => {
    const query = {
      from: new Date(TODAY).toISOString(),
      to: new Date(TODAY + LENGTH.day).toISOString(),
      group_by: 'owner',
      compare: 'previous_period',
    };
    const { status, body } = await ask('usage', await tenantWith(busy), query);

    expect(status).toBe(200);
    expect(getUsageReport.replies[200].body.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      data: [{ previous: { invocations: 6 } }, {}, {}],
      previous: { totals: { invocations: 18 }, days_with_calls: 1 },
    });
  });

  it('compares with any period that is named, as the report of changes does', async () => {
    const tenant = await tenantWith(busy);
    const query = {
      from: new Date(TODAY).toISOString(),
      to: new Date(TODAY + LENGTH.day).toISOString(),
      previous_from: new Date(TODAY - 2 * LENGTH.day).toISOString(),
      previous_to: new Date(TODAY).toISOString(),
      group_by: 'owner',
    };
    const [usage, changes] = await Promise.all([ask('usage', tenant, query), ask('changes', tenant, query)]);

    expect(getUsageReport.replies[200].body.parse(usage.body)).toEqual(usage.body);
    expect(usage.body).toMatchObject({
      data: [{ previous: { invocations: 12 } }, {}, {}],
      previous: { period: { from: query.previous_from, to: query.previous_to }, totals: { invocations: 36 } },
    });
    expect(changes.body).toMatchObject({
      previous: { period: { from: query.previous_from, to: query.previous_to } },
      totals: { previous: { invocations: 36 } },
    });
  });

  it.each([
    [{ previous_from: '2026-05-01' }, 'INVALID_FILTER'],
    [{ previous_to: '2026-05-01' }, 'INVALID_FILTER'],
    [{ previous_from: '2026-05-02', previous_to: '2026-05-01' }, 'INVALID_REQUEST'],
    [{ previous_from: '2026-05-01', previous_to: '2026-05-02', interval: 'hour' }, 'INVALID_FILTER'],
  ])('rejects a period to compare with that is none: %o', async (members, code) => {
    const { status, body } = await ask('usage', await tenantWith(busy), members);

    expect([status, body['error_code']]).toEqual([400, code]);
  });

  it.each([{ interval: 'hour' }, { group_by: 'day' }, { group_by: 'owner,hour' }])(
    'rejects a comparison by hours or days: %o',
    async (members) => {
      const { status, body } = await ask('usage', await tenantWith(busy), {
        compare: 'previous_period',
        ...members,
      });

      expect([status, body['error_code']]).toEqual([400, 'INVALID_FILTER']);
    },
  );
});

describe('the pages of GET /v1/reports/usage', () => {
  it('returns each row once over all pages, with the same totals on each page', async () => {
    const tenant = await tenantWith(busy);
    const query = { group_by: 'service,owner', interval: 'day' };
    const whole = getUsageReport.replies[200].body.parse((await ask('usage', tenant, query)).body);

    const collected: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: Record<string, string> = cursor === null ? { limit: '2' } : { limit: '2', cursor };
      const answer = await ask('usage', tenant, { ...query, ...page });
      const { data, page: place, totals } = getUsageReport.replies[200].body.parse(answer.body);
      expect(totals).toEqual(whole.totals);
      collected.push(...data);
      cursor = place.next_cursor;
    } while (cursor !== null);

    expect(collected).toEqual(whole.data);
    expect(collected).toHaveLength(9);
  });

  // About three seconds.
  it('shows one state on all its pages, whatever is written between them', async () => {
    const someCalls = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 47 }).map((hour) => TODAY - hour * LENGTH.hour),
        person: fc.constantFrom(...team('person', 9)),
        owner: fc.constantFrom('alpha', 'beta', 'mid', 'zeta'),
        cost: fc.constantFrom('1', '0.000000000003', null),
      }),
      { minLength: 8, maxLength: 40, size: 'max' },
    );
    const name = fc.constantFrom('usage' as const, 'adoption' as const);
    await fc.assert(
      fc.asyncProperty(
        name,
        someCalls,
        someCalls,
        fc.integer({ min: 1, max: 3 }),
        async (asked, before, after, size) => {
          const tenant = newTenant();
          await writeCalls(tenant, before, ['day']);
          const query = { ...WHOLE_DAYS, group_by: 'owner', interval: 'day' };
          const whole = (await ask(asked, tenant, query)).body;
          const collected: unknown[] = [];
          let page: Record<string, string> = { limit: String(size) };
          for (let written = 0; ; written += 1) {
            const { body } = await ask(asked, tenant, { ...query, ...page });
            expect(body['totals']).toEqual(whole['totals']);
            const { data, page: place } = Rows.parse(body);
            collected.push(...data);
            if (place.next_cursor === null) break;
            page = { limit: String(size), cursor: place.next_cursor };
            // Calls come and go.
            await writeCalls(tenant, written % 2 === 0 ? [...before, ...after] : after, ['day']);
          }

          expect(collected).toEqual(whole['data']);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('rejects a cursor with a different query', async () => {
    const tenant = await tenantWith(busy);
    const first = await ask('usage', tenant, { group_by: 'owner', limit: '1' });
    const { next_cursor: cursor } = getUsageReport.replies[200].body.parse(first.body).page;

    const { body } = await ask('usage', tenant, { group_by: 'service', limit: '1', cursor: cursor ?? '' });

    expect(body['error_code']).toBe('INVALID_CURSOR');
  });

  it('rejects a cursor of another tenant and a cursor with a changed character', async () => {
    const [tenant, other] = [await tenantWith(busy), await tenantWith(busy)];
    const query = { group_by: 'owner', limit: '1' };
    const first = await ask('usage', tenant, query);
    const cursor = getUsageReport.replies[200].body.parse(first.body).page.next_cursor ?? '';

    const elsewhere = await ask('usage', other, { ...query, cursor });
    const codes = new Set<unknown>();
    for (let index = 0; index < cursor.length; index += 11) {
      const changed = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
      codes.add((await ask('usage', tenant, { ...query, cursor: changed })).body['error_code']);
    }

    expect([elsewhere.status, elsewhere.body['error_code']]).toEqual([403, 'TENANT_MISMATCH']);
    expect([...codes]).toEqual(['INVALID_CURSOR']);
  });

  it('returns short cursors for long group names', async () => {
    const long = busy.map((call): Call => ({ ...call, owner: `${call.owner}-${'長'.repeat(250)}` }));
    const tenant = await tenantWith(long);

    const first = await ask('usage', tenant, { group_by: 'owner', limit: '1' });
    const cursor = getUsageReport.replies[200].body.parse(first.body).page.next_cursor ?? '';
    const second = await ask('usage', tenant, { group_by: 'owner', limit: '2', cursor });

    expect(second.body['data']).toHaveLength(2);
  });

  it('returns only calls of the lane of the caller', async () => {
    const lanes: Call[] = busy.map((call) => ({ ...call, lane: call.owner === 'legal' ? 'us' : 'eu' }));
    const tenant = await tenantWith(lanes);

    const { body } = await ask('usage', tenant, { group_by: 'owner' }, 'us');

    expect(body).toMatchObject({
      data: [{ owner: 'legal' }],
      totals: { invocations: 18 },
      period: { exact: true },
    });
  });

  it.each<[string, Record<string, string>]>([
    ['INVALID_REQUEST', { from: '2026-05-01T00:00:30Z' }],
    ['INVALID_REQUEST', { from: '2020-01-01' }],
    ['INVALID_REQUEST', { limit: '0' }],
    ['INVALID_FILTER', { person: 'ada' }],
    ['INVALID_FILTER', { 'owner[contains]': 'ads' }],
    ['INVALID_FILTER', { pathway_category: 'elsewhere' }],
    ['INVALID_FILTER', { top_by: 'energy_wh' }],
    ['INVALID_FILTER', { top: '3', top_by: 'output_tokens' }],
    ['INVALID_FILTER', { group_by: 'person' }],
    ['INVALID_FILTER', { group_by: '' }],
    ['INVALID_FILTER', { group_by: 'owner,owner' }],
    ['INVALID_FILTER', { group_by: 'owner,service,provider,served_model,day' }],
    ['INVALID_FILTER', { interval: 'week' }],
    ['INVALID_FILTER', { top: '0' }],
    ['INVALID_FILTER', { top: '101' }],
  ])('refuses with %s: %o', async (code, query) => {
    const { status, body } = await ask('usage', aTenant(), query);

    expect([status, body['error_code']]).toEqual([400, code]);
  });
});

describe('GET /v1/reports/adoption', () => {
  it('returns persons by cohort and day, in the documented schema', async () => {
    const { status, body } = await ask('adoption', await tenantWith(busy), {
      group_by: 'owner',
      interval: 'day',
    });

    expect(status).toBe(200);
    expect(getAdoptionReport.replies[200].body.parse(body)).toEqual(body);
    expect(body['data']).toHaveLength(9);
    expect(body).toMatchObject({ totals: { persons: 15, persons_estimated: false, invocations: 54 } });
  });

  it('rejects hourly grouping and top', async () => {
    for (const query of [{ group_by: 'hour' }, { top: '3' }]) {
      const { body } = await ask('adoption', aTenant(), query);

      expect(body['error_code']).toBe('INVALID_FILTER');
    }
  });
});
