import { afterAll, expect, it } from 'vitest';
import { newTenant } from '../../../ledger/records/ledgerFixture.ts';
import { startTables } from '../../../support/tables.ts';
import { aSpanEvent, crashAt, outcomesOf, runRequestedPasses, startTraceRecorder } from './traceFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

const root = aSpanEvent(0);
const agent = aSpanEvent(1, { parent_span_id: 'span-0' });
const leaf = aSpanEvent(2, { parent_span_id: 'span-1' });
const named = { attributed_identity: 'team-a' };

/** Reports of the root that know its owner. */
const reports = {
  'a log of another layer without the trace': aSpanEvent(0, {
    ...named,
    trace_id: undefined,
    span_id: undefined,
    ingestion_layer: 'provider_log',
  }),
  'a span of another layer': aSpanEvent(0, { ...named, ingestion_layer: 'provider_log' }),
  'a span of another layer in another trace': aSpanEvent(0, {
    ...named,
    trace_id: 'another trace',
    ingestion_layer: 'provider_log',
  }),
  'the same observer, which repeats it': aSpanEvent(0, named),
} as const;

const arrivals = {
  last: (report: typeof root) => [root, agent, leaf, report],
  'before the spans below': (report: typeof root) => [root, report, agent, leaf],
  'while spans below are missing': (report: typeof root) => [leaf, root, report, agent],
  first: (report: typeof root) => [report, root, agent, leaf],
} as const;

const limits = [
  { spans: 512, packs: 128 },
  { spans: 1, packs: 1 },
];
const cases = Object.entries(reports).flatMap(([name, report]) =>
  Object.entries(arrivals).flatMap(([order, arrive]) =>
    limits.map((limit) => [name, order, limit, arrive(report)] as const),
  ),
);

it.each(cases)('what %s says of a span, %s, reaches the spans below it: %j', async (_, __, limit, events) => {
  const tenant = newTenant();
  const record = startTraceRecorder(undefined, undefined, undefined, limit);

  for (const event of events) {
    await record(event, tenant);
    await runRequestedPasses(tenant);
  }

  expect((await outcomesOf(tenant)).map(({ owner }) => owner)).toEqual(['team-a', 'team-a', 'team-a']);
});

it.each(limits)(
  'reaches them after a crash at any write of the report, when it comes again: %j',
  async (limit) => {
    const report = reports['a log of another layer without the trace'];
    let crashed = true;
    for (let writeNumber = 1; crashed; writeNumber += 1) {
      const tenant = newTenant();
      const start = (fault?: ReturnType<typeof crashAt>) =>
        startTraceRecorder(fault?.around, undefined, undefined, limit);
      for (const event of [root, agent]) await start()(event, tenant);
      const fault = crashAt(writeNumber, writeNumber % 2 === 0 ? 'before' : 'after');
      await start(fault)(report, tenant).catch(() => undefined);
      crashed = fault.count() >= writeNumber;

      await start()(report, tenant);
      await runRequestedPasses(tenant);

      const owners = (await outcomesOf(tenant)).map(({ owner }) => owner);
      expect(owners, `write ${writeNumber}`).toEqual(['team-a', 'team-a']);
    }
  },
);
