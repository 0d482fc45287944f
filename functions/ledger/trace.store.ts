import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { batchedPut } from '../shared/aws/batchPut.store.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { RETENTION_MILLISECONDS } from './ledgerItem.ts';
import { Span } from './traceSpan.ts';

/** Spans are kept as long as their records, because records are looked up by trace through them. */
const RETENTION_SECONDS = RETENTION_MILLISECONDS / 1_000;

/** The most spans of one trace that are correlated. Further spans of a longer trace neither use nor provide evidence. */
const MAX_SPANS = 1_000;

export interface TraceStore {
  /** Writes a span, or replaces it. `at` is the current time in epoch milliseconds. */
  readonly put: (tenantId: string, traceId: string, span: Span, at: number) => Promise<void>;
  /** The spans of a trace, strongly consistent, at most 1,000. */
  readonly spans: (tenantId: string, traceId: string) => Promise<Span[]>;
}

const partitionOf = (tenantId: string, traceId: string): string => `${tenantId}#${traceId}`;

export const traceStore = (table: string): TraceStore => {
  // A span follows from its event, so it needs no condition.
  const putItem = batchedPut(table, ({ pk, sk }) => `${pk?.S} ${sk?.S}`);
  return {
    put: async (tenantId, traceId, span, at) => {
      const { record, observer, ...document } = span;
      await putItem({
        pk: { S: partitionOf(tenantId, traceId) },
        sk: { S: observer === undefined ? record : `${record}#${observer}` },
        span: { S: JSON.stringify(document) },
        ttl: { N: String(Math.ceil(at / 1_000) + RETENTION_SECONDS) },
      });
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
  };
};
