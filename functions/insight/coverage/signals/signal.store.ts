import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DAY_SECONDS } from '../../../../schemas/durations.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import type { Signal } from './parseSignal.ts';

/** Retention of events, and the period in which a duplicate (same source and id) is detected. */
const RETENTION_SECONDS = 30 * DAY_SECONDS;

/** `new`, `same` (a duplicate whose effects may be unfinished), or `other` (same source and id with other content). */
export type InsertOutcome = 'new' | 'same' | 'other';

export interface SignalStore {
  /**
   * Stores an event that arrived at `receivedAt` (epoch milliseconds), unless the caller has sent one with its source and id.
   * Both are names that anybody can choose, so those of one credential say nothing about events of another.
   */
  readonly insert: (
    caller: Pick<Caller, 'tenant' | 'kind' | 'principal'>,
    signal: Signal,
    receivedAt: number,
  ) => Promise<InsertOutcome>;
}

/** Digest without the instant, which is the arrival time when the event has none and so differs between retries. */
const digestOf = ({ at: _arrived, ...content }: Signal): string =>
  sha256Of('signal', JSON.stringify(content)).toString('base64url');

export const signalStore = (table: string): SignalStore => ({
  insert: async ({ tenant, kind, principal }, signal, receivedAt) => {
    const content = digestOf(signal);
    const name = sha256Of('signal id', kind, principal, signal.source, signal.id).toString('base64url');
    try {
      await dynamodb.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            pk: { S: `${tenant.tenant_id}#${name}` },
            content: { S: content },
            document: { S: JSON.stringify({ ...signal, stated_by: { kind, id: principal } }) },
            ttl: { N: String(Math.ceil(receivedAt / 1_000) + RETENTION_SECONDS) },
          },
          ConditionExpression: 'attribute_not_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return 'new';
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return error.Item?.['content']?.S === content ? 'same' : 'other';
    }
  },
});
