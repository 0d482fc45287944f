import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { batchGet } from '../../../platform/shared/aws/batches/batchGet.store.ts';
import { batchedInsert } from '../../../platform/shared/aws/batches/batchInsert.store.ts';
import { batchedPut } from '../../../platform/shared/aws/batches/batchPut.store.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../../../platform/shared/caches/singleFlightBatch.ts';
import { knownTraces } from './knownTraces.ts';
import { packedEntries } from './packedEntries.ts';
import { packedViews, type ViewsByLane } from './packedViews.ts';
import {
  FIRST_PACK,
  fromPackRows,
  isIndexed,
  newPackId,
  PACKS,
  packKey,
  toPackRow,
} from './tracePack.store.ts';
import {
  calledKey,
  expiryOf,
  fromSpanRow,
  keyIn,
  nameOf,
  partitionOf,
  type Row,
  spanKey,
  toRow,
  toSpanRows,
  toUsageRow,
} from './traceRow.store.ts';
import { callersOf, type Span, type TraceLane } from './traceSpan.ts';
import { type KeyRange, type TraceView, traceView } from './traceView.ts';

type OpenedPacks = 'indexed' | 'outgrown' | ViewsByLane;

/** A span that was written. `key`: its row, which others touch. */
export interface WrittenSpan {
  readonly key: ReturnType<typeof keyIn>;
  readonly writeId: string;
  readonly isPacked: boolean;
  /** Nothing else was stored of the trace before: it is this. */
  readonly opened?: OpenedPacks;
}

export interface TraceStore {
  /** Writes a span, with all spans of its trace that are written at the same time, or replaces it. `at`: the current time. */
  readonly put: (trace: TraceLane, span: Span, at: number) => Promise<WrittenSpan>;
  /**
   * The spans of a trace, strongly consistent, or as they were when a span was written. `at`: the current time. `outgrown`: its
   * packs hold too many. They must be indexed first.
   */
  readonly open: (trace: TraceLane, at: number, written?: WrittenSpan) => Promise<TraceView | 'outgrown'>;
  /** All spans of a trace that are in packs, of all lanes. */
  readonly packedSpans: (trace: TraceLane) => Promise<readonly Span[]>;
  /** Writes rows for each span in packs. */
  readonly index: (trace: TraceLane, spans: readonly Span[], at: number) => Promise<void>;
  /** From then on, the spans of a trace are read by key. */
  readonly noteIndexed: (trace: TraceLane, at: number) => Promise<void>;
  /** Forgets who called a span. */
  readonly detach: (trace: TraceLane, span: Span, at: number) => Promise<void>;
  /** Records that a span below this one reports usage, for who called it. */
  readonly reportUsageBelow: (trace: TraceLane, span: Span, caller: string, at: number) => Promise<void>;
  /** Tells the process that wrote a span, and may not have written its record, that another span concerns it. */
  readonly touch: (trace: TraceLane, span: Span) => Promise<void>;
  /** Whether nobody has touched or replaced a span since it was written. */
  readonly isUntouched: (written: WrittenSpan) => Promise<boolean>;
}

