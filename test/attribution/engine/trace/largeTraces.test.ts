import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pMap from 'p-map';
import { afterAll, describe, expect, it } from 'vitest';
import { tenantRows } from '../../../../functions/ledger/erasure/tenantRows.store.ts';
import { mulberry32 } from '../../../../functions/platform/shared/mulberry32.ts';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { newTenant } from '../../../ledger/records/ledgerFixture.ts';
import { isSoak } from '../../../support/properties.ts';
import { startTables } from '../../../support/tables.ts';
import { aKey } from '../events.ts';
import {
  aSpanEvent,
  expectedOf,
  outcomesOf,
  passTime,
  runRequestedPasses,
  startTraceRecorder,
  versionsOf,
} from './traceFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

/** Records that one event may revise, and more spans than that. A trace outgrows its packs before all of them have come. */
const FOLLOWED = 6;
const SPANS = 16;
const packed = { spans: 5, packs: 5 };

type Shape = (index: number) => Record<string, unknown>;
const named = (index: number) => (index === 0 ? { attributed_identity: 'team-a' } : {});
const chain: Shape = (index) => ({
  ...named(index),
  ...(index > 0 && { parent_span_id: `span-${index - 1}` }),
  estimated_cost_usd: '1',
});
const star: Shape = (index) => ({
  ...named(index),
  ...(index > 0 && { parent_span_id: 'span-0' }),
  estimated_cost_usd: '1',
});
const unconnected: Shape = (index) => ({ ...named(index), parent_span_id: 'lost', estimated_cost_usd: '1' });
const oneOwner: Shape = () => ({ attributed_identity: 'team-a', estimated_cost_usd: '1' });

type Order = (events: readonly InvocationEvent[]) => InvocationEvent[];
const orders: Readonly<Record<string, Order>> = {
  'oldest first': (events) => [...events],
  'newest first': (events) => events.toReversed(),
  // 7 and 16 have no common factor, so that each span comes once.
  scattered: (events) => events.map((_, index) => events[(index * 7) % SPANS] ?? aSpanEvent(0)),
};

/** Runs something and counts the calls of AWS. `run` may read how many there were so far. */
const callsOf = async (run: (callsSoFar: () => number) => Promise<unknown>): Promise<number> => {
  let calls = 0;
  const count = () => {
    calls += 1;
  };
  subscribe('aws.call', count);
  await run(() => calls);
  unsubscribe('aws.call', count);
  return calls;
};

describe.each(Object.keys(orders))('a trace of more spans than one event revises, %s', (order) => {
  it.each([
    // Each span inherits an owner once, and learns once that a span below it reports its usage.
    ['a chain', chain, 3],
    ['a root with all others below it', star, 2],
    ['spans without known callers', unconnected, 2],
    ['spans that all name one owner', oneOwner, 1],
  ] as const)(
    'has the records of the whole trace, and few versions: %s',
    async (_, shape, versionsMaximum) => {
      const tenant = newTenant();
      const events = Array.from({ length: SPANS }, (_, index) => aSpanEvent(index, shape(index)));
      const record = startTraceRecorder(undefined, undefined, FOLLOWED, packed);
      const arrived = orders[order]?.(events) ?? [];
      const versions = async () => [...(await versionsOf(tenant)).values()].map(({ length }) => length);

      for (const event of arrived) await record(event, tenant);
      await runRequestedPasses(tenant);

      const expected = await expectedOf(events, tenant);
      expect(await outcomesOf(tenant)).toEqual(expected);
      const written = await versions();
      expect(Math.max(...written)).toBeLessThanOrEqual(versionsMaximum);

      // The queue delivers some of them again.
      for (const event of arrived.filter((_, index) => index % 5 === 0)) await record(event, tenant);
      await runRequestedPasses(tenant);
      expect(await outcomesOf(tenant)).toEqual(expected);
      expect(await versions()).toEqual(written);
    },
  );
});

it('says that nobody knows whether a span repeats usage when more spans of another credential lie below it than are read', async () => {
  const tenant = newTenant();
  const record = startTraceRecorder();
  const other = { ...aKey, id: 'key_of_another' };
  const costAfter = async (from: number, to: number) => {
    await Promise.all(
      Array.from({ length: to - from }, (_, index) => from + index).map((index) =>
        record(aSpanEvent(index, { ...star(index), estimated_cost_usd: '0.001' }), tenant, {
          statedBy: other,
        }),
      ),
    );
    const versions = (await versionsOf(tenant)).get(root.event_id);
    return versions?.at(-1)?.attribution.explanation.cost;
  };
  const root = aSpanEvent(0, star(0));
  await record(root, tenant);

  const [few, many] = [await costAfter(1, 20), await costAfter(20, 130)];

  expect(few?.uncertain ?? []).not.toContain('possible_repeat');
  expect(few?.low).not.toBe('0');
  expect(many).toMatchObject({
    low: '0',
    central: '1',
    uncertain: expect.arrayContaining(['possible_repeat']),
  });
});

