import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { attribute } from '../../../../functions/attribution/engine/attribute.ts';
import { ledgerReader } from '../../../../functions/ledger/records/ledger.store.ts';
import { noFigures } from '../../../../functions/ledger/rollups/figures.ts';
import { LENGTH, startOf } from '../../../../functions/ledger/rollups/grain.ts';
import { readItems, rollupReader } from '../../../../functions/ledger/rollups/rollup.store.ts';
import { groupOf } from '../../../../functions/ledger/rollups/rollup.ts';
import {
  generationOf,
  headKeyOf,
  partitionOf,
  partKeyOf,
} from '../../../../functions/ledger/rollups/rollupItem.ts';
import { rollupWriter } from '../../../../functions/ledger/rollups/rollupWriter.store.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { Dimensions, type RollupGroup } from '../../../../schemas/ledger/rollup.ts';
import { anEvent, aTenant, noFactors } from '../../../attribution/engine/events.ts';
import { startTables } from '../../../support/tables.ts';
import {
  countingReader,
  newTenant,
  type TestRecord,
  testRecord,
  writeRecord,
  writeVersion,
} from '../../records/ledgerFixture.ts';
import { groupsInLedger, groupsInRollups, minuteOf, testComputer } from '../rollupFixture.ts';

const MARCH = Date.parse('2026-03-15T00:00:00Z');
const NOW = MARCH + 40 * LENGTH.day;

const ledger = ledgerReader('ledger', () => NOW);
const reader = rollupReader('rollups');
const compute = testComputer({ ledger, clock: () => NOW });

const live = await startTables();
afterAll(() => live.stop());

const scan = (tenant: Tenant, from: number, to: number) => groupsInLedger(ledger, tenant, { from, to }, NOW);
const rolledUp = (tenant: Tenant, from: number, to: number) => groupsInRollups(tenant, { from, to });

/** A change of the ledger: a new record, possibly late, or a correction of a record. */
type LedgerChange =
  | { readonly kind: 'record'; readonly index: number; readonly at: number }
  | { readonly kind: 'correction'; readonly which: number };

/** Two that are read together, and one that is far from them. */
const MINUTES_OF_CHANGES = [0, 1, 47];

const ledgerChanges = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('record' as const),
      index: fc.nat({ max: 9 }),
      // Few minutes of few hours of two days, so that records share minutes.
      at: fc
        .tuple(fc.nat({ max: 1 }), fc.nat({ max: 2 }), fc.nat({ max: 2 }))
        .map(
          ([day, hour, minute]) =>
            MARCH + day * LENGTH.day + hour * LENGTH.hour + (MINUTES_OF_CHANGES[minute] ?? 0) * LENGTH.minute,
        ),
    }),
    fc.record({ kind: fc.constant('correction' as const), which: fc.nat({ max: 9 }) }),
  ),
  { maxLength: 14 },
);

const applyChange = async (
  tenant: Tenant,
  change: LedgerChange,
  records: Map<number, { record: TestRecord; version: number }>,
) => {
  if (change.kind === 'record') {
    const record = records.get(change.index)?.record ?? testRecord(change.at + change.index, change.index);
    await writeRecord(tenant, record, change.at + 1_000);
    if (!records.has(change.index)) records.set(change.index, { record, version: 1 });
    return minuteOf(record.occurredAt);
  }
  const known = [...records.values()][change.which % Math.max(1, records.size)];
  if (known === undefined) return null;
  known.version += 1;
  await writeVersion(live.client, tenant, known.record, known.version, NOW - 1_000 + known.version);
  return minuteOf(known.record.occurredAt);
};

