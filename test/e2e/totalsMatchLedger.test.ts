import { afterAll, describe, expect, it } from 'vitest';
import { type Decimal, decimal, toDecimalString } from '../../functions/platform/shared/decimal.ts';
import { getUsageReport } from '../../schemas/routes/insight/reports.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EVENTS = 200;
/** Hours with calls. Each has several, some in the same minute. */
const HOURS = 60;
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'an-unpriced-model'];
const SUMMED = ['cost_usd', 'energy_wh', 'carbon_gco2e', 'input_tokens', 'output_tokens'] as const;

const now = Date.now();
const iso = (at: number): string => new Date(at).toISOString();
const day = (at: number): string => iso(at).slice(0, 10);
/** A range of whole days that includes every event. */
const RANGE = { from: day(now - 40 * DAY), to: day(now + 2 * DAY) };

const instance = await sharedInstance();
afterAll(() => instance.stop());

const keys = () => {
  const { acme: tenant } = demoTenants(instance.credentials);
  return tenant.api_keys;
};

/** Calls over several weeks, with and without identity, with unpriced models and with own prices. */
const events = Array.from({ length: EVENTS }, (_, index) => {
  const at = now - (index % HOURS) * 9 * HOUR - (index % 60) * 60_000;
  const { attributed_identity: _identity, ...event } = someEvent({
    ingestion_timestamp: iso(at),
    requested_model: MODELS[index % MODELS.length],
    input_tokens: 100 + index * 37,
    output_tokens: 1 + index,
    ...(index % 11 === 0 && { estimated_cost_usd: `0.${String(index + 1).padStart(6, '0')}` }),
  });
  return index % 5 === 0 ? event : { ...event, attributed_identity: `person-${index % 23}` };
});

const send = async (sent: readonly unknown[]): Promise<void> => {
  for (let at = 0; at < sent.length; at += 100) {
    const body = { events: sent.slice(at, at + 100) };
    const { status } = await call(instance.baseUrl, '/api/v1/invocations/batch', {
      key: keys().ingest,
      body,
    });
    expect(status).toBe(202);
  }
  await instance.runtime.idle({ delayed: true });
};

const sumOf = (rows: readonly Record<string, unknown>[], member: string): string =>
  toDecimalString(
    rows.reduce<Decimal>((sum, row) => {
      const value = row[member];
      return value === null || value === undefined ? sum : sum.plus(decimal(String(value)));
    }, decimal('0')),
  );

const sumsOf = (rows: readonly Record<string, unknown>[]) =>
  Object.fromEntries(SUMMED.map((member) => [member, sumOf(rows, member)]));

const usage = async (query: string) => {
  const path = `/v1/reports/usage?from=${RANGE.from}&to=${RANGE.to}&limit=200${query}`;
  return getUsageReport.replies[200].body.parse(
    (await call(instance.baseUrl, path, { key: keys().read })).body,
  );
};

/** Totals computed from every record, and the totals of each report. */
const readAllTotals = async () => {
  const records = await listAllRecords(instance.baseUrl, keys().read);
  const reports = await Promise.all(
    ['', '&interval=day', '&group_by=owner', '&group_by=service&top=1'].map(usage),
  );
  return {
    counted: records.length,
    unpriced: records.filter(({ cost_usd }) => cost_usd === null).length,
    summed: sumsOf(records),
    reports: reports.map(({ data, totals }) => ({
      counted: totals.invocations,
      unpriced: totals.unpriced_invocations,
      totals: sumsOf([totals]),
      rows: sumsOf(data),
    })),
  };
};

const expectEqualTotals = ({
  counted,
  unpriced,
  summed,
  reports,
}: Awaited<ReturnType<typeof readAllTotals>>): void => {
  for (const report of reports) {
    expect(report).toEqual({ counted, unpriced, totals: summed, rows: summed });
  }
};

describe('report totals', () => {
  it('equal the exact sums of the records, for every grouping', async () => {
    await send(events);

    const result = await readAllTotals();

    expect(result.counted).toBe(EVENTS);
    expect(result.unpriced).toBeGreaterThan(0);
    expectEqualTotals(result);
  });

  it('stay equal after repeated and late calls', async () => {
    const before = await readAllTotals();
    const late = Array.from({ length: 30 }, (_, index) =>
      someEvent({ ingestion_timestamp: iso(now - 36 * DAY + index * HOUR), input_tokens: 999 }),
    );

    await send([...events.slice(0, 150), ...late]);

    const result = await readAllTotals();
    expect(result.counted).toBe(before.counted + late.length);
    expectEqualTotals(result);
  });

  it('keep the overall totals after overrides', async () => {
    const before = await readAllTotals();
    const records = await listAllRecords(instance.baseUrl, keys().read);
    for (const { id } of records.slice(0, 4)) {
      const answer = await call(instance.baseUrl, `/v1/attribution/${id}/overrides`, {
        key: keys().admin,
        body: { owner: 'team-moved', service: 'moved', reason: 'It was theirs' },
      });
      expect(answer.status).toBe(201);
    }
    await instance.runtime.idle({ delayed: true });

    const result = await readAllTotals();
    expect(result.summed).toEqual(before.summed);
    expectEqualTotals(result);
    const moved = (await listAllRecords(instance.baseUrl, keys().read)).filter(
      ({ owner }) => owner === 'team-moved',
    );
    expect(moved).toHaveLength(4);
  });
});
