import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type CounterName, Counts, counterNames } from '../../schemas/diagnostics.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';

/** Limits each attempt, so that a slow table does not delay the counted operation. */
const REQUEST_TIMEOUT_MS = 500;
const RETENTION_SECONDS = 8 * 24 * 60 * 60;

/** The UTC hour of an instant (epoch milliseconds) as a sort key: `2026-03-01T09`. */
export const hourOf = (at: number): string => new Date(at).toISOString().slice(0, 13);

export interface CounterStore {
  /** Adds counts to the counters of a tenant and hour. */
  readonly add: (tenantId: string, hour: string, counts: ReadonlyMap<CounterName, number>) => Promise<void>;
}

export const counterStore = (table: string): CounterStore => ({
  add: async (tenantId, hour, counts) => {
    const entries = [...counts];
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { pk: { S: tenantId }, sk: { S: hour } },
        UpdateExpression: `ADD ${entries.map((_, index) => `#n${index} :n${index}`).join(', ')} SET #ttl = :ttl`,
        ExpressionAttributeNames: {
          ...Object.fromEntries(entries.map(([name], index) => [`#n${index}`, name])),
          '#ttl': 'ttl',
        },
        ExpressionAttributeValues: {
          ...Object.fromEntries(entries.map(([, count], index) => [`:n${index}`, { N: String(count) }])),
          ':ttl': { N: String(Date.parse(`${hour}:00:00Z`) / 1_000 + RETENTION_SECONDS) },
        },
      }),
      { requestTimeout: REQUEST_TIMEOUT_MS },
    );
  },
});

export interface CounterReader {
  /** The sum of the counters from the hour of `from` to the hour of `to`, both inclusive (epoch milliseconds). */
  readonly between: (tenantId: string, from: number, to: number) => Promise<Counts>;
}

export const counterReader = (table: string): CounterReader => ({
  between: async (tenantId, from, to) => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': { S: tenantId },
          ':from': { S: hourOf(from) },
          ':to': { S: hourOf(to) },
        },
      }),
    );
    const totalOf = (name: CounterName): number =>
      Items.reduce((total, item) => total + Number(item[name]?.N ?? 0), 0);
    return Counts.parse(Object.fromEntries(counterNames.map((name) => [name, totalOf(name)])));
  },
});
