import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';

/** Calls in flight: this must not take the throughput of writers. */
const CONCURRENCY = 8;

/** Moves the expiry of rows of a ledger partition to `until` (epoch milliseconds). Rows that are gone stay so. */
export type ExtendExpiry = (partition: string, keys: readonly string[], until: number) => Promise<void>;

export const expiryExtender =
  (table: string): ExtendExpiry =>
  async (partition, keys, until) => {
    const extend = async (key: string): Promise<void> => {
      try {
        await dynamodb.send(
          new UpdateItemCommand({
            TableName: table,
            Key: { pk: { S: partition }, sk: { S: key } },
            UpdateExpression: 'SET #ttl = :until',
            // Without the check, an update of a deleted row would create an incomplete one.
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeNames: { '#ttl': 'ttl' },
            ExpressionAttributeValues: { ':until': { N: String(Math.ceil(until / 1_000)) } },
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    };
    await pMap(keys, extend, { concurrency: CONCURRENCY });
  };
