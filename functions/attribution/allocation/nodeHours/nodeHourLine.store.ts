import { NodeHourLine } from '../../../../schemas/attribution/nodeHours.ts';
import { RETENTION_MILLISECONDS } from '../../../ledger/records/ledgerItem.ts';
import { putWithoutTransaction } from '../../../platform/shared/aws/document.store.ts';
import { queryPages } from '../../../platform/shared/aws/queryPages.store.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { compareKeys } from '../../../platform/shared/largestRemainder.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { endsOfHeld } from '../../../platform/shared/time/lease.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';

const partitionOf = (tenantId: string): string => `${tenantId}#nodeHours`;

/** A pool can have the name of a person, and keys have none. */
const keyOf = ({ hour, pool }: NodeHourLine): string =>
  `${hour}#${sha256Of('node pool', pool).toString('hex').slice(0, 16)}`;

export interface NodeHourLineWriter {
  /** Stores the line of a pool and hour, unless a later one is stored. One that is later than now is of a clock that was ahead. */
  readonly put: (tenantId: string, line: NodeHourLine) => Promise<void>;
}

export const nodeHourLineWriter = (table: string, clock: Clock): NodeHourLineWriter => ({
  put: async (tenantId, line) => {
    await putWithoutTransaction({
      TableName: table,
      Item: {
        pk: { S: partitionOf(tenantId) },
        sk: { S: keyOf(line) },
        as_of: { S: line.as_of },
        document: { S: JSON.stringify(line) },
        ttl: { N: String(Math.ceil((Date.parse(line.hour) + RETENTION_MILLISECONDS) / 1_000)) },
      },
      ConditionExpression: 'attribute_not_exists(pk) OR as_of <= :as_of OR as_of > :latest',
      ExpressionAttributeValues: {
        ':as_of': { S: line.as_of },
        ':latest': { S: toIso(endsOfHeld(0, clock()).last) },
      },
    });
  },
});

export interface NodeHourLineReader {
  /** The lines of the hours that begin in a period, by hour and pool. */
  readonly list: (tenantId: string, period: Interval) => Promise<NodeHourLine[]>;
}

export const nodeHourLineReader = (table: string): NodeHourLineReader => ({
  list: async (tenantId, { from, to }) => {
    const lines: NodeHourLine[] = [];
    const query = {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': { S: partitionOf(tenantId) },
        ':from': { S: toIso(from) },
        // Below every pool of the hour that begins at the end.
        ':to': { S: toIso(to) },
      },
    };
    for await (const page of queryPages(query)) {
      for (const item of page) lines.push(NodeHourLine.parse(JSON.parse(item['document']?.S ?? '')));
    }
    return lines.toSorted(
      (one, other) => compareKeys(one.hour, other.hour) || compareKeys(one.pool, other.pool),
    );
  },
});
