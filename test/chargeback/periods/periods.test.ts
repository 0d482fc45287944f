import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { nodeHourLineWriter } from '../../../functions/attribution/allocation/nodeHours/nodeHourLine.store.ts';
import { closingsRead, periodsRead } from '../../../functions/entries/stores/chargeback/periods.ts';
import { readPeriodStatuses } from '../../../functions/insight/periods/periodStatus.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import { ulidInId } from '../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { Period } from '../../../schemas/chargeback/periods.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { runs } from '../../support/properties.ts';
import { type ExportClient, exportClientOf } from '../exports/exportClient.ts';
import { findFocusViolations } from '../exports/focusValidator.ts';
import { startExportHarness } from '../exports/harness.ts';
import { aRecord, byPersons } from '../exports/records.ts';

const MINUTE_MS = 60_000;
const FINANCE: readonly Scope[] = ['finance:config', 'read:reporting'];

let tenant: Tenant;
let client: ExportClient;
const world = await startExportHarness();
afterAll(async () => {
  await world.live.stop();
});
beforeEach(() => {
  world.time.now = Date.parse('2026-12-02T00:10:00Z');
  tenant = world.newTenant();
  client = exportClientOf(world, tenant);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const october = () => [
  ...byPersons(6, { at: '2026-10-03T05:00:00.000Z' }),
  ...byPersons(7, { owner: 'team-chat', service: 'answers', at: '2026-10-20T05:00:00.000Z' }),
  aRecord({ event: { requested_model: 'unpriced' } }),
];

/** Corrections of a record: who pays, whether it is charged, and what it costs. */
const changes = {
  owner: ({ record, ...rest }: Attribution): Attribution => ({
    ...rest,
    record: { ...record, owner: 'team-chat' },
  }),
  floor: ({ record, ...rest }: Attribution): Attribution => ({
    ...rest,
    record: { ...record, interpretation: { ...record.interpretation, export_eligibility: 'below_floor' } },
  }),
  cost: ({ record, explanation, ...rest }: Attribution): Attribution => {
    const usd = '0.000000000007';
    const { cost } = explanation;
    return {
      ...rest,
      record: { ...record, cost_usd: cost === null ? null : usd },
      explanation: {
        ...explanation,
        cost: cost === null ? null : { ...cost, low: usd, central: usd, high: usd },
      },
    };
  },
} as const;

const wait = () => {
  world.time.now += MINUTE_MS;
};
const change = (name: 'close' | 'reopen', period: string, key?: string) => {
  wait();
  return world.call(
    name,
    {
      tenant,
      id: period,
      ...(name === 'reopen' && { body: { reason: 'a late file' } }),
      ...(key !== undefined && { key }),
    },
    FINANCE,
  );
};
const close = (period: string) => change('close', period);

const monthOf = (month: string) => {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return { from: `${month}-01`, to: next.toISOString().slice(0, 10) };
};
const exportOf = async (month: string, members: object = {}, scopes?: readonly Scope[]) => {
  wait();
  const body = { format: 'focus', period: monthOf(month), file_format: 'csv', ...members };
  const started = await world.call('create', { tenant, body }, scopes);
  expect(started.status, started.text).toBe(202);
  const id = String(started.body['job_id']);
  await world.run(client.named(id));
  const files = [...world.filesOf(id).values()].map((file) => file.toString('utf8'));
  const rows = files.flatMap((file) => parse<Record<string, string>>(file, { columns: true }));
  return { id, files, rows, manifest: client.manifest(id) };
};
type Exported = Awaited<ReturnType<typeof exportOf>>;

/** The cost of rows and exclusions. */
const costOf = ({ rows, manifest }: Exported): string => {
  const amounts = [
    ...rows.map((row) => row['ContractedCost'] ?? '0'),
    ...manifest.excluded.map(({ cost_usd }) => cost_usd ?? '0'),
    ...(manifest.corrections ?? []).flatMap(({ excluded }) => excluded.map(({ cost_usd }) => cost_usd)),
  ];
  return amounts.reduce((sum, amount) => sum.plus(decimal(amount)), decimal('0')).toFixed();
};
const sum = (...amounts: string[]): string =>
  amounts.reduce((total, amount) => total.plus(decimal(amount)), decimal('0')).toFixed();
/** A decimal without trailing zeros. */
const same = (text: string | undefined): string => decimal(text ?? '0').toFixed();
const recordedCost = (records: readonly Attribution[]): string =>
  sum(...records.map(({ record }) => record.cost_usd ?? '0'));

describe.each([
  ['records', ['export:create', 'read:attribution']],
  ['cohorts', ['export:create']],
] as const)('exports of %s of a closed period', (_, scopes) => {
  it('stay the same byte for byte, and the next period has what is late', async () => {
    const first = october();
    await world.record(tenant, first);
    expect(await close('2026-10')).toMatchObject({
      status: 200,
      body: { period: '2026-10', state: 'closed', adjustments: [] },
    });
    const before = await exportOf('2026-10', {}, scopes);

    wait();
    const late = byPersons(6, { at: '2026-10-03T05:00:00.000Z', event: { input_tokens: 777 } }, 'late');
    await world.record(tenant, late);
    wait();
    const [moved] = first;
    await world.correct(tenant, ulidInId(moved?.record.id ?? ''), changes.owner);

    const after = await exportOf('2026-10', {}, scopes);
    const november = await exportOf('2026-11', {}, scopes);
    expect(after.files).toEqual(before.files);
    expect(costOf(before)).toBe(recordedCost(first));
    expect(sum(costOf(after), costOf(november))).toBe(recordedCost([...first, ...late]));
    for (const version of ['1.2', '1.3', '1.4', '1.5-draft'] as const) {
      const { files } = await exportOf('2026-11', { focus_version: version }, scopes);
      for (const file of files) expect(findFocusViolations(file, version)).toEqual([]);
    }
    expect(november.rows.length).toBeGreaterThan(0);
    for (const row of november.rows) {
      expect(row).toMatchObject({
        ChargeClass: 'Correction',
        ChargePeriodStart: '2026-10-01T00:00:00Z',
        ChargePeriodEnd: '2026-11-01T00:00:00Z',
        BillingPeriodStart: '2026-11-01T00:00:00Z',
        BillingPeriodEnd: '2026-12-01T00:00:00Z',
      });
    }
    expect(november.manifest.corrections).toMatchObject([{ period: '2026-10', ledger: { records: 6 } }]);
    expect(after.manifest.billing_periods).toEqual([
      { period: '2026-10', state: 'adjusted', adjustment_usd: recordedCost(late) },
    ]);
  });
});

const MONTHS = ['2026-09', '2026-10', '2026-11'] as const;

const steps = fc.oneof(
  fc.record({
    kind: fc.constant('late' as const),
    at: fc.constantFrom('2026-09-30T23:59:59.000Z', '2026-10-03T05:00:00.000Z', '2026-11-10T05:00:00.000Z'),
    owner: fc.constantFrom('team-search', 'team-chat', 'team-new'),
    persons: fc.constantFrom(1, 5),
  }),
  fc.record({
    kind: fc.constant('correction' as const),
    change: fc.constantFrom(...(['owner', 'floor', 'cost'] as const)),
    record: fc.nat(),
  }),
  fc.record({
    kind: fc.constantFrom('close' as const, 'close' as const, 'reopen' as const),
    kill: fc.record({
      write: fc.nat({ max: 8 }),
      moment: fc.constantFrom('before' as const, 'after' as const),
    }),
  }),
);

it('the books of all periods sum to the records of today, and closed ones stay the same, in any order of late calls, corrections, closes and reopenings with kills', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 3, maxLength: 9 }),
      fc.constantFrom(['export:create', 'read:attribution'] as const, ['export:create'] as const),
      // Periods are of UTC in every zone.
      fc.constantFrom('UTC', 'America/New_York'),
      async (taken, scopes, time_zone) => {
        world.time.now = Date.parse('2026-12-02T00:10:00Z');
        tenant = world.newTenant({ time_zone });
        client = exportClientOf(world, tenant);
        const costs = new Map<string, string>();
        const add = async (records: readonly Attribution[]): Promise<void> => {
          wait();
          await world.record(tenant, records);
          for (const { record } of records) costs.set(ulidInId(record.id), record.cost_usd ?? '0');
        };
        const closed: string[] = [];
        const told: string[] = [];
        const fixed = new Map<string, readonly string[]>();
        const check = async (): Promise<void> => {
          const books = [];
          for (const month of [...MONTHS, '2026-12']) {
            const book = await exportOf(month, {}, scopes);
            books.push(costOf(book));
            for (const file of book.files) expect(findFocusViolations(file, '1.4')).toEqual([]);
            if (!closed.includes(month)) continue;
            expect(book.files).toEqual(fixed.get(month) ?? book.files);
            fixed.set(month, book.files);
          }
          expect(sum(...books)).toBe(sum(...costs.values()));
        };

        await add(MONTHS.flatMap((month) => byPersons(6, { at: `${month}-05T05:00:00.000Z` }, month)));
        for (const step of taken) {
          if (step.kind === 'late') {
            await add(byPersons(step.persons, { at: step.at, owner: step.owner }, 'late'));
          } else if (step.kind === 'correction') {
            wait();
            const ulid = [...costs.keys()][step.record % costs.size] ?? '';
            await world.correct(tenant, ulid, (current) => {
              const changed = changes[step.change](current);
              costs.set(ulid, changed.record.cost_usd ?? '0');
              return changed;
            });
          } else {
            const month = step.kind === 'close' ? MONTHS[closed.length] : closed.at(-1);
            if (month === undefined) continue;
            const key = randomUUID();
            world.faults.arm({ ...step.kill, kind: 'dies' });
            await change(step.kind, month, key);
            world.faults.restart();
            const answer = await change(step.kind, month, key);
            expect(answer.status, answer.text).toBe(200);
            told.push(`period.${step.kind === 'close' ? 'closed' : 'reopened'} ${month}`);
            if (step.kind === 'close') closed.push(month);
            else fixed.delete(closed.pop() ?? '');
            await check();
          }
        }
        await check();
        const raised = (await world.eventsOf(tenant)).filter(({ type }) => type.startsWith('period.'));
        expect(raised.map(({ type, data }) => `${type} ${data['period']}`)).toEqual(told);
        const { body } = await world.call('periods', { tenant }, FINANCE);
        const items = z.object({ data: z.array(Period) }).parse(body).data;
        expect(items.filter(({ state }) => state !== 'open').map(({ period }) => period)).toEqual(
          closed.toReversed(),
        );
      },
    ),
    { numRuns: runs(4) },
  );
});