it.each([
  // Each span is the first below its caller, which is revised, and there are many spans above it.
  ['a chain', chain, 20],
  // The root has learned from the first span what the others show.
  ['a root with all others below it', star, 10],
] as const)(
  'costs the same few calls for each span, however many came before: %s',
  async (_, shape, most) => {
    const tenant = newTenant();
    const record = startTraceRecorder(undefined, undefined, undefined, packed);
    const costOf = (from: number, count: number) =>
      callsOf(async () => {
        for (let index = from; index < from + count; index += 1) {
          await record(aSpanEvent(index, shape(index)), tenant);
        }
      });
    // Beyond the levels that are searched for spans of other credentials.
    await costOf(0, 18);

    const [first, second] = [await costOf(18, 8), await costOf(26, 8)];

    expect(second).toBeLessThan(first * 1.1);
    expect(first / 8).toBeLessThanOrEqual(most);
  },
);

it('costs a fraction of a row and a read for each span of a trace that comes in one export', async () => {
  const tenant = newTenant();
  const record = startTraceRecorder();
  // Connections and the month are opened.
  await record(aSpanEvent(100, { trace_id: 'another trace' }), tenant);
  const events = Array.from({ length: SPANS }, (_, index) => aSpanEvent(index, chain(index)));

  const calls = await callsOf(() => Promise.all(events.map((event) => record(event, tenant))));

  expect(await outcomesOf(tenant)).toHaveLength(SPANS + 1);
  // Not several for each span: the pack is written in one call, and one reads whether it is untouched.
  expect(calls).toBeLessThanOrEqual(10);
});

it.each([
  ['in packs', { spans: 512, packs: 128 }],
  ['by key', packed],
] as const)(
  'connects the spans of two processes %s after the rows of the trace were deleted, as a reset does',
  async (_, limit) => {
    const tenant = newTenant();
    const start = () => startTraceRecorder(undefined, undefined, undefined, limit);
    const warm = start();
    for (let index = 0; index < 7; index += 1) await warm(aSpanEvent(index, chain(index)), tenant);
    const rows = { name: 'traces', table: 'traces' } as const;
    await tenantRows(rows.name, rows.table, ({ pk }) => pk.startsWith(`${tenant.tenant_id}#`)).erase();
    passTime(MINUTE_MS);

    await warm(aSpanEvent(10, { attributed_identity: 'team-b' }), tenant);
    await start()(aSpanEvent(11, { parent_span_id: 'span-10' }), tenant);

    const [above, below] = (await outcomesOf(tenant)).slice(-2);
    expect([above?.owner, below?.owner]).toEqual(['team-b', 'team-b']);
  },
);

/** Spans of an agent that calls agents, which call others, and so on: each calls ten. Only those that call none are billed. */
const CALLED = 10;
const tree: Shape = (index) => ({
  ...named(index),
  ...(index > 0 && { parent_span_id: `span-${Math.floor((index - 1) / CALLED)}` }),
  estimated_cost_usd: '1',
});
/** Spans that a worker has in progress. */
const IN_PROGRESS = isSoak ? 64 : 16;
const CALLS_MAXIMUM = 40;
/** `npm run test:soak` takes a trace of 100,000 spans, and prints the calls while it runs. */
const SIZES = isSoak ? [10_000, 100_000] : [50, 150];
const print = (callsPerSpan: number, came: number, count: number): void =>
  console.info(`${callsPerSpan.toFixed(1)} calls a span after ${came} of ${count}`);

it(`costs as many calls for each of ${SIZES[1]} spans as of ${SIZES[0]} in any order, and has its records`, async () => {
  const callsPerSpan = async (count: number): Promise<number> => {
    const tenant = newTenant();
    const random = mulberry32(count);
    const order = Array.from({ length: count }, (_, index) => ({ index, at: random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ index }) => index);
    // The large traces exceed the limits of production.
    const record = isSoak
      ? startTraceRecorder()
      : startTraceRecorder(undefined, undefined, FOLLOWED, { spans: 16, packs: 8 });
    const calls = await callsOf(async (callsSoFar) => {
      const recordAt = async (index: number, position: number) => {
        await record(aSpanEvent(index, tree(index)), tenant);
        const came = position + 1;
        if (isSoak && came % (count / 20) === 0) print(callsSoFar() / came, came, count);
      };
      await pMap(order, recordAt, { concurrency: IN_PROGRESS });
      await runRequestedPasses(tenant);
    });

    const records = (await outcomesOf(tenant)).map(({ owner, cost_usd }) => `${owner} ${cost_usd}`);
    const callers = Math.ceil((count - 1) / CALLED);
    expect(Map.groupBy(records, (one) => one).get('team-a 0')).toHaveLength(callers);
    expect(Map.groupBy(records, (one) => one).get('team-a 1')).toHaveLength(count - callers);
    if (isSoak) print(calls / count, count, count);
    return calls / count;
  };

  const [few = 0, many = 0] = [await callsPerSpan(SIZES[0] ?? 0), await callsPerSpan(SIZES[1] ?? 0)];

  expect(many).toBeLessThan(1.3 * few);
  expect(many).toBeLessThan(CALLS_MAXIMUM);
});
