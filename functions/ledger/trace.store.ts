import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { RETENTION_MILLISECONDS } from './ledgerItem.ts';
import { Span } from './traceSpan.ts';

/** How long the spans of a trace are remembered, in seconds: as long as their records, which are found by them. */
const RETENTION_SECONDS = RETENTION_MILLISECONDS / 1_000;

/** The most spans of one trace that are put together; in a longer one the spans beyond learn nothing and teach nothing. */
const SPANS_MAXIMUM = 1_000;

export interface TraceStore {
  /** Makes a span known to the others of its trace. */
  readonly put: (tenantId: string, traceId: string, span: Span, at: number) => Promise<void>;
  /** The spans of a trace, strongly consistent. */
  readonly spans: (tenantId: string, traceId: string) => Promise<Span[]>;
}

const partitionOf = (tenantId: string, traceId: string): string => `${tenantId}#${traceId}`;

export const traceStore = (table: string): TraceStore => ({
  put: async (tenantId, traceId, span, at) => {
    const { record, ...document } = span;
    await dynamodb.send(
      new PutItemCommand({
        TableName: table,
        Item: {
          pk: { S: partitionOf(tenantId, traceId) },
          sk: { S: record },
          span: { S: JSON.stringify(document) },
          ttl: { N: String(Math.ceil(at / 1_000) + RETENTION_SECONDS) },
        },
      }),
    );
  },
  spans: async (tenantId, traceId) => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: partitionOf(tenantId, traceId) } },
        Limit: SPANS_MAXIMUM,
      }),
    );
    return Items.map((item) =>
      Span.parse({ ...JSON.parse(item['span']?.S ?? '{}'), record: item['sk']?.S ?? '' }),
    );
  },
});
