import { afterAll, describe, expect, it } from 'vitest';
import { newTenant } from '../../ledger/records/ledgerFixture.ts';
import { startTables } from '../../support/tables.ts';
import { byAgent, bySdk, permutations, recordAll, recordsOf } from './observers.ts';

const live = await startTables();
afterAll(() => live.stop());

type Members = Record<string, unknown>;

const span = (id: string, parent?: string, members: Members = {}): Members => ({
  trace_id: 'one trace',
  span_id: id,
  parent_span_id: parent,
  input_tokens: 1_000,
  output_tokens: 200,
  ...members,
});
const CACHED = { cached_input_tokens: 800 };
const upper = (members: Members = CACHED) => byAgent(0, span('f', undefined, members));
const lower = (members: Members = {}) => bySdk(20, span('s', 'f', members));

/** The records of the SDK after all events, whatever their order. */
const lowerRecords = async (...args: Parameters<typeof recordAll>) => {
  await recordAll(...args);
  const records = (await recordsOf(args[0])).filter(({ storedEvent }) => storedEvent.source_system === 'sdk');
  return records.toSorted((one, other) => (one.record.occurred_at < other.record.occurred_at ? -1 : 1));
};
const costed = (records: Awaited<ReturnType<typeof recordsOf>>) =>
  records.filter(({ explanation }) => explanation.cost?.source !== 'structure');

describe('a call below the only one of another export', () => {
  it.each([
    ['cached tokens', CACHED, {}, { cached_input_tokens: 800 }],
    [
      'cached tokens, of which its counts know nothing',
      { ...CACHED, input_tokens: 1_800 },
      {},
      { input_tokens: 1_800, cached_input_tokens: 800 },
    ],
    ['reasoning', { reasoning_tokens: 50 }, {}, { reasoning_tokens: 50 }],
    ['what was charged', { estimated_cost_usd: '0.5', cost_source: 'provider' }, {}, { cost_usd: '0.5' }],
  ])('has what only the one above states, in any order: %s', async (_, above, below, expected) => {
    for (const order of permutations([upper(above), lower(below)])) {
      const tenant = newTenant();
      const [record] = await lowerRecords(tenant, order);
      expect(record?.record).toMatchObject(expected);
      const all = await recordsOf(tenant);
      expect(costed(all)).toEqual([record]);
      const framework = all.find(({ storedEvent }) => storedEvent.source_system === 'coding agent');
      expect(record?.explanation.usage_of).toBe(framework?.record.id);
    }
  });

  it('costs the same as one that states it itself', async () => {
    const completed = await lowerRecords(newTenant(), [lower(), upper()]);
    const stated = await lowerRecords(newTenant(), [lower(CACHED)]);

    expect(completed.map(({ explanation }) => explanation.cost)).toEqual(
      stated.map(({ explanation }) => explanation.cost),
    );
  });

  it.each([
    ['another answer', { ...CACHED, output_tokens: 201 }, {}],
    ['less input', { ...CACHED, input_tokens: 900 }, {}],
    ['no tier, which the call states', CACHED, { service_tier: 'flex' }],
    ['nothing more', {}, {}],
  ])('keeps what it states itself if the one above has %s', async (_, above, below) => {
    for (const order of permutations([upper(above), lower(below)])) {
      const [record] = await lowerRecords(newTenant(), order);
      expect(record?.record).toMatchObject({ input_tokens: 1_000, cached_input_tokens: null });
      expect(record?.explanation).not.toHaveProperty('usage_of');
    }
  });

  it('keeps what it states itself if another credential reports the one above', async () => {
    for (const isFirst of [true, false]) {
      const tenant = newTenant();
      const other = { statedBy: { kind: 'api_key', id: 'key_other' } } as const;
      if (isFirst) await recordAll(tenant, [upper()], other);
      await recordAll(tenant, [lower()]);
      if (!isFirst) await recordAll(tenant, [upper()], other);
      expect((await lowerRecords(tenant, []))[0]?.record.cached_input_tokens).toBeNull();
    }
  });
});

it('several calls below one keep what they state themselves, in any order', async () => {
  const seen = [upper(), lower(), bySdk(500, span('s2', 'f'))];
  for (const order of permutations(seen)) {
    const records = await lowerRecords(newTenant(), order);
    expect(records.map(({ record }) => record.cached_input_tokens)).toEqual([null, null]);
    expect(records.map(({ record }) => record.input_tokens)).toEqual([1_000, 1_000]);
  }
});

it('counts once if both are recorded at the same time', async () => {
  for (const tenant of Array.from({ length: 8 }, () => newTenant())) {
    await Promise.all([upper(), lower()].map((event) => recordAll(tenant, [event])));
    const [record] = await lowerRecords(tenant, []);
    expect(record?.record.cached_input_tokens).toBe(800);
  }
});