describe('rollups', () => {
  it('equal a scan of the ledger after duplicates, late events, corrections, and repeated or concurrent messages', async () => {
    await fc.assert(
      fc.asyncProperty(ledgerChanges, fc.boolean(), async (changes, together) => {
        const tenant = newTenant();
        const records = new Map<number, { record: TestRecord; version: number }>();
        const messages: number[] = [];
        for (const change of changes) {
          const minute = await applyChange(tenant, change, records);
          if (minute !== null) messages.push(minute);
          if (!together && minute !== null) await compute(tenant, [minute]);
        }

        await Promise.all(
          [messages, ...messages.map((minute) => [minute])].map((all) => compute(tenant, all)),
        );

        const [from, to] = [MARCH, MARCH + 2 * LENGTH.day];
        expect(await rolledUp(tenant, from, to)).toEqual(await scan(tenant, from, to));
        const odd = { from: MARCH + LENGTH.minute, to: MARCH + LENGTH.day + LENGTH.hour + LENGTH.minute };
        expect(await rolledUp(tenant, odd.from, odd.to)).toEqual(await scan(tenant, odd.from, odd.to));
      }),
      { numRuns: 12 },
    );
  });

  it('are completed by the repeated message after a crash between two writes', async () => {
    const tenant = newTenant();
    const record = testRecord(MARCH + 5, 1);
    await writeRecord(tenant, record, MARCH + 10);
    let puts = 0;
    const crashing = testComputer({
      ledger,
      clock: () => NOW,
      rollups: {
        ...rollupWriter('rollups'),
        put: async (...args) => {
          puts += 1;
          if (puts === 2) throw new Error('the process crashed');
          return rollupWriter('rollups').put(...args);
        },
      },
    });
    expect(await crashing(tenant, [minuteOf(MARCH)])).toEqual({
      left: [minuteOf(MARCH)],
      failure: new Error('the process crashed'),
    });

    await compute(tenant, [minuteOf(MARCH)]);

    expect(await rolledUp(tenant, MARCH, MARCH + LENGTH.day)).toEqual(
      await scan(tenant, MARCH, MARCH + LENGTH.day),
    );
  });

  it('contain the time at which they were computed', async () => {
    const tenant = newTenant();
    await writeRecord(tenant, testRecord(MARCH, 1), MARCH);
    await compute(tenant, [minuteOf(MARCH)]);

    const [day] = await reader.read(tenant.tenant_id, { grain: 'day', from: MARCH, to: MARCH + LENGTH.day });

    expect(day).toMatchObject({ grain: 'day', start: startOf('day', MARCH), asOf: NOW });
  });
});

describe('minutes of several hours', () => {
  const HOURS = 4;
  /** A tenant with a call in each of some hours, and a computer that counts its writes and may fail at one of them. */
  const startScene = async (failsAt: (start: number) => boolean = () => false) => {
    const tenant = newTenant();
    const starts = Array.from({ length: HOURS }, (_, hour) => MARCH + hour * LENGTH.hour);
    for (const [index, start] of starts.entries())
      await writeRecord(tenant, testRecord(start, index), start + 1_000);
    const written: string[] = [];
    const stored = rollupWriter('rollups');
    const computeCounted = testComputer({
      ledger,
      clock: () => NOW,
      rollups: {
        ...stored,
        put: async (tenantId, rollup, revision) => {
          if (rollup.grain === 'minute' && failsAt(rollup.start)) throw new Error('no capacity');
          written.push(rollup.grain);
          return stored.put(tenantId, rollup, revision);
        },
      },
    });
    return { tenant, minutes: starts.map(minuteOf), written, computeCounted };
  };

  it('are left when the time is over, after one range with its hour and its day', async () => {
    const { tenant, minutes, written, computeCounted } = await startScene();

    const { left } = await computeCounted(tenant, minutes, () => false);

    expect(left).toEqual(minutes.slice(1));
    expect(written).toEqual(['minute', 'hour', 'day']);
  });

  it('are summed, except for an hour that fails', async () => {
    const { tenant, minutes, computeCounted } = await startScene((start) => start === MARCH + LENGTH.hour);

    expect(await computeCounted(tenant, minutes)).toEqual({
      left: [minutes[1]],
      failure: new Error('no capacity'),
    });

    await compute(tenant, [minutes[1] ?? 0]);
    expect(await rolledUp(tenant, MARCH, MARCH + LENGTH.day)).toEqual(
      await scan(tenant, MARCH, MARCH + LENGTH.day),
    );
  });
});

describe('scattered minutes of an ended hour', () => {
  const scattered = [0, 20, 40].map((minute) => MARCH + minute * LENGTH.minute);
  /** A call in each of the minutes, and so many calls in a minute between them that has not changed. */
  const startScene = async (between: number) => {
    const tenant = newTenant();
    for (const [index, start] of scattered.entries())
      await writeRecord(tenant, testRecord(start, index), start + 1_000);
    const quiet = MARCH + 10 * LENGTH.minute;
    for (let index = 0; index < between; index += 1)
      await writeRecord(tenant, testRecord(quiet + index, 100 + index), quiet + LENGTH.minute);
    const counting = countingReader(ledger);
    await testComputer({ ledger: counting.reader, clock: () => NOW })(tenant, scattered.map(minuteOf));
    return { tenant, reads: counting.take().reads };
  };

  it('are read with one query', async () => {
    const { tenant, reads } = await startScene(5);

    expect(reads).toBe(1);
    for (const start of scattered) {
      const minute = { from: start, to: start + LENGTH.minute };
      expect(await rolledUp(tenant, minute.from, minute.to)).toEqual(
        await scan(tenant, minute.from, minute.to),
      );
    }
  });

  it('are read one after the other if there are many records between them', async () => {
    const { tenant, reads } = await startScene(260);

    expect(reads).toBe(1 + scattered.length);
    await compute(tenant, [minuteOf(MARCH) + 10]);
    expect(await rolledUp(tenant, MARCH, MARCH + LENGTH.hour)).toEqual(
      await scan(tenant, MARCH, MARCH + LENGTH.hour),
    );
  });
});

