import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { newTenant } from '../../../ledger/records/ledgerFixture.ts';
import { runs } from '../../../support/properties.ts';
import { startTables } from '../../../support/tables.ts';
import {
  anyTrace,
  aSpanEvent,
  crashAt,
  expectedOf,
  outcomesOf,
  runRequestedPasses,
  startTraceRecorder,
  versionsOf,
} from './traceFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

const root = aSpanEvent(0, { attributed_identity: 'team-a' });
const agent = aSpanEvent(1, { parent_span_id: 'span-0' });
const leaf = aSpanEvent(2, { parent_span_id: 'span-1' });

/** The spans of a trace that are stored in packs. With fewer than a trace has, it is indexed when it outgrows them. */
const packedMaxima = [0, 1, 2, 512].map((spans) => ({ spans, packs: spans }));

describe('trace correlation after a crash', () => {
  it.each([
    ['before', 'concurrently', packedMaxima[3]],
    ['after', 'one after another', packedMaxima[3]],
    ['before', 'one after another', packedMaxima[1]],
    ['after', 'concurrently', packedMaxima[1]],
  ] as const)(
    '%s any write of spans that arrive %s is complete after redelivery: %j',
    async (moment, manner, packed) => {
      const order = [leaf, agent, root];
      let crashed = true;
      for (let writeNumber = 1; crashed; writeNumber += 1) {
        const tenant = newTenant();
        const fault = crashAt(writeNumber, moment);
        const record = startTraceRecorder(fault.around, undefined, undefined, packed);
        if (manner === 'concurrently') await Promise.allSettled(order.map((event) => record(event, tenant)));
        else for (const event of order) await record(event, tenant).catch(() => undefined);
        crashed = fault.count() >= writeNumber;

        for (const event of order) {
          await startTraceRecorder(undefined, undefined, undefined, packed)(event, tenant);
        }
        await runRequestedPasses(tenant);

        expect(await outcomesOf(tenant), `write ${writeNumber}`).toEqual(await expectedOf(order, tenant));
      }
    },
  );
});

it('gives the same records for any order, duplicates, concurrent processes and crashes', async () => {
  const plans = anyTrace(5).chain((events) => {
    const delivery = fc.record({
      event: fc.nat({ max: events.length - 1 }),
      crash: fc.option(
        fc.record({
          writeNumber: fc.integer({ min: 1, max: 8 }),
          moment: fc.constantFrom('before', 'after'),
        }),
        { freq: 4 },
      ),
    });
    const rounds = fc.array(fc.array(delivery, { minLength: 1, maxLength: 5 }), { maxLength: 4 });
    return fc.tuple(
      fc.constant(events),
      rounds,
      fc.shuffledSubarray(events, { minLength: events.length }),
      fc.constantFrom(...packedMaxima),
    );
  });

  await fc.assert(
    fc.asyncProperty(plans, async ([events, rounds, last, packed]) => {
      const tenant = newTenant();
      // Deliveries of a round run concurrently, each in its own process.
      for (const round of rounds) {
        await Promise.allSettled(
          round.map(async ({ event: index, crash }) => {
            const around = crash === null ? undefined : crashAt(crash.writeNumber, crash.moment).around;
            const event = events[index];
            if (event !== undefined) {
              await startTraceRecorder(around, undefined, undefined, packed)(event, tenant);
            }
          }),
        );
      }
      // Every message is redelivered until it succeeds.
      const record = () => startTraceRecorder(undefined, undefined, undefined, packed);
      await Promise.all(last.map((event) => record()(event, tenant)));
      await runRequestedPasses(tenant);

      expect(await outcomesOf(tenant)).toEqual(await expectedOf(events, tenant));
      for (const versions of (await versionsOf(tenant)).values()) {
        const chain = versions.map(({ validity }) => validity);
        expect(chain.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
        expect(chain.slice(0, -1).map(({ to }) => to)).toEqual(chain.slice(1).map(({ from }) => from));
        expect(chain.at(-1)?.to).toBeNull();
      }
    }),
    { numRuns: runs(20) },
  );
});
