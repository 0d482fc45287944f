import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { savingDismissalsRead, savingDismissalsWrite } from '../../../functions/entries/stores/insight.ts';
import { type Environment, storesIn } from '../../../functions/entries/stores/provider.ts';
import { dismissalStore } from '../../../functions/insight/savings/dismissals/dismissal.store.ts';
import { hasGrown, suggestionUlid } from '../../../functions/insight/savings/dismissals/dismissals.ts';
import dismissSaving from '../../../functions/insight/savings/dismissals/dismissSaving.ts';
import listSavingDismissals from '../../../functions/insight/savings/dismissals/listSavingDismissals.ts';
import restoreSaving from '../../../functions/insight/savings/dismissals/restoreSaving.ts';
import getSavingsReport from '../../../functions/insight/savings/getSavingsReport.ts';
import { noContent } from '../../../functions/ledger/records/content.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { roles } from '../../../schemas/identity/roles.ts';
import { SAVING_DISMISSALS_MAXIMUM } from '../../../schemas/insight/savingDismissals.ts';
import type { ReportedSaving } from '../../../schemas/insight/savings.ts';
import { getSavingsReport as reportRoute } from '../../../schemas/routes/insight/savings.ts';
import type { TenantRequest } from '../../platform/http/callAsTenant.ts';
import { startOperations } from '../../platform/http/startOperations.ts';
import { type Call, rollupReaderOf } from '../reports/calls.ts';
import { publishedPrices } from '../reports/prices.ts';

const NOW = Date.parse('2026-05-20T12:00:00Z');
const PERIOD = { from: '2026-04-20', to: '2026-05-20' };

/** 600 calls of a service that nobody seems to wait for, at the list price. */
const callsOf = (owner: string | null, service: string, cost: string, lane: string | null = null): Call[] => [
  {
    at: Date.parse('2026-05-10T09:00:00Z'),
    owner,
    service,
    provider: 'openai',
    model: 'gpt-4.1',
    cost,
    lane,
    invocations: 600,
    tokens: { input_tokens: 500_000, output_tokens: 125_000 },
  },
];
let calls: readonly Call[];
let tenant: Tenant;

const world = await startOperations(
  {
    dismiss: dismissSaving,
    list: listSavingDismissals,
    restore: restoreSaving,
    report: getSavingsReport,
  },
  (environment: Environment) => ({
    ...storesIn(environment, { savingDismissalsRead, savingDismissalsWrite }),
    rollups: {
      read: async (...query: Parameters<ReturnType<typeof rollupReaderOf>['read']>) =>
        (await rollupReaderOf(calls).read(...query)).map((rollup) => ({ ...rollup, content: noContent })),
    },
    ...publishedPrices,
    nodeHourLines: { list: async () => [] },
    indexLag: {
      totalsLag: async () => ({ isStale: false, incompleteSince: null }),
      areRecordsStale: async () => false,
    },
  }),
  { now: NOW, allScopes: roles.finops },
);
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant({ residency: ['eu', 'us'] });
  calls = [...callsOf('ads', 'nightly', '2'), ...callsOf('search', 'index', '2')];
});

const send = (
  name: Parameters<typeof world.call>[0],
  sent: Omit<TenantRequest, 'tenant'> = {},
  role: keyof typeof roles = 'finops',
) => world.call(name, { tenant, ...sent }, roles[role]);
const report = async (query: Record<string, string> = {}, residency: string | null = null) => {
  const { body } = await send('report', { query: { ...PERIOD, ...query }, residency });
  return reportRoute.replies[200].body.parse(body);
};
const batches = async (...asked: Parameters<typeof report>): Promise<ReportedSaving[]> =>
  (await report(...asked)).data.filter(({ saving }) => saving === 'batch');
const servicesOf = (rows: readonly ReportedSaving[]) => rows.map(({ service }) => service).toSorted();

/** The members of a dismissal, as a client copies them from a suggestion. */
const bodyOf = ({ saving, kind, owner, service, provider, served_model, high_usd }: ReportedSaving) => ({
  saving,
  kind,
  owner,
  service,
  provider,
  served_model,
  high_usd,
  reason: 'Somebody waits for them',
});
const dismissNightly = async (members: object = {}) => {
  const nightly = (await batches({ dismissed: 'include' })).find(({ service }) => service === 'nightly');
  if (nightly === undefined) throw new Error('not suggested');
  return send('dismiss', { body: { ...bodyOf(nightly), ...members } });
};

