import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { sha256Of } from '../shared/hash.ts';
import type { Signal } from './parseSignal.ts';

/** How long an event is kept, and a second one of its source and id is known as such. */
const RETENTION_SECONDS = 30 * 24 * 60 * 60;

/** Whether an event is new; came before as it is, when whatever it brings about may be finished; or came with other content. */
export type InsertOutcome = 'new' | 'same' | 'other';

export interface SignalStore {
  /** Keeps an event that arrived at `receivedAt` (epoch milliseconds), unless one of its source and id is there. */
  readonly insert: (tenantId: string, signal: Signal, receivedAt: number) => Promise<InsertOutcome>;
}

/** The instant is left out: where an event names none, it is that of its arrival. */
const digestOf = ({ at: _arrived, ...content }: Signal): string =>
  sha256Of('signal', JSON.stringify(content)).toString('base64url');

export const signalStore = (table: string): SignalStore => ({
  insert: async (tenantId, signal, receivedAt) => {
    const content = digestOf(signal);
    const name = sha256Of('signal id', signal.source, signal.id).toString('base64url');
    try {
      await dynamodb.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            pk: { S: `${tenantId}#${name}` },
            content: { S: content },
            document: { S: JSON.stringify(signal) },
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
