import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sumDecimals } from '../../../functions/platform/shared/decimal.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { type Fault, injectFaults } from '../../identity/credentials/faultInjection.ts';
import { NOW, startCoverageHarness } from '../../insight/coverage/harness.ts';
import { runs } from '../../support/properties.ts';

let tenant: Tenant;

const world = await startCoverageHarness();
const faults = injectFaults();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant();
  world.time.now = NOW;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const DAY_MS = 86_400_000;
const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const aRow = (day: string, cost: string, members: Record<string, unknown> = {}) => ({
  BilledCost: cost,
  BillingCurrency: 'USD',
  ServiceProviderName: 'OpenAI',
  ChargePeriodStart: `${day}T00:00:00Z`,
  ChargePeriodEnd: `${dayAfter(day)}T00:00:00Z`,
  SkuId: 'gpt-4o',
  SkuMeter: 'Input Tokens',
  ...members,
});
const scope = (id: string, members: Record<string, unknown> = {}) => ({
  id,
  provider: 'OpenAI',
  from: '2026-04-01',
  to: '2026-05-01',
  ...members,
});
const post = async (body: object, key?: string) => {
  world.time.now += 1_000;
  return world.call('postBills', { tenant, body, ...(key !== undefined && { key }) });
};
const remove = (id: string) => world.call('deleteBill', { tenant, id });
const list = async () => Object((await world.call('listBills', { tenant })).body['data']);
const billed = async (query: Record<string, string> = {}) => {
  const { body } = await world.call('getReconciliation', {
    tenant,
    query: { from: '2026-04-01', to: '2026-05-01', ...query },
  });
  return Object(body['totals']).billed_usd;
};
const [DAY, NEXT] = ['2026-04-10', '2026-04-11'] as const;