describe('a dismissed suggestion', () => {
  it('is left out of the report and counted, and listed with the filter, its reason and who dismissed it', async () => {
    const { status, body } = await dismissNightly();

    expect(status).toBe(200);
    expect(servicesOf(await batches())).toEqual(['index']);
    expect(await report()).toMatchObject({ dismissed_suggestions: 1 });
    expect(servicesOf(await batches({ dismissed: 'include' }))).toEqual(['index', 'nightly']);
    const [only] = (await report({ dismissed: 'only' })).data;
    expect(only).toMatchObject({
      service: 'nightly',
      dismissal: {
        id: body['id'],
        reason: 'Somebody waits for them',
        dismissed_by: body['dismissed_by'],
        dismissed_at: new Date(NOW).toISOString(),
        has_grown: false,
      },
    });
  });

  it('is counted among those that match the filters of the report', async () => {
    await dismissNightly();

    expect(await report({ owner: 'search' })).toMatchObject({ dismissed_suggestions: 0 });
    expect(await report({ owner: 'ads' })).toMatchObject({ dismissed_suggestions: 1 });
  });

  it('is suggested again when it is restored, once', async () => {
    const { body } = await dismissNightly();
    const id = String(body['id']);

    expect((await send('restore', { id })).status).toBe(204);
    expect(servicesOf(await batches())).toEqual(['index', 'nightly']);
    expect((await world.auditOf(tenant)).map(({ action }) => action).toSorted()).toEqual([
      'saving.dismiss',
      'saving.restore',
    ]);
    expect((await send('restore', { id })).body['error_code']).toBe('NOT_FOUND');
  });

  it('has one dismissal, the last one, however often it is dismissed', async () => {
    const first = await dismissNightly();
    const second = await dismissNightly({ reason: 'The owner refused' });

    expect(second.body['id']).toBe(first.body['id']);
    expect((await send('list')).body).toMatchObject({
      data: [{ id: first.body['id'], reason: 'The owner refused' }],
    });
  });

  it('comes back with its dismissal when it has grown well beyond what it was, in any period', async () => {
    await dismissNightly();
    calls = callsOf('ads', 'nightly', '2.2');
    expect(servicesOf(await batches())).toEqual([]);

    calls = callsOf('ads', 'nightly', '8');
    expect(await batches()).toMatchObject([
      { service: 'nightly', dismissal: { reason: 'Somebody waits for them', has_grown: true } },
    ]);
    expect(await report()).toMatchObject({ dismissed_suggestions: 0 });
    expect(servicesOf(await batches({ dismissed: 'only' }))).toEqual([]);
  });

  it('of a group without a known owner is not that of a group whose owner is hidden', async () => {
    calls = callsOf(null, 'nightly', '2');
    expect((await dismissNightly({ owner: undefined })).status).toBe(200);
    expect(servicesOf(await batches())).toEqual(['nightly']);

    await dismissNightly();
    expect(servicesOf(await batches())).toEqual([]);
  });

  it('is that of the lane of the credential', async () => {
    calls = callsOf('ads', 'nightly', '2', 'eu');
    const created = await send('dismiss', {
      residency: 'eu',
      body: { ...bodyOf((await batches({}, 'eu'))[0] ?? expect.fail()) },
    });
    const id = String(created.body['id']);

    expect(servicesOf(await batches({}, 'eu'))).toEqual([]);
    // Of all lanes, it is a suggestion about other calls.
    expect(servicesOf(await batches())).toEqual(['nightly']);
    expect((await send('list', { residency: 'us' })).body['data']).toEqual([]);
    expect((await send('list')).body['data']).toHaveLength(1);
    expect((await send('restore', { residency: 'us', id })).body['error_code']).toBe('RESIDENCY_BLOCKED');
    expect((await send('restore', { id })).status).toBe(204);
  });
});