describe('an open hour', () => {
  const noon = { from: MARCH, to: MARCH + LENGTH.day };
  const HOUR = { grain: 'hour', from: MARCH, to: MARCH + LENGTH.hour } as const;

  it('is added up from its minutes, and stored after its end', async () => {
    const tenant = newTenant();
    const { tenant_id: tenantId } = tenant;
    const time = { now: MARCH + 10 * LENGTH.minute };
    const computeNow = testComputer({ ledger, clock: () => time.now });
    await writeRecord(tenant, testRecord(MARCH, 1), MARCH + 5);
    await writeRecord(tenant, testRecord(MARCH + LENGTH.minute, 2), MARCH + 5);

    await computeNow(tenant, [minuteOf(MARCH), minuteOf(MARCH) + 1]);
    expect(await rollupWriter('rollups').readHeads(tenantId, HOUR)).toEqual([]);
    expect(await rolledUp(tenant, noon.from, noon.to)).toEqual(await scan(tenant, noon.from, noon.to));

    time.now = MARCH + 3 * LENGTH.hour;
    await computeNow(tenant, [minuteOf(MARCH)]);
    expect(await rollupWriter('rollups').readHeads(tenantId, HOUR)).toMatchObject([
      { content: { versions: 2 } },
    ]);
    expect(await rollupWriter('rollups').openPeriods(tenantId)).toEqual([{ grain: 'day', start: MARCH }]);
    expect(await rolledUp(tenant, noon.from, noon.to)).toEqual(await scan(tenant, noon.from, noon.to));
  });

  it('is stored by a writer that was late, though it was open when the writer started', async () => {
    const tenant = newTenant();
    const time = { now: MARCH + LENGTH.hour - 1 };
    await writeRecord(tenant, testRecord(MARCH, 1), MARCH + 5);
    const writer = rollupWriter('rollups');
    const computeSlowly = testComputer({
      ledger,
      clock: () => time.now,
      rollups: {
        ...writer,
        put: async (...args) => {
          // Another process closes the hour in the meantime.
          await writer.closePeriod(tenant.tenant_id, { grain: 'hour', start: MARCH });
          time.now = MARCH + LENGTH.hour + LENGTH.minute;
          return writer.put(...args);
        },
      },
    });

    await computeSlowly(tenant, [minuteOf(MARCH)]);

    expect(await writer.readHeads(tenant.tenant_id, HOUR)).toMatchObject([{ content: { versions: 1 } }]);
  });
});

describe('tags', () => {
  it('tell groups apart only if they are watched', () => {
    const times = { occurredAt: MARCH, receivedAt: MARCH, residency: null };
    const record = attribute(anEvent({ tags: ['red', 'blue', 'red'] }), times, aTenant(), noFactors);

    const tags = [[], ['red'], ['blue', 'green', 'red']].map(
      (watched) => groupOf(record, { watched: new Set(watched), costAllocation: [] }).dimensions.tags,
    );

    expect(tags).toEqual([[], ['red'], ['blue', 'red']]);
  });

  it('tell groups apart by the keys that are cost allocation tags on the day of the call', () => {
    const costAllocation = [{ from: '2026-03-02', keys: ['env'] }];
    const valuesAt = (occurredAt: number) => {
      const times = { occurredAt, receivedAt: occurredAt, residency: null };
      const record = attribute(anEvent({ tags: ['env:prod', 'team:ads'] }), times, aTenant(), noFactors);
      return groupOf(record, { watched: new Set(), costAllocation }).dimensions.cost_allocation_tags;
    };

    expect(valuesAt(Date.parse('2026-03-01T23:59:59Z'))).toEqual({});
    expect(valuesAt(Date.parse('2026-03-02'))).toEqual({ env: 'prod' });
  });
});