describe('a delivery', () => {
  it('is counted from its end on, with all its requests, and replaces the one before', async () => {
    const first = { delivery: scope('first') };
    await post({ ...first, rows: [aRow(DAY, '1'), aRow(DAY, '3', { SkuMeter: 'Output Tokens' })] });
    const open = [await billed(), await list()];
    await post({ ...first, rows: [aRow(NEXT, '5')], complete: true });
    const complete = [await billed(), await list()];
    await post({ delivery: scope('second'), rows: [aRow(DAY, '3')], complete: true });

    expect(open).toMatchObject([
      null,
      [{ id: 'first', state: 'open', rows: 2, expires_at: expect.any(String) }],
    ]);
    expect(complete).toMatchObject(['9', [{ id: 'first', state: 'complete', rows: 3, billed_usd: '9' }]]);
    expect(await billed()).toBe('3');
  });

  it('without a row says that nothing was billed', async () => {
    await post({ rows: [aRow(DAY, '1'), aRow(DAY, '2', { BillingAccountId: 'org-1' })] });

    const { body, status } = await post({ delivery: scope('none'), rows: [], complete: true });

    expect([status, body['from'], body['to'], await billed()]).toEqual([
      200,
      '2026-04-01',
      '2026-05-01',
      null,
    ]);
  });

  it('adds equal rows, and counts a repeated request once, with or without its key', async () => {
    const page = { delivery: scope('twins'), rows: [aRow(DAY, '2'), aRow(DAY, '2')] };
    await post(page, 'key-1');
    await post(page, 'key-1');
    await post(page);
    await post({ ...page, complete: true });
    const again = await post({ ...page, complete: true });

    expect([again.status, await billed()]).toEqual([200, '4']);
  });

  it('counts two requests with equal rows if they have page numbers, and replaces a page', async () => {
    const page = (number: number, cost: string) => ({
      delivery: scope('numbered', { page: number }),
      rows: [aRow(DAY, cost)],
    });
    await post(page(1, '2'));
    await post(page(2, '2'));
    await post(page(3, '9'));
    await post(page(3, '1'));
    await post({ delivery: scope('numbered'), rows: [], complete: true });

    expect(await billed()).toBe('5');
  });

  it('replaces the bills of its own account, provider and days only', async () => {
    const account = (BillingAccountId: string) => ({ BillingAccountId });
    await post({
      rows: [
        aRow(DAY, '1', account('org-1')),
        aRow(DAY, '10', account('org-2')),
        aRow(DAY, '100', { ServiceProviderName: 'Anthropic' }),
        aRow('2026-03-31', '1000', account('org-1')),
      ],
    });

    await post({ delivery: scope('one'), rows: [aRow(NEXT, '2', account('org-1'))], complete: true });

    expect(await billed({ from: '2026-03-01' })).toBe('1112');
    await post({ delivery: scope('two', { account: 'org-2' }), rows: [], complete: true });
    expect(await billed({ from: '2026-03-01' })).toBe('1102');
  });

  it('refuses other rows once it is complete, and another scope', async () => {
    const rows = [aRow(DAY, '1')];
    await post({ delivery: scope('done'), rows, complete: true });

    const answers = [
      await post({ delivery: scope('done'), rows: [aRow(DAY, '2')] }),
      await post({ delivery: scope('done', { to: '2026-05-02' }), rows }),
      await post({ delivery: scope('done', { provider: 'Anthropic' }), rows: [], complete: true }),
      await post({ rows, complete: true }),
      await post({ delivery: scope('empty'), rows: [] }),
      await post({ delivery: scope('long', { to: '2028-01-01' }), rows }),
      await post({ delivery: scope('a/b'), rows }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 422, 422, 422, 422]);
    expect(await billed()).toBe('1');
  });

  const stops = [0, 1, 2, 3, 4].flatMap((write) =>
    (['before', 'after'] as const).map((moment): Fault => ({ write, moment, kind: 'dies' })),
  );
  it.each(stops)('changes all its days at once when the process ends at %o', async (stop) => {
    const month = (cost: string) =>
      Array.from({ length: 30 }, (_, day) => aRow(dayAfter('2026-04-01', day), cost));
    await post({ delivery: scope('first'), rows: month('1'), complete: true });
    const body = { delivery: scope('second'), rows: month('2'), complete: true };

    void faults.arm(stop);
    await post(body, 'key').catch(() => undefined);
    faults.restart();
    const between = await billed();
    world.time.now += 60_000;
    await post(body, 'key');

    expect(['30', '60']).toContain(between);
    expect(await billed()).toBe('60');
  });

  it('expires a week after its last request, and its id is free again', async () => {
    await post({ delivery: scope('slow'), rows: [aRow(DAY, '1')] });
    world.time.now += 7 * DAY_MS;

    expect(await list()).toMatchObject([{ state: 'expired' }]);
    await post({ delivery: scope('slow'), rows: [aRow(DAY, '2')], complete: true });
    expect(await billed()).toBe('2');
  });
});

describe('the deletion of a delivery', () => {
  it('lets the one before count again, is audited, and frees its id', async () => {
    await post({ delivery: scope('first'), rows: [aRow(DAY, '1')], complete: true });
    await post({ delivery: scope('wrong', { to: '2026-04-20' }), rows: [aRow(DAY, '70')], complete: true });

    const answers = [await remove('wrong'), await remove('wrong'), await remove('unknown')];

    expect(answers.map(({ status }) => status)).toEqual([204, 404, 404]);
    expect([await billed(), (await list()).length]).toEqual(['1', 1]);
    const audited = (await world.auditOf(tenant)).map(({ action, outcome, resource }) => [
      action,
      outcome,
      resource,
    ]);
    expect(audited.toSorted()).toEqual([
      ['bills.delete', 'refused', null],
      ['bills.delete', 'refused', null],
      ['bills.delete', 'succeeded', 'wrong'],
      ['bills.import', 'succeeded', 'first'],
      ['bills.import', 'succeeded', 'wrong'],
    ]);
    await post({ delivery: scope('wrong'), rows: [aRow(DAY, '7')], complete: true });
    expect(await billed()).toBe('7');
  });

  it('takes back rows that were sent without a delivery, and how far bills reach', async () => {
    const answer = await post({ rows: [aRow('2026-04-30', '1')] });
    await remove(Object(answer.body['delivery']).id);

    const { body } = await world.call('getReconciliation', { tenant });
    expect(Object(body['as_of'])).toMatchObject({ billed: null, billed_until: null });
    expect(body['stale']).toBe(true);
  });
});

