import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { batchGet } from '../../../platform/shared/aws/batchGet.store.ts';
import { batchedPut } from '../../../platform/shared/aws/batchPut.store.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { singleFlightBatch } from '../../../platform/shared/singleFlightBatch.ts';
import { RETENTION_MILLISECONDS } from '../ledgerItem.ts';
import { tracePartition } from './tracePartition.ts';
import { Span } from './traceSpan.ts';

/** Spans are kept as long as their records, because records are looked up by trace through them. */
const RETENTION_SECONDS = RETENTION_MILLISECONDS / 1_000;

/** The most spans of one trace that are correlated. Further spans of a longer trace neither use nor provide evidence. */
const MAX_SPANS = 1_000;

/** Identifies the row of a span within its trace. */
type SpanKey = Pick<Span, 'record' | 'observer' | 'lane' | 'connector'>;

export interface TraceStore {
  /** Writes a span, or replaces it. `at` is the current time in epoch milliseconds. Returns the id of this write. */
  readonly put: (tenantId: string, traceId: string, span: Span, at: number) => Promise<string>;
  /**
   * The spans of a trace in a lane, strongly consistent, at most 1,000, those of the tenant first. Without a lane: in the home
   * lane.
   */
  readonly spans: (tenantId: string, traceId: string, lane: string | undefined) => Promise<Span[]>;
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

type Key = { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } };

/**
 * Sort keys: spans of the tenant in its home lane (`ULID`), those of connectors there (`~client#ULID`), those of other lanes
 * (`~~lane#ULID`, `~~lane#~client#ULID`). So spans of one lane never count towards the limit of another, nor those of a
 * connector towards that of the tenant.
 */
const LANE = '~~';
const CONNECTOR = '~';
/** The name of a lane may contain the separator. */
const laneKey = (lane: string): string => LANE + encodeURIComponent(lane);
const laneRange = (lane: string | undefined): readonly [from: string, to: string] =>
  lane === undefined ? ['0', LANE] : [`${laneKey(lane)}#`, `${laneKey(lane)}#~~`];

const keyOf = (tenantId: string, traceId: string, { record, observer, lane, connector }: SpanKey): Key => ({
  pk: { S: tracePartition(tenantId, traceId) },
  sk: {
    S: [
      ...(lane === undefined ? [] : [laneKey(lane)]),
      ...(connector === undefined ? [] : [`${CONNECTOR}${connector}`]),
      record,
      ...(observer === undefined ? [] : [observer]),
    ].join('#'),
  },
});

/** The ULID of the record, and the observer, at the end of a sort key. */
export const SPAN_NAME = /(?:^|#)(?<record>[0-9A-HJKMNP-TV-Z]{26})(?:#(?<observer>[\w-]+))?$/;

/** The row of a span. `at`: when it is written, or was written first, in epoch milliseconds. */
export const toSpanItem = (
  tenantId: string,
  traceId: string,
  { record, observer, lane, connector, ...document }: Span,
  { writeId, at }: { readonly writeId: string; readonly at: number },
): Record<string, AttributeValue> => ({
  ...keyOf(tenantId, traceId, { record, observer, lane, connector }),
  span: { S: JSON.stringify({ ...document, lane, connector }) },
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
    spans: async (tenantId, traceId, lane) => {
      const [from, to] = laneRange(lane);
      const { Items = [] } = await dynamodb.send(
        new QueryCommand({
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': { S: tracePartition(tenantId, traceId) },
            ':from': { S: from },
            ':to': { S: to },
          },
          Limit: MAX_SPANS,
        }),
      );
      return Items.map((item) => {
        const name = SPAN_NAME.exec(item['sk']?.S ?? '')?.groups;
        return Span.parse({ ...JSON.parse(item['span']?.S ?? '{}'), ...name });
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
