import { type AttributeValue, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DAY_SECONDS } from '../../../../schemas/durations.ts';
import { batchedPut } from '../../../platform/shared/aws/batches/batchPut.store.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { ulidTime } from '../../../platform/shared/ulid.ts';
import { ObservedUse, type ObserverKind } from './observedUse.ts';

/** Logs that are sent later are not compared with other observations of their calls. */
const RETENTION_DAYS = 35;
/** Most kinds of observers of a tenant that are compared, each in up to six rows. */
const KINDS_MAXIMUM = 128;
/** Most observations that are compared with one. */
const USES_MAXIMUM = 200;

export interface ObservedUseStore {
  /** Notes that a kind of observer reports calls. Keeps the time of its first report. */
  readonly noteKind: (tenantId: string, observer: ObserverKind) => Promise<void>;
  /** The kinds of observers of a tenant. Strongly consistent. */
  readonly kinds: (tenantId: string) => Promise<ObserverKind[]>;
  /** Writes an observation. `shared`: what observations of one call share, its lane and its token counts or its trace. `at`: the current time. */
  readonly put: (tenantId: string, shared: string, use: ObservedUse, at: number) => Promise<void>;
  /** Observations that share this and began in a period. Strongly consistent. Null if there are too many. */
  readonly uses: (
    tenantId: string,
    shared: string,
    period: { readonly from: number; readonly to: number },
  ) => Promise<ObservedUse[] | null>;
}

const ttl = (at: number) => ({ N: String(Math.ceil(at / 1_000) + RETENTION_DAYS * DAY_SECONDS) });
const kindsPartition = (tenantId: string): string => `${tenantId}#observers`;
const usesPartition = (tenantId: string, shared: string): string => `${tenantId}#use#${shared}`;

const nameOf = ({ pk, sk }: Record<string, AttributeValue>): string => `${pk?.S} ${sk?.S}`;

/** Rows beside the traces. */
export const observedUseStore = (table: string, putItem = batchedPut(table, nameOf)): ObservedUseStore => ({
  noteKind: async (tenantId, { kind, nearness, isWeak, isTraced, isUncounted, since }) => {
    const marks = `${isWeak ? '#weak' : ''}${isTraced ? '#traced' : ''}${isUncounted ? '#uncounted' : ''}`;
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { pk: { S: kindsPartition(tenantId) }, sk: { S: `${kind}${marks}` } },
        UpdateExpression: 'SET since = if_not_exists(since, :since), nearness = :nearness, #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':since': { N: String(since) },
          ':nearness': { N: String(nearness) },
          ':ttl': ttl(since),
        },
      }),
    );
  },
  kinds: async (tenantId) => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: kindsPartition(tenantId) } },
        Limit: KINDS_MAXIMUM,
      }),
    );
    return Items.map(({ sk, since, nearness }) => {
      const [kind = '', ...marks] = (sk?.S ?? '').split('#');
      return {
        kind,
        nearness: Number(nearness?.N),
        isWeak: marks.includes('weak'),
        isTraced: marks.includes('traced'),
        isUncounted: marks.includes('uncounted'),
        since: Number(since?.N),
      };
    });
  },
  put: async (tenantId, shared, { record, kind, ...use }, at) => {
    await putItem({
      pk: { S: usesPartition(tenantId, shared) },
      sk: { S: `${record}#${kind}` },
      use: { S: JSON.stringify(use) },
      ttl: ttl(at),
    });
  },
  uses: async (tenantId, shared, { from, to }) => {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': { S: usesPartition(tenantId, shared) },
          ':from': { S: ulidTime(Math.max(from, 0)) },
          ':to': { S: `${ulidTime(to)}~` },
        },
        Limit: USES_MAXIMUM,
      }),
    );
    if (LastEvaluatedKey !== undefined) return null;
    return Items.map(({ sk, use }) => {
      const [record, kind] = (sk?.S ?? '').split('#');
      return ObservedUse.parse({ ...JSON.parse(use?.S ?? '{}'), record, kind });
    });
  },
});