describe('corrections in an export of records', () => {
  const named = ({ rows }: Exported) => [...new Set(rows.map((row) => row['SubAccountId']))].sort();

  it('name the owner of a changed call whose group both states show', async () => {
    await world.record(tenant, october());
    await close('2026-10');
    wait();
    await world.record(tenant, byPersons(1, { at: '2026-10-03T05:00:00.000Z' }, 'late'));

    expect(named(await exportOf('2026-11'))).toEqual(['team-search']);
  });

  it.each([
    ['a fifth person came to', 4, 1],
    ['one person called in', 0, 1],
  ])('name no group that %s since the close', async (_, before, late) => {
    const small = { owner: 'team-small', at: '2026-10-03T05:00:00.000Z' };
    await world.record(tenant, [...october(), ...byPersons(before, small, 'small')]);
    await close('2026-10');
    wait();
    await world.record(tenant, byPersons(late, small, 'late'));

    const exported = await exportOf('2026-11');

    expect(exported.manifest.corrections).toMatchObject([{ ledger: { records: late } }]);
    expect(named(exported)).toEqual(['']);
  });

  it('have one row without a name in an export of cohorts', async () => {
    await world.record(tenant, october());
    await close('2026-10');
    wait();
    await world.record(tenant, byPersons(6, { at: '2026-10-03T05:00:00.000Z' }, 'late'));

    const exported = await exportOf('2026-11', {}, ['export:create']);

    expect(exported.rows).toHaveLength(1);
    expect(named(exported)).toEqual(['']);
  });
});

