import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { unreadUsageOf } from '../../../functions/ingest/otlp/counterSums.ts';
import {
  type CounterShard,
  counterReader,
  counterStore,
} from '../../../functions/tenants/diagnostics/counter.store.ts';
import { hourlyCounters } from '../../../functions/tenants/diagnostics/counters.ts';
import { startTables } from '../../support/tables.ts';

const HOUR = 60 * 60 * 1_000;

let now: number;
/** Whether the next write is not applied, or is applied without a response. */
let fault: 'lost_request' | 'lost_response' | null;
let writes: number;
let tenantId: string;

const live = await startTables();
afterAll(() => live.stop());
beforeEach(() => {
  now = Date.parse('2026-05-01T12:59:55Z');
  fault = null;
  writes = 0;
  tenantId = randomUUID();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

/** The counters of one process. */
const newProcess = () => {
  const store = counterStore('counters');
  const put = async (shard: CounterShard) => {
    const current = fault;
    fault = null;
    writes += 1;
    if (current === 'lost_request') throw new Error('no table');
    await store.put(shard);
    if (current === 'lost_response') throw new Error('no response');
  };
  return hourlyCounters({ put }, () => now, randomUUID);
};
const read = (from = now, to = now) => counterReader('counters').between(tenantId, from, to);

describe('hourlyCounters', () => {
  it('are exact as soon as the call that counted has ended, without a later call', async () => {
    const counters = newProcess();

    for (let call = 1; call <= 3; call += 1) {
      counters.note(tenantId, 'duplicates');
      await counters.flush();
      expect((await read()).get('duplicates')).toBe(call);
    }
  });

  it('count by scope what made no record, over all processes, most first', async () => {
    for (const [scope, count] of [
      ['acme.tracer', 1],
      ['other.tracer', 5],
      ['acme.tracer', 2],
    ] as const) {
      const counters = newProcess();
      counters.note(tenantId, `unread_usage ${scope}`, count);
      counters.note(tenantId, 'duplicates');
      await counters.flush();
    }

    const sums = await read();
    expect(unreadUsageOf(sums).map(({ scope, count }) => [scope, count])).toEqual([
      ['other.tracer', 5],
      ['acme.tracer', 3],
    ]);
    expect(sums.get('duplicates')).toBe(3);
  });

  it('need one write per tenant and hour for a batch, and none without counts', async () => {
    const counters = newProcess();
    for (let event = 0; event < 640; event += 1) counters.note(tenantId, 'dropped_members', 2);
    counters.note(tenantId, 'signals_other', 0);

    await counters.flush();
    await counters.flush();

    expect(writes).toBe(1);
    expect(await read()).toEqual(new Map([['dropped_members', 1_280]]));
  });

  it('belong to the hour of the count and to one tenant', async () => {
    const counters = newProcess();
    counters.note(tenantId, 'duplicates', 2);
    counters.note(randomUUID(), 'duplicates', 50);
    now += 10_000;
    counters.note(tenantId, 'duplicates');
    await counters.flush();

    const totals = [await read(now - HOUR, now - HOUR), await read(), await read(now - HOUR, now)];

    expect(totals.map((sums) => sums.get('duplicates'))).toEqual([2, 1, 3]);
  });

  it('are exact for any number of processes, lost requests and lost responses', async () => {
    const step = fc.record({
      process: fc.nat({ max: 2 }),
      count: fc.integer({ min: 1, max: 9 }),
      fault: fc.constantFrom(null, null, 'lost_request' as const, 'lost_response' as const),
    });

    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        tenantId = randomUUID();
        const processes = [newProcess(), newProcess(), newProcess()];
        for (const { process, count, fault: injected } of steps) {
          processes[process]?.note(tenantId, 'duplicates', count);
          fault = injected;
          await processes[process]?.flush();
        }
        for (const counters of processes) await counters.flush();

        expect((await read()).get('duplicates') ?? 0).toBe(steps.reduce((sum, { count }) => sum + count, 0));
      }),
      { numRuns: 30 },
    );
  });

  it('keep the later totals when writes arrive in another order', async () => {
    const store = counterStore('counters');
    const shard = { tenantId, hour: '2026-05-01T12', shard: 'one' };

    await store.put({ ...shard, counts: new Map([['duplicates', 5]]) });
    await store.put({ ...shard, counts: new Map([['duplicates', 3]]) });

    expect((await read()).get('duplicates')).toBe(5);
  });

  it('never throw while the table is down, and write the counts afterwards', async () => {
    const counters = newProcess();
    counters.note(tenantId, 'duplicates');
    fault = 'lost_request';
    await counters.flush();

    await counters.flush();

    expect((await read()).get('duplicates')).toBe(1);
  });
});
