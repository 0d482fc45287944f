import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { DAY_MS } from '../../../schemas/durations.ts';
import { optionalCall } from '../../platform/shared/aws/calls/optionalCall.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

/**
 * The stages of a call on its way into the ledger: `accepted` by the API, and `recorded`. Pending marks
 * (`functions/ledger/rollups`) tell which recorded calls are missing in the totals.
 */
export type Stage = 'accepted' | 'recorded';

/** How long a window is kept. Work that is a day late has long raised an alarm. */
export const PROGRESS_RETENTION_MS = DAY_MS;

/**
 * The time windows in which calls of a tenant reached a stage. Windows are identified by their start, epoch milliseconds.
 */
export interface ProgressStore {
  readonly put: (tenantId: string, stage: Stage, window: number) => Promise<void>;
  /** The newest window from `from` to `to`, or the oldest one; both ends inclusive. Null if there is none. */
  readonly find: (
    tenantId: string,
    stage: Stage,
    range: { readonly from: number; readonly to: number; readonly newest: boolean },
  ) => Promise<number | null>;
}

export const progressStore = (table: string): ProgressStore => ({
  put: async (tenantId, stage, window) => {
    await dynamodb.send(
      new PutItemCommand({
        TableName: table,
        Item: {
          pk: { S: `${tenantId}#${stage}` },
          sk: { S: toIso(window) },
          ttl: { N: String(Math.ceil((window + PROGRESS_RETENTION_MS) / 1_000)) },
        },
      }),
      optionalCall(),
    );
  },
  find: async (tenantId, stage, { from, to, newest }) => {
    if (from > to) return null;
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': { S: `${tenantId}#${stage}` },
          ':from': { S: toIso(from) },
          ':to': { S: toIso(to) },
        },
        ScanIndexForward: !newest,
        Limit: 1,
      }),
      optionalCall(),
    );
    const start = Items[0]?.['sk']?.S;
    return start === undefined ? null : Date.parse(start);
  },
});
