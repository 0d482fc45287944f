import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { ulidTime } from '../../../platform/shared/ulid.ts';

/** Counts the stored versions of a ledger partition in a period. Epoch milliseconds, `to` excluded. */
export type CountVersions = (partition: string, period: Interval) => Promise<number>;

/** Eventually consistent, at half the price: a difference is checked again later. */
export const versionCounter =
  (table: string): CountVersions =>
  async (partition, { from, to }) => {
    let count = 0;
    let resume: Record<string, AttributeValue> | undefined;
    do {
      const { Count = 0, LastEvaluatedKey } = await dynamodb.send(
        new QueryCommand({
          TableName: table,
          Select: 'COUNT',
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': { S: partition },
            ':from': { S: ulidTime(from) },
            ':to': { S: `${ulidTime(to - 1)}~` },
          },
          ExclusiveStartKey: resume,
        }),
      );
      count += Count;
      resume = LastEvaluatedKey;
    } while (resume !== undefined);
    return count;
  };
