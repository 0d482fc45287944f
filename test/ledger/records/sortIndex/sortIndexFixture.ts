import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { attribute } from '../../../../functions/attribution/engine/attribute.ts';
import { reviser } from '../../../../functions/attribution/engine/revise.ts';
import type { Attribution } from '../../../../functions/ledger/records/attribution.ts';
import {
  type LedgerWriter,
  ledgerReader,
  ledgerWriter,
  toVersionItem,
} from '../../../../functions/ledger/records/ledger.store.ts';
import { recordPartitionOf, shardBitsOf } from '../../../../functions/ledger/records/ledgerKey.ts';
import { listRecordsSorted } from '../../../../functions/ledger/records/query/listRecordsSorted.ts';
import { versionBatchReader } from '../../../../functions/ledger/records/query/versionBatch.store.ts';
import {
  type RecordVersionStore,
  recordVersionStore,
} from '../../../../functions/ledger/records/recordVersion.store.ts';
import { sortIndexCompactor } from '../../../../functions/ledger/records/sortIndex/compactSortIndex.ts';
import { sortEntryOf } from '../../../../functions/ledger/records/sortIndex/sortEntry.ts';
import {
  type SortIndexCompactionStore,
  sortIndexCompactionStore,
} from '../../../../functions/ledger/records/sortIndex/sortIndexCompaction.store.ts';
import { sortIndexLog } from '../../../../functions/ledger/records/sortIndex/sortIndexLog.store.ts';
import {
  type SortIndexReader,
  sortIndexReader,
} from '../../../../functions/ledger/records/sortIndex/sortIndexReader.store.ts';
import { dynamodb } from '../../../../functions/platform/shared/aws/dynamodb.client.ts';
import { Big } from '../../../../functions/platform/shared/decimal.ts';
import { recordUlid } from '../../../../functions/platform/shared/ids.ts';
import { monthOf } from '../../../../functions/platform/shared/time/month.ts';
import { anEvent, noFactors } from '../../../attribution/engine/events.ts';
import { neverRaised } from '../../../attribution/engine/neverRaised.ts';
import { eventIdOf, newTenant } from '../ledgerFixture.ts';
import { type CrashPoint, interleaving } from './interleaving.ts';

/** Start time of the listing. */
const START = Date.parse('2026-07-01T00:00:00Z');
const DAY = 24 * 60 * 60 * 1_000;
const ALWAYS = { from: 0, to: Date.parse('9999-01-01') };

/** The parts of the index that a test replaces by wrong ones. */
export interface IndexParts {
  /** Each writer is a process with its own memory of the log. */
  readonly writer: () => LedgerWriter['add'];
  readonly compaction: SortIndexCompactionStore;
  readonly sortIndex: SortIndexReader;
  readonly announce: (store: RecordVersionStore) => RecordVersionStore['announce'];
}

const realParts = (): IndexParts => ({
  writer: () => ledgerWriter('ledger', () => 0).add,
  compaction: sortIndexCompactionStore('ledger'),
  sortIndex: sortIndexReader('ledger'),
  announce: (store) => store.announce,
});

const real = sortIndexCompactionStore('ledger');

/** Each part breaks one rule of the index. */
export const wrongParts: Readonly<Record<string, () => Partial<IndexParts>>> = {
  'a sort entry is logged after its record': () => ({
    writer: () => async (partition, ulid, attribution) => {
      const { record } = attribution;
      await dynamodb.send(
        new PutItemCommand({ TableName: 'ledger', Item: toVersionItem(partition, ulid, attribution, START) }),
      );
      await sortIndexLog('ledger').append(record.tenant_id, sortEntryOf(record, ulid));
      return true;
    },
  }),
  'a correction is not logged': () => ({ announce: () => async () => START + DAY }),
  'the cut moves before the blocks are written': () => ({
    compaction: {
      ...real,
      close: async (tenantId, state, shardBits) =>
        (await real.close(tenantId, state, shardBits)) &&
        (await real.moveCut(tenantId, state.cut, state.open + 1)),
      moveCut: async () => true,
    },
  }),
  'the generation stays open while its rows are read': () => ({
    compaction: { ...real, close: async () => true },
  }),
  'only the first shard of the log is read': () => ({
    compaction: {
      ...real,
      rows: (tenantId, state, generation) => real.rows(tenantId, { ...state, shardBits: 0 }, generation),
    },
  }),
  'blocks are read before the log': () => ({
    sortIndex: {
      blocks: async (tenantId, months) => {
        const small = await Promise.all(months.map((month) => real.smallBlocks(tenantId, month)));
        const state = await real.state(tenantId);
        const rows = [];
        for (let generation = state.cut; generation <= state.open; generation += 1)
          for await (const page of real.rows(tenantId, state, generation)) rows.push(...page);
        return [...small.flat().map(({ block }) => block), ...rows];
      },
    },
  }),
};