it('minutes that are left in a run tell apart the tags of a budget that comes meanwhile', async () => {
  const tenant = newTenant();
  const starts = [MARCH, MARCH + LENGTH.hour];
  for (const [index, start] of starts.entries())
    await writeRecord(tenant, testRecord(start, index), start + 1_000);
  const writer = rollupWriter('rollups');
  let tags: ReadonlySet<string> = new Set();
  const stores = { ledger, clock: () => NOW, watchedTags: async () => tags };
  const computeWhileBudgetComes = testComputer({
    ...stores,
    rollups: {
      ...writer,
      put: async (...args) => {
        if (tags.size === 0) {
          tags = new Set(['team:search']);
          await testComputer(stores)(tenant, starts.map(minuteOf));
        }
        return writer.put(...args);
      },
    },
  });

  await computeWhileBudgetComes(tenant, starts.map(minuteOf));

  for (const from of starts) {
    const heads = await writer.readHeads(tenant.tenant_id, {
      grain: 'minute',
      from,
      to: from + LENGTH.minute,
    });
    expect(heads.map((head) => head.tags)).toEqual([['team:search']]);
  }
});

describe('a rollup of many groups', () => {
  const groupsOf = (count: number, tag: string): RollupGroup[] =>
    Array.from({ length: count }, (_, index) => ({
      dimensions: Dimensions.parse({
        owner: `owner ${index} ${tag}`,
        service: null,
        provider: 'openai',
        served_model: 'gpt-4o',
        pathway_category: 'application_direct',
        region: null,
        residency: null,
        tags: [],
        cost_allocation_tags: {},
        output_state: 'deterministically_resolved',
        confidence_band: 'chargeback_ready',
      }),
      figures: { ...noFigures, invocations: 1 },
    }));

  it('is stored in parts, and its old parts are removed when it shrinks', async () => {
    const { tenant_id: tenantId } = newTenant();
    const writer = rollupWriter('rollups');
    const put = async (count: number, tag: string) => {
      const revision = await writer.readRevision(tenantId, 'hour', MARCH);
      const rollup = { start: MARCH, grain: 'hour', asOf: NOW, groups: groupsOf(count, tag) } as const;
      return writer.put(tenantId, rollup, revision);
    };
    const range = { grain: 'hour', from: MARCH, to: MARCH + LENGTH.hour } as const;
    await put(5_000, 'first');
    const [large] = await reader.read(tenantId, range);

    await put(2, 'second');
    const [small] = await reader.read(tenantId, range);

    expect(large?.groups).toEqual(groupsOf(5_000, 'first'));
    expect(small?.groups).toEqual(groupsOf(2, 'second'));
  });

  it('removes the parts of a writer that died before the head, once another has made its revision', async () => {
    const { tenant_id: tenantId } = newTenant();
    const writer = rollupWriter('rollups');
    const put = async (tag: string) => {
      const revision = await writer.readRevision(tenantId, 'hour', MARCH);
      const rollup = { start: MARCH, grain: 'hour', asOf: NOW, groups: groupsOf(5_000, tag) } as const;
      return writer.put(tenantId, rollup, revision);
    };
    const range = { grain: 'hour', from: MARCH, to: MARCH + LENGTH.hour } as const;
    const rows = async () => (await readItems('rollups', partitionOf(tenantId, 'hour', MARCH), range)).length;
    await put('first');
    const sound = await rows();
    const head = headKeyOf({ start: MARCH, shard: 0 });
    const part = {
      pk: partitionOf(tenantId, 'hour', MARCH),
      sk: partKeyOf(head, generationOf(2, 'dead'), 0),
    };
    const Item = Object.fromEntries(Object.entries(part).map(([name, S]) => [name, { S }]));
    await live.client.send(new PutItemCommand({ TableName: 'rollups', Item }));

    await writer.readHeads(tenantId, range);
    // Its head may still come.
    expect(await rows()).toBe(sound + 1);
    await put('second');
    await writer.readHeads(tenantId, range);

    expect(await rows()).toBe(sound);
    expect((await reader.read(tenantId, range))[0]?.groups).toEqual(groupsOf(5_000, 'second'));
  });

  it('is not written over a revision that was not read', async () => {
    const { tenant_id: tenantId } = newTenant();
    const writer = rollupWriter('rollups');
    const rollup = { start: MARCH, grain: 'day', asOf: NOW, groups: groupsOf(1, 'x') } as const;
    const revision = await writer.readRevision(tenantId, 'day', MARCH);

    const outcomes = [
      await writer.put(tenantId, rollup, revision),
      await writer.put(tenantId, rollup, revision),
    ];

    expect(outcomes).toEqual([true, false]);
  });
});