describe('the dismissal of a suggestion', () => {
  it('needs the right to configure, which a viewer and an engineer lack', async () => {
    const body = bodyOf((await batches())[0] ?? expect.fail());

    for (const role of ['viewer', 'engineer'] as const) {
      expect((await send('dismiss', { body }, role)).body['error_code']).toBe('INSUFFICIENT_SCOPE');
    }
    expect((await send('list', {}, 'viewer')).status).toBe(200);
  });

  it.each([
    ['idle nodes without a pool', { saving: 'idle_nodes' }],
    ['a pool without idle nodes', { pool: 'gpus' }],
    ['a batch without a model', { served_model: undefined }],
    ['a batch with a replacement', { replacement_model: 'gpt-5' }],
    ['no reason', { reason: '' }],
  ])('is refused for %s', async (_, members) => {
    expect((await dismissNightly(members)).body['error_code']).toBe('VALIDATION_FAILED');
  });

  it('shows idle nodes to those who read records only', async () => {
    const idle = { saving: 'idle_nodes', pool: 'gpus', high_usd: '9', reason: 'A reserve for peaks' };
    await send('dismiss', { body: idle });

    expect((await send('list')).body['data']).toMatchObject([{ pool: 'gpus' }]);
    expect((await send('list', {}, 'viewer')).body['data']).toEqual([]);
  });

  it('is refused for one suggestion more than a tenant can dismiss, but not for one that is dismissed already', async () => {
    const dismiss = (pool: string) =>
      send('dismiss', { body: { saving: 'idle_nodes', pool, high_usd: '1', reason: 'A reserve' } });
    const { body } = await dismiss('one');
    const store = dismissalStore('anomalies');
    const { current, head, expectedRevisions } = await store.find(tenant.tenant_id, String(body['id']));
    const full = { head: { count: SAVING_DISMISSALS_MAXIMUM - 1 }, current: null, expectedRevisions };
    expect([current?.pool, head.count]).toEqual(['one', 1]);
    await commit([...store.change(tenant.tenant_id, full, current, { claim: 'filled', attempt: 1 })]);

    expect((await dismiss('two')).body['error_code']).toBe('VALIDATION_FAILED');
    expect((await dismiss('one')).status).toBe(200);
  });

  it('is listed on one page only', async () => {
    for (const pool of ['one', 'two', 'three'])
      await send('dismiss', { body: { saving: 'idle_nodes', pool, high_usd: '1', reason: 'A reserve' } });
    const first = await send('list', { query: { limit: '2' } });
    const { next_cursor: cursor } = z.object({ next_cursor: z.string() }).parse(first.body['page']);
    const second = await send('list', { query: { limit: '2', cursor } });

    const pages = [first, second].map(({ body }) =>
      z.array(z.object({ pool: z.string() })).parse(body['data']),
    );
    expect(
      pages
        .flat()
        .map(({ pool }) => pool)
        .toSorted(),
    ).toEqual(['one', 'three', 'two']);
  });
});

describe('rules of dismissals', () => {
  const name = fc.option(fc.constantFrom('a', 'b', 'null', ''), { nil: undefined });
  const suggestion = fc.record({
    saving: fc.constantFrom('batch' as const, 'idle_nodes' as const),
    kind: fc.constantFrom('group' as const, 'folded' as const),
    owner: fc.option(name, { nil: null }),
    service: fc.option(name, { nil: null }),
    provider: name,
    served_model: name,
    replacement_model: name,
    pool: name,
  });

  it('give two suggestions one id only if they agree in all names and in the lane', () => {
    const lane = fc.constantFrom(null, 'eu');
    fc.assert(
      fc.property(suggestion, suggestion, lane, lane, (one, other, ownLane, otherLane) => {
        const isOne = suggestionUlid(one, ownLane) === suggestionUlid(other, otherLane);
        const textOf = (of: typeof one, at: string | null) =>
          JSON.stringify([at, Object.entries(of).toSorted()], (_, value) =>
            value === undefined ? 'absent' : value === null ? 'nobody' : value,
          );
        // A name is never one of these two words here.
        expect(isOne).toBe(textOf(one, ownLane) === textOf(other, otherLane));
      }),
    );
  });

  it('let a suggestion come back from an amount on, and for no cents', () => {
    const cents = fc.bigInt({ min: 0n, max: 10n ** 9n });
    const usd = (amount: bigint): string => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
    fc.assert(
      fc.property(cents, cents, (dismissed, now) => {
        const expected = 2n * now >= 3n * dismissed && now >= dismissed + 100n;
        expect(hasGrown(usd(dismissed), usd(now))).toBe(expected);
      }),
    );
  });
});