const costs = fc.constantFrom('1', '2', '3', '4', '5', null);
const crashes: fc.Arbitrary<CrashPoint | null> = fc.option(
  fc.record({ call: fc.nat({ max: 6 }), moment: fc.constantFrom('before', 'after') }),
);
export const scenes = fc.record({
  initial: fc.array(fc.record({ cost: costs, corrected: fc.option(costs) }), { maxLength: 3 }),
  isCompacted: fc.boolean(),
  /** A crashed writer is followed by another attempt, which may find another cost. */
  writers: fc.array(fc.record({ cost: costs, crash: crashes, retry: costs }), { minLength: 1, maxLength: 4 }),
  corrections: fc.array(fc.record({ record: fc.nat({ max: 2 }), cost: costs }), { maxLength: 2 }),
  compactions: fc.array(fc.record({ crash: crashes, times: fc.constantFrom(1, 2) }), {
    minLength: 1,
    maxLength: 3,
  }),
  listing: fc.record({ size: fc.integer({ min: 1, max: 3 }), descending: fc.boolean() }),
  /** Number of other calls before the listing starts. */
  delay: fc.nat({ max: 30 }),
  picks: fc.array(fc.nat({ max: 1_000 }), { minLength: 200, maxLength: 200 }),
});
type Scene = typeof scenes extends fc.Arbitrary<infer Value> ? Value : never;

const withCost = (
  attribution: Attribution,
  cost_usd: string | null,
  version: number,
  at: number,
): Attribution => ({
  ...attribution,
  record: { ...attribution.record, cost_usd, version, as_of: new Date(at).toISOString() },
});

/** What a listing found, and what it had to find: the records that existed when it started, with the cost of that time. */
export interface Listing {
  readonly found: readonly { readonly eventId: string; readonly cost: string | null }[];
  readonly required: ReadonlyMap<string, string | null>;
  readonly isOrdered: boolean;
}

/** Runs writers, corrections, compactions and a listing over the real code, with the calls in the order of the scene. */
export const runScene = async (scene: Scene, wrong: Partial<IndexParts> = {}): Promise<Listing> => {
  const parts = { ...realParts(), ...wrong };
  const tenant = newTenant();
  const committed = new Map<string, string | null>();

  const write = async (index: number, cost: string | null): Promise<void> => {
    const occurredAt = START - 40 * DAY + index * 10 * DAY;
    const event = anEvent({ event_id: eventIdOf(index) });
    const record = recordUlid(tenant.tenant_id, event.event_id, occurredAt, index % 2);
    const metadata = { occurredAt, receivedAt: START - DAY, residency: null, record };
    const attribution = withCost(attribute(event, metadata, tenant, noFactors), cost, 1, START - DAY);
    await ledgerWriter('ledger', () => 0).openMonth(
      tenant.tenant_id,
      monthOf(occurredAt),
      shardBitsOf(record),
    );
    if (await parts.writer()(recordPartitionOf(tenant, record), record, attribution)) {
      committed.set(event.event_id, cost);
    }
  };
  const correct = async (index: number, cost: string | null, at: number): Promise<void> => {
    const occurredAt = START - 40 * DAY + index * 10 * DAY;
    const ulid = recordUlid(tenant.tenant_id, eventIdOf(index), occurredAt, index % 2);
    const store = recordVersionStore('ledger', () => at);
    const versions = { ...store, announce: parts.announce(store) };
    const revise = reviser(versions, () => at, neverRaised);
    await revise(tenant, ulid, { claim: `${index} ${at}`, attempt: 1 }, (current, startsAt) =>
      withCost(current, cost, current.record.version + 1, startsAt()),
    );
  };
  const compact = () => sortIndexCompactor(parts.compaction)(tenant.tenant_id);

  for (const [index, { cost, corrected }] of scene.initial.entries()) {
    await write(index, cost);
    if (corrected === null) continue;
    await correct(index, corrected, START - 60_000);
    committed.set(eventIdOf(index), corrected);
  }
  if (scene.isCompacted) await compact();

  let calls = 0;
  const { start, finish } = interleaving((count) => {
    calls += 1;
    return (scene.picks[calls % scene.picks.length] ?? 0) % Math.max(1, count);
  });
  for (const [offset, { cost, crash, retry }] of scene.writers.entries()) {
    const index = scene.initial.length + offset;
    start(() => write(index, cost), crash);
    // The queue delivers the message again, at any time.
    if (crash !== null) start(() => write(index, retry));
  }
  for (const [order, { record, cost }] of scene.corrections.entries()) {
    if (record < scene.initial.length) start(() => correct(record, cost, START + 1_000 + order));
  }
  for (const { crash, times } of scene.compactions) {
    start(async () => {
      for (let time = 0; time < times; time += 1) await compact();
    }, crash);
  }

  const found: { eventId: string; cost: string | null }[] = [];
  let required = new Map<string, string | null>();
  start(async () => {
    const reader = ledgerReader('ledger', () => START);
    for (let call = 0; call < scene.delay; call += 1) await reader.months('nobody');
    required = new Map(committed);
    const stores = {
      ledger: reader,
      sortIndex: parts.sortIndex,
      versions: versionBatchReader('ledger', () => START),
    };
    let after: string | undefined;
    for (;;) {
      const page = await listRecordsSorted(stores, {
        tenant,
        period: ALWAYS,
        field: 'cost_usd',
        descending: scene.listing.descending,
        residency: null,
        asOf: START,
        limit: scene.listing.size,
        after,
      });
      for (const { attribution } of page.items) {
        found.push({ eventId: attribution.record.event_id, cost: attribution.record.cost_usd });
      }
      if (page.resume === null) return;
      after = page.resume;
    }
  });
  await finish();

  const sign = scene.listing.descending ? -1 : 1;
  const isOrdered = found.every(({ cost }, index) => {
    const previous = found[index - 1]?.cost;
    if (previous === undefined || cost === null) return true;
    return previous !== null && Big(previous).cmp(cost) * sign <= 0;
  });
  return { found, required, isOrdered };
};