/** More spans, or more packs, than this are not read at once. A query of so many packs reads about 50 KB. */
const PACKED_MAXIMUM = { spans: 512, packs: 128 };
export const traceStore = (
  table: string,
  packedMaximum = PACKED_MAXIMUM,
  newWriteId: () => string = randomUUID,
): TraceStore => {
  // A span follows from its event, so its rows need no condition.
  const putRow = batchedPut(table, nameOf);
  const insertRow = batchedInsert(table, nameOf);
  const { stateOf, remember } = knownTraces();

  type Key = ReturnType<typeof keyIn>;
  /** The ids of the last writes of rows. A row that was touched has none. */
  const writeIds = singleFlightBatch<Key, ReadonlyMap<string, string | undefined>>(async (keys) => {
    const distinct = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
    const rows = await batchGet(table, distinct, { isConsistent: true });
    return new Map(rows.map((row) => [nameOf(row), row['write']?.S]));
  });

  const queryRows = async (
    trace: TraceLane,
    range: KeyRange,
    { limit, after = null }: { readonly limit?: number; readonly after?: string | null },
  ): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }> => {
    const isPrefix = 'prefix' in range;
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: isPrefix
          ? 'pk = :pk AND begins_with(sk, :prefix)'
          : 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': { S: partitionOf(trace) },
          ...(isPrefix
            ? { ':prefix': { S: range.prefix } }
            : { ':from': { S: range.from }, ':to': { S: range.to } }),
        },
        ...(limit !== undefined && { Limit: limit }),
        ...(after !== null && { ExclusiveStartKey: keyIn(trace, after) }),
      }),
    );
    return { rows: Items, next: LastEvaluatedKey?.['sk']?.S ?? null };
  };
  const indexedView = (trace: TraceLane): TraceView =>
    traceView(trace, null, async (range, page) => {
      const { rows, next } = await queryRows(trace, range, page);
      return { entries: rows.map(fromSpanRow), next };
    });

  const openedOf = (packs: readonly Row[]): OpenedPacks => {
    if (isIndexed(packs[0])) return 'indexed';
    const spans = packs.length <= packedMaximum.packs ? fromPackRows(packs) : null;
    return spans === null || spans.length > packedMaximum.spans ? 'outgrown' : packedViews(spans);
  };
  /** One query serves all spans of a trace that are stored together. */
  const readPacks = singleFlightBatch(async ([trace]: NonEmptyBatch<TraceLane>): Promise<OpenedPacks> => {
    const { rows, next } = await queryRows(trace, { prefix: PACKS }, { limit: packedMaximum.packs + 1 });
    // A page ends early if it is too large.
    return next !== null && !isIndexed(rows[0]) ? 'outgrown' : openedOf(rows);
  });

  const putRows = async (trace: TraceLane, span: Span, at: number): Promise<WrittenSpan> => {
    const writeId = newWriteId();
    const { evidence: _, packs: __, ...own } = span;
    await Promise.all(toSpanRows(trace, own, { writeId, at }).map((row) => putRow(row)));
    return { key: keyIn(trace, spanKey(span)), writeId, isPacked: false };
  };
  interface Putting {
    readonly trace: TraceLane;
    readonly span: Span;
    readonly at: number;
  }
  const putPack = singleFlightBatch(async (items: NonEmptyBatch<Putting>): Promise<WrittenSpan> => {
    const [{ trace, at }] = items;
    const spans = items.map(({ span: { packs: _, ...span } }) => span);
    const writeId = newWriteId();
    const rowOf = (pack: string): Row => toPackRow(trace, spans, { pack, writeId, at });
    const writtenIn = (pack: string) => ({ key: keyIn(trace, packKey(pack)), writeId, isPacked: true });
    // An insert that fails costs a write, so a process does not try it again.
    const isNew = stateOf(trace, at) === null;
    if (isNew) remember(trace, 'packed', at);
    const first = rowOf(FIRST_PACK);
    if (isNew && (await insertRow(first))) {
      return { ...writtenIn(FIRST_PACK), opened: openedOf([first]) };
    }
    const pack = newPackId(at, writeId);
    await putRow(rowOf(pack));
    return writtenIn(pack);
  });
  const put: TraceStore['put'] = (trace, span, at) =>
    stateOf(trace, at) === 'indexed'
      ? putRows(trace, span, at)
      : putPack(partitionOf(trace), { trace, span, at });

  return {
    put,
    open: async (trace, at, written) => {
      const partition = partitionOf(trace);
      const read = () => written?.opened ?? readPacks(partition, trace);
      const isIndexedTrace = stateOf(trace, at) === 'indexed';
      const packs = isIndexedTrace ? 'indexed' : await read();
      if (packs === 'outgrown') return packs;
      if (packs !== 'indexed') return packs(trace.lane);
      if (!isIndexedTrace) remember(trace, 'indexed', at);
      return indexedView(trace);
    },
    packedSpans: async (trace) => {
      const rows: Row[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page = await queryRows(trace, { prefix: PACKS }, { after: after ?? null });
        rows.push(...page.rows);
        after = page.next;
      }
      return fromPackRows(rows);
    },
    index: async (trace, spans, at) => {
      const rows = packedEntries(spans).map(({ sk, span: { evidence: _, ...span } }) =>
        toRow(trace, sk, span, at),
      );
      await Promise.all(rows.map((row) => putRow(row)));
    },
    noteIndexed: async (trace, at) => {
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: keyIn(trace, packKey(FIRST_PACK)),
          UpdateExpression: 'SET #indexed = :true, #ttl = :ttl',
          ExpressionAttributeNames: { '#indexed': 'indexed', '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':true': { BOOL: true }, ':ttl': expiryOf(at) },
        }),
      );
    },
    detach: async (trace, span, at) => {
      const { isPacked } = await put(trace, { ...span, parent_span_id: null }, at);
      if (isPacked) return;
      for (const caller of callersOf(span)) {
        for (const hasUsage of [true, false]) {
          const Key = keyIn(trace, calledKey(span, caller, hasUsage));
          await dynamodb.send(new DeleteItemCommand({ TableName: table, Key }));
        }
      }
    },
    reportUsageBelow: (trace, span, caller, at) => putRow(toUsageRow(trace, span, caller, at)),
    touch: async (trace, span) => {
      for (const sk of span.packs?.map(packKey) ?? [spanKey(span)]) {
        try {
          await dynamodb.send(
            new UpdateItemCommand({
              TableName: table,
              Key: keyIn(trace, sk),
              UpdateExpression: 'REMOVE #write',
              ConditionExpression: 'attribute_exists(pk)',
              ExpressionAttributeNames: { '#write': 'write' },
            }),
          );
        } catch (error) {
          // The row has expired.
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
        }
      }
    },
    isUntouched: async ({ key, writeId }) => (await writeIds(table, key)).get(nameOf(key)) === writeId,
  };
};
