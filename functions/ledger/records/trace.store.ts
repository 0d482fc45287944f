import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { batchGet } from '../../platform/shared/aws/batchGet.store.ts';
import { batchedPut } from '../../platform/shared/aws/batchPut.store.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { singleFlightBatch } from '../../platform/shared/singleFlightBatch.ts';
import { RETENTION_MILLISECONDS } from './ledgerItem.ts';
import { Span } from './traceSpan.ts';

/** Spans are kept as long as their records, because records are looked up by trace through them. */
const RETENTION_SECONDS = RETENTION_MILLISECONDS / 1_000;

/** The most spans of one trace that are correlated. Further spans of a longer trace neither use nor provide evidence. */
const MAX_SPANS = 1_000;

/** Identifies the row of a span within its trace. */
type SpanKey = Pick<Span, 'record' | 'observer'>;

export interface TraceStore {
  /** Writes a span, or replaces it. `at` is the current time in epoch milliseconds. Returns the id of this write. */
  readonly put: (tenantId: string, traceId: string, span: Span, at: number) => Promise<string>;
  /** The spans of a trace, strongly consistent, at most 1,000. */
  readonly spans: (tenantId: string, traceId: string) => Promise<Span[]>;
  /** Tells the process that wrote a span, and may not have written its record, that another span concerns it. */
  readonly touch: (tenantId: string, traceId: string, span: SpanKey) => Promise<void>;
  /** Whether nobody has touched or replaced a span since the write with this id. Strongly consistent. */
  readonly isUntouched: (
    tenantId: string,
    traceId: string,
    span: SpanKey,
    writeId: string,
  ) => Promise<boolean>;
}

const partitionOf = (tenantId: string, traceId: string): string => `${tenantId}#${traceId}`;

type Key = { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } };

const keyOf = (tenantId: string, traceId: string, { record, observer }: SpanKey): Key => ({
  pk: { S: partitionOf(tenantId, traceId) },
  sk: { S: observer === undefined ? record : `${record}#${observer}` },
});

/** The row of a span. `at`: when it is written, or was written first, in epoch milliseconds. */
export const toSpanItem = (
  tenantId: string,
  traceId: string,
  { record, observer, ...document }: Span,
  { writeId, at }: { readonly writeId: string; readonly at: number },
): Record<string, AttributeValue> => ({
  ...keyOf(tenantId, traceId, { record, observer }),
  span: { S: JSON.stringify(document) },
  write: { S: writeId },
  ttl: { N: String(Math.ceil(at / 1_000) + RETENTION_SECONDS) },
});

const nameOf = ({ pk, sk }: Record<string, AttributeValue>): string => `${pk?.S} ${sk?.S}`;

export const traceStore = (table: string, newWriteId: () => string = randomUUID): TraceStore => {
  // A span follows from its event, so it needs no condition.
  const putItem = batchedPut(table, nameOf);
  /** The ids of the last writes of rows. A row that was touched has none. */
  const writeIds = singleFlightBatch<Key, ReadonlyMap<string, string | undefined>>(async (keys) => {
    const distinct = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
    const rows = await batchGet(table, distinct, { isConsistent: true });
    return new Map(rows.map((row) => [nameOf(row), row['write']?.S]));
  });
  return {
    put: async (tenantId, traceId, span, at) => {
      const writeId = newWriteId();
      await putItem(toSpanItem(tenantId, traceId, span, { writeId, at }));
      return writeId;
    },
    spans: async (tenantId, traceId) => {
      const { Items = [] } = await dynamodb.send(
        new QueryCommand({
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: partitionOf(tenantId, traceId) } },
          Limit: MAX_SPANS,
        }),
      );
      return Items.map((item) => {
        const [record, observer] = (item['sk']?.S ?? '').split('#');
        return Span.parse({ ...JSON.parse(item['span']?.S ?? '{}'), record, observer });
      });
    },
    touch: async (tenantId, traceId, span) => {
      try {
        await dynamodb.send(
          new UpdateItemCommand({
            TableName: table,
            Key: keyOf(tenantId, traceId, span),
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
    isUntouched: async (tenantId, traceId, span, writeId) => {
      const key = keyOf(tenantId, traceId, span);
      return (await writeIds(table, key)).get(nameOf(key)) === writeId;
    },
  };
};