describe('a period', () => {
  it.each([
    ['that has not ended', '2026-12', 'has not ended'],
    ['whose totals lack a change', '2026-10', 'not in its totals yet'],
  ])('%s is not closed', async (_, period, reason) => {
    await world.record(tenant, october());
    world.setComplete(period !== '2026-10');

    const answer = await close(period);
    world.setComplete(true);

    expect([answer.status, answer.body['detail']]).toEqual([409, expect.stringContaining(reason)]);
  });

  it('is not closed within seconds of a change, and is a minute later', async () => {
    await world.record(tenant, october());
    world.time.now -= MINUTE_MS - 5_000;
    expect((await close('2026-10')).status).toBe(409);

    expect((await close('2026-10')).status).toBe(200);
  });

  it('is closed after the one before it, and reopened before it', async () => {
    await world.record(tenant, october());
    await close('2026-09');
    expect((await close('2026-11')).body['detail']).toContain('Close 2026-10 first');
    await close('2026-10');

    expect((await change('reopen', '2026-09')).body['detail']).toContain('Reopen 2026-10 first');
    expect((await change('reopen', '2026-10')).body).toMatchObject({ state: 'open', closed: null });
    expect((await change('reopen', '2026-10')).body['detail']).toContain('is open');
    expect((await close('2026-08')).body['detail']).toContain('the first one was later');
  });

  it.each(['2027-01', '2026-13', 'october'])('that does not exist is not found: %s', async (period) => {
    expect((await close(period)).status).toBe(404);
  });

  it('of a closed month has bounds of whole days in an export', async () => {
    await world.record(tenant, october());
    await close('2026-10');
    const body = { period: { from: '2026-10-03T05:00:00Z', to: '2026-10-20' } };

    const answer = await world.call('create', { tenant, body });

    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/period/from' }] } });
  });

  it('has what own nodes were idle less or longer than at its close as corrections, each in one period', async () => {
    const idle = (idle_usd: string): Promise<void> => {
      const hour = '2026-10-14T10:00:00.000Z';
      const line = {
        pool: 'h100',
        hour,
        cost_usd: '4',
        charged_usd: '0',
        idle_usd,
        as_of: '2026-11-01T00:00:00.000Z',
      };
      const measured = { calls: 0, busy: 'busy_time', measure: 'tokens', unmeasured_calls: 0 } as const;
      return nodeHourLineWriter('rollups', () => world.time.now).put(tenant.tenant_id, {
        ...line,
        ...measured,
      });
    };
    const idleOf = ({ rows, manifest }: Exported) => [
      ...rows.flatMap((row) =>
        row['ChargeDescription']?.includes('idle time of h100') === true
          ? [[row['ChargeClass'], row['ChargePeriodStart'], same(row['ContractedCost'])].join(' ')]
          : [],
      ),
      ...(manifest.corrections ?? []).map(({ period, idle_nodes }) => `${period} ${idle_nodes?.cost_usd}`),
    ];
    await world.record(tenant, october());
    await idle('3.000000000001');
    await close('2026-10');
    const booked = await exportOf('2026-10');
    await idle('1.5');
    expect((await exportOf('2026-10')).files).toEqual(booked.files);
    expect(idleOf(await exportOf('2026-11'))).toEqual([
      'Correction 2026-10-01T00:00:00Z 1.5',
      'Correction 2026-10-01T00:00:00Z -3.000000000001',
      '2026-10 -1.500000000001',
    ]);
    await close('2026-11');
    await idle('2');
    expect(idleOf(await exportOf('2026-12')).at(-1)).toBe('2026-10 0.5');
  });

  it('lists what it has changed by, by the period that books it', async () => {
    await world.record(tenant, october());
    await close('2026-10');
    wait();
    const late = byPersons(1, { at: '2026-10-03T05:00:00.000Z' }, 'late');
    await world.record(tenant, late);
    await close('2026-11');
    wait();
    const later = byPersons(2, { at: '2026-10-03T05:00:00.000Z' }, 'later');
    await world.record(tenant, later);

    const { body } = await world.call('periods', { tenant }, FINANCE);

    expect(body['data']).toMatchObject([
      { period: '2026-12', state: 'open' },
      { period: '2026-11', state: 'closed', adjustments: [] },
      {
        period: '2026-10',
        state: 'adjusted',
        adjustments: [
          { booked_in: '2026-11', sums: { records: 1, cost_usd: recordedCost(late) } },
          { booked_in: '2026-12', sums: { records: 2, cost_usd: recordedCost(later) } },
        ],
      },
    ]);
  });

  it('is listed once over the pages, whatever month begins and is closed between them', async () => {
    await world.record(tenant, october());
    await close('2026-10');
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '1', ...(cursor !== undefined && { cursor }) };
      const { body } = await world.call('periods', { tenant, query }, FINANCE);
      const { data, page } = z
        .object({
          data: z.array(Period),
          page: z.object({ next_cursor: z.string().nullable(), limit: z.literal(1), has_more: z.boolean() }),
        })
        .parse(body);
      seen.push(...data.map(({ period }) => period));
      cursor = page.next_cursor ?? undefined;
      expect(page.has_more).toBe(cursor !== undefined);
      if (seen.length === 1) await close('2026-11');
    } while (cursor !== undefined);

    expect(seen).toEqual(['2026-12', '2026-11', '2026-10']);
  });

  it.each([
    ['every credential', null, 'the difference'],
    ['no credential of one lane', 'eu', null],
  ])('that is adjusted tells %s by how much', async (_, lane, told) => {
    await world.record(tenant, october());
    await close('2026-10');
    wait();
    const late = byPersons(1, { at: '2026-10-03T05:00:00.000Z' }, 'late');
    await world.record(tenant, late);
    const stores = { rollups: world.rollups, ...closingsRead('rollups'), ...periodsRead('rollups') };
    const range = { from: Date.parse('2026-09-30T18:30:00Z'), to: Date.parse('2026-10-31T18:30:00Z') };

    expect(await readPeriodStatuses(stores, tenant.tenant_id, range, lane)).toEqual([
      { period: '2026-09', state: 'open', adjustment_usd: '0' },
      { period: '2026-10', state: 'adjusted', adjustment_usd: told === null ? null : recordedCost(late) },
    ]);
  });
});