describe('rows without a delivery', () => {
  it('count once in every version of a file, and a changed cost replaces', async () => {
    const files = [
      { ProviderName: 'openai', ServiceProviderName: '', SkuMeter: undefined },
      { InvoiceDetailId: 'INV-7', InvoiceId: 'INV', ChargeDescription: 'text' },
      { ServiceProviderName: ' OPENAI', Tags: { team: 'a' } },
    ];
    for (const change of files) await post({ rows: [aRow(DAY, '40', change), aRow(NEXT, '60', change)] });
    const same = await billed();
    await post({ rows: [aRow(DAY, '41')] });

    expect([same, await billed()]).toEqual(['100', '101']);
  });

  it('are corrected by rows that add to them, in whatever order they come', async () => {
    const correction = { ChargeClass: 'Correction', BillingPeriodStart: '2026-05-01T00:00:00Z' };
    await post({ rows: [aRow(DAY, '-1', correction)] });
    await post({ rows: [aRow(DAY, '5')] });
    await post({ rows: [aRow(DAY, '-1', correction), aRow(DAY, '-2', { ChargeCategory: 'Credit' })] });

    expect(await billed()).toBe('4');
  });
});

/** A step of the property, on some days of one provider. */
type Step =
  | {
      readonly kind: 'deliver';
      readonly id: string;
      readonly first: number;
      readonly length: number;
      readonly costs: readonly number[];
      readonly end: boolean;
    }
  | { readonly kind: 'merge'; readonly first: number; readonly costs: readonly number[] }
  | { readonly kind: 'delete'; readonly id: string };

const dayOf = (index: number): string => dayAfter('2026-04-01', index);
const costs = fc.array(fc.integer({ min: -9, max: 99 }), { maxLength: 3 });
const index = fc.nat(4);
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      first: index,
      length: fc.integer({ min: 1, max: 3 }),
      costs,
      end: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge' as const), first: index, costs }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), id: fc.constantFrom('a', 'b', 'c', 'd') }),
  },
);
const fault: fc.Arbitrary<Fault | null> = fc.option(
  fc.record({
    write: fc.nat(6),
    moment: fc.constantFrom('before' as const, 'after' as const),
    kind: fc.constantFrom('dies' as const, 'fails' as const, 'repeats' as const),
  }),
  { freq: 2 },
);

interface Known {
  readonly id: string;
  readonly first: number;
  readonly length: number;
  readonly pages: readonly (readonly number[])[];
  readonly complete: boolean;
}

/** What counts, by a map of days: the rows of the latest complete delivery, and merged rows on top. */
const modelled = () => {
  const open = new Map<string, Known>();
  const layers: ({ id: string } & (
    | { rows: Map<number, number[]> }
    | { merged: number; costs: readonly number[] }
  ))[] = [];
  return {
    open,
    layers,
    sums: (): string[] => {
      const days = new Map<number, { rows: number[]; merged: readonly number[] }>();
      for (const layer of layers) {
        if ('rows' in layer) for (const [day, rows] of layer.rows) days.set(day, { rows, merged: [] });
        else {
          const { rows = [] } = days.get(layer.merged) ?? {};
          days.set(layer.merged, { rows, merged: layer.costs });
        }
      }
      return Array.from({ length: 8 }, (_, day) => {
        const { rows = [], merged = [] } = days.get(day) ?? {};
        return sumDecimals([...rows, ...merged].map(String));
      });
    },
  };
};

