import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { batchGet } from '../../../platform/shared/aws/batchGet.store.ts';
import { batchedPut } from '../../../platform/shared/aws/batchPut.store.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { singleFlightBatch } from '../../../platform/shared/singleFlightBatch.ts';
import {
  calledKey,
  callerRange,
  fromSpanRow,
  isUsageRow,
  keyIn,
  nameOf,
  ownIdPrefix,
  ownIdRange,
  partitionOf,
  type RecordRef,
  type Row,
  recordKey,
  recordRange,
  toSpanRows,
  toUsageRow,
  touchKey,
  usagePrefix,
} from './traceRow.store.ts';
import { callersOf, type Span, type TraceLane } from './traceSpan.ts';

/** A part of the spans of a trace. `next` reads on; null at the end. */
export interface SpanPage {
  readonly spans: readonly Span[];
  readonly next: string | null;
}

/** A span that another one called. */
export interface CalledSpan extends Span {
  /** It, or a span below it, reports usage. */
  readonly hasUsage: boolean;
}
export interface CalledPage extends SpanPage {
  readonly spans: readonly CalledSpan[];
}

/** The spans next to a span, by key and strongly consistent. No read depends on the size of the trace. */
export interface TraceStore {
  /** Writes the rows of a span, or replaces them. `at`: the current time in epoch milliseconds. Returns the id of this write. */
  readonly put: (trace: TraceLane, span: Span, at: number) => Promise<string>;
  /** Forgets who called a span. */
  readonly detach: (trace: TraceLane, span: Span, at: number) => Promise<void>;
  /** What the observers of a record say about its span. */
  readonly ofRecord: (trace: TraceLane, ref: RecordRef) => Promise<readonly Span[]>;
  /** The first record of a party that reports a span. */
  readonly first: (trace: TraceLane, spanId: string, connector: string | undefined) => Promise<Span | null>;
  /** All records that report a span, at most `limit`. */
  readonly withId: (trace: TraceLane, spanId: string, limit: number) => Promise<SpanPage>;
  /** The spans that a span called, at most `limit`. */
  readonly calledBy: (trace: TraceLane, spanId: string, limit: number) => Promise<CalledPage>;
  /** What a party says about spans that a span called and that report usage, or have such a span below them. */
  readonly usageBelow: (
    trace: TraceLane,
    spanId: string,
    connector: string | undefined,
    limit: number,
  ) => Promise<SpanPage>;
  /** Records that a span below this one reports usage, for who called it. */
  readonly reportUsageBelow: (trace: TraceLane, span: Span, caller: string, at: number) => Promise<void>;
  /** The spans of a trace by record, at most `limit` after a key. */
  readonly page: (trace: TraceLane, after: string | null, limit: number) => Promise<SpanPage>;
  /** Tells the process that wrote a span, and may not have written its record, that another span concerns it. */
  readonly touch: (trace: TraceLane, span: Span) => Promise<void>;
  /** Whether nobody has touched or replaced a span since the write with this id. */
  readonly isUntouched: (trace: TraceLane, span: Span, writeId: string) => Promise<boolean>;
}

/** A record has at most eight observers of each credential. More rows of it than this are never read at once. */
const OBSERVERS_READ = 100;

export const traceStore = (table: string, newWriteId: () => string = randomUUID): TraceStore => {
  // A span follows from its event, so its rows need no condition.
  const putRow = batchedPut(table, nameOf);
  type Key = ReturnType<typeof keyIn>;
  /** The ids of the last writes of rows. A row that was touched has none. */
  const writeIds = singleFlightBatch<Key, ReadonlyMap<string, string | undefined>>(async (keys) => {
    const distinct = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
    const rows = await batchGet(table, distinct, { isConsistent: true });
    return new Map(rows.map((row) => [nameOf(row), row['write']?.S]));
  });

  const queryRows = async (
    trace: TraceLane,
    range: { readonly prefix: string } | { readonly from: string; readonly to: string },
    { limit, after = null }: { readonly limit: number; readonly after?: string | null },
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
        Limit: limit,
        ...(after !== null && { ExclusiveStartKey: keyIn(trace, after) }),
      }),
    );
    return { rows: Items, next: LastEvaluatedKey?.['sk']?.S ?? null };
  };
  const query = async (...request: Parameters<typeof queryRows>): Promise<SpanPage> => {
    const { rows, next } = await queryRows(...request);
    return { spans: rows.map(fromSpanRow), next };
  };

  return {
    put: async (trace, span, at) => {
      const writeId = newWriteId();
      await Promise.all(toSpanRows(trace, span, { writeId, at }).map((row) => putRow(row)));
      return writeId;
    },
    detach: async (trace, span, at) => {
      const written = { writeId: newWriteId(), at };
      await Promise.all(
        toSpanRows(trace, { ...span, parent_span_id: null }, written).map((row) => putRow(row)),
      );
      for (const caller of callersOf(span)) {
        for (const hasUsage of [true, false]) {
          const Key = keyIn(trace, calledKey(span, caller, hasUsage));
          await dynamodb.send(new DeleteItemCommand({ TableName: table, Key }));
        }
      }
    },
    ofRecord: async (trace, ref) => {
      const prefix = recordKey(ref);
      return (await query(trace, { prefix }, { limit: OBSERVERS_READ })).spans;
    },
    first: async (trace, spanId, connector) => {
      const prefix = ownIdPrefix(trace.lane, spanId, connector);
      return (await query(trace, { prefix }, { limit: 1 })).spans[0] ?? null;
    },
    withId: (trace, spanId, limit) => query(trace, { prefix: ownIdRange(trace.lane, spanId) }, { limit }),
    calledBy: async (trace, spanId, limit) => {
      const prefix = callerRange(trace.lane, spanId);
      const { rows, next } = await queryRows(trace, { prefix }, { limit });
      return { spans: rows.map((row) => ({ ...fromSpanRow(row), hasUsage: isUsageRow(row, prefix) })), next };
    },
    usageBelow: (trace, spanId, connector, limit) =>
      query(trace, { prefix: usagePrefix(trace.lane, spanId, connector) }, { limit }),
    reportUsageBelow: (trace, span, caller, at) => putRow(toUsageRow(trace, span, caller, at)),
    page: (trace, after, limit) => {
      const [from, to] = recordRange(trace.lane);
      return query(trace, { from, to }, { limit, after });
    },
    touch: async (trace, span) => {
      try {
        await dynamodb.send(
          new UpdateItemCommand({
            TableName: table,
            Key: keyIn(trace, touchKey(span)),
            UpdateExpression: 'REMOVE #write',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeNames: { '#write': 'write' },
          }),
        );
      } catch (error) {
        // The row has expired.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
    isUntouched: async (trace, span, writeId) => {
      const key = keyIn(trace, touchKey(span));
      return (await writeIds(table, key)).get(nameOf(key)) === writeId;
    },
  };
};