it('gives the sums of a map of days after any deliveries, restatements, deletions, retries and crashes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(steps, fault), { minLength: 1, maxLength: 9 }), async (all) => {
      tenant = world.newTenant();
      const model = modelled();
      const untilDone = async (send: (key: string) => Promise<{ status: number }>, broken: Fault | null) => {
        const key = `step-${world.time.now}`;
        if (broken !== null) void faults.arm(broken);
        let answer = await send(key).catch(() => ({ status: 503 }));
        faults.restart();
        // A client that does not know what became of its request sends it again, in turn with its key and without.
        for (let attempt = 1; answer.status >= 500 && attempt < 4; attempt += 1) {
          world.time.now += 60_000;
          answer = await send(attempt === 1 ? key : `${key}-${attempt}`);
        }
        return answer.status;
      };
      for (const [step, broken] of all) {
        world.time.now += 1_000;
        if (step.kind === 'delete') {
          const status = await untilDone(
            (key) => world.call('deleteBill', { tenant, id: step.id, key }),
            broken,
          );
          const isKnown = model.open.delete(step.id) || model.layers.some(({ id }) => id === step.id);
          // A deletion whose answer was lost is not found again.
          expect(isKnown ? [204, 404] : [404]).toContain(status);
          const at = model.layers.findIndex(({ id }) => id === step.id);
          if (at >= 0) model.layers.splice(at, 1);
          continue;
        }
        if (step.kind === 'merge') {
          if (step.costs.length === 0) continue;
          const rows = step.costs.map((cost) => aRow(dayOf(step.first), String(cost), { x_RowId: 'merged' }));
          expect(
            await untilDone((key) => world.call('postBills', { tenant, key, body: { rows } }), broken),
          ).toBe(200);
          const id = JSON.stringify([step.first, [...step.costs]]);
          const before = model.layers.findIndex((layer) => layer.id === id);
          if (before >= 0) model.layers.splice(before, 1);
          model.layers.push({ id, merged: step.first, costs: step.costs });
          continue;
        }
        const { id, end, length } = step;
        const known = model.open.get(id);
        if (model.layers.some((layer) => layer.id === id) || (step.costs.length === 0 && !end)) continue;
        if (known !== undefined && (known.first !== step.first || known.length !== length)) continue;
        const pageNumber = (known?.pages.length ?? 0) + 1;
        const rows = step.costs.map((cost, offset) =>
          aRow(dayOf(step.first + (offset % length)), String(cost), { InvoiceId: `INV-${pageNumber}` }),
        );
        const delivery = scope(id, {
          from: dayOf(step.first),
          to: dayOf(step.first + length),
          page: pageNumber,
        });
        const body = { delivery, rows, complete: end };
        expect(await untilDone((key) => world.call('postBills', { tenant, key, body }), broken)).toBe(200);
        const pages = [...(known?.pages ?? []), step.costs];
        if (!end) {
          model.open.set(id, { id, first: step.first, length, pages, complete: false });
          continue;
        }
        model.open.delete(id);
        const ofDays = new Map(Array.from({ length }, (_, day) => [step.first + day, [] as number[]]));
        for (const page of pages) {
          for (const [offset, cost] of page.entries()) ofDays.get(step.first + (offset % length))?.push(cost);
        }
        model.layers.push({ id, rows: ofDays });
      }
      const { body } = await world.call('getReconciliation', {
        tenant,
        query: { from: '2026-04-01', to: '2026-04-09', group_by: 'day' },
      });
      const sums = new Map<string, string>(
        Object(body['data']).map(({ day, billed_usd }: Record<string, string>) => [day, billed_usd ?? '0']),
      );
      expect(Array.from({ length: 8 }, (_, day) => sums.get(dayOf(day)) ?? '0')).toEqual(model.sums());
    }),
    { numRuns: runs(25) },
  );
});
