import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import type { AwsRequest } from '../../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { throttleTimeoutMs } from '../../../../functions/platform/shared/aws/calls/throttling.ts';
import { tableLimits } from '../../../../local/limits/enforceTableLimits.ts';
import type { Access } from '../../../../local/limits/limitState.ts';
import { throttle } from '../../../../local/limits/tableErrors.ts';
import { shareLimits, type Throughput } from '../../../../local/limits/throughput.ts';
import { type TableName, tableNames, tables } from '../../../../schemas/platform/tables.ts';
import type { SimulatedTime } from './simulatedTime.ts';

/** A commit waits for at least this long, so that long ones are repeated some times. */
const TRANSACTION_MS = 5_000;

export interface Refused {
  readonly table: TableName;
  readonly access: Access;
}

const isRequest = (message: unknown): message is AwsRequest =>
  typeof message === 'object' && message !== null && 'operation' in message && 'input' in message;

/**
 * Answers calls to a table as DynamoDB does when it has no capacity. Each refusal takes the time for which a call is
 * repeated, on the clock of the test. `refusals` counts them.
 */
export const refuseTable = (
  time: SimulatedTime,
  isRefused: () => boolean,
  { table, access }: Refused,
): { readonly refusals: () => number } => {
  let refusals = 0;
  const declared = tableNames.map((name) => ({
    name,
    arn: name,
    partitionKey: tables[name].partitionKey,
  }));
  const throughput: Throughput = {
    refuse: (one) =>
      one.table === table && one.access === access && isRefused()
        ? throttle(access, 'AccountLimitExceeded', table)
        : undefined,
    consume: () => undefined,
    throttle: () => undefined,
  };
  const limit = tableLimits(shareLimits(declared, 1, time.now()), throughput);
  const listen = (message: unknown): void => {
    if (!isRequest(message)) return;
    const startedAt = time.now();
    limit(message);
    const { answer } = message;
    if (answer === undefined) return;
    message.answer = () => {
      const refusal = answer();
      const longest = message.operation.startsWith('Transact') ? TRANSACTION_MS : Number.POSITIVE_INFINITY;
      if (refusal !== undefined) refusals += 1;
      if (refusal !== undefined) time.reach(startedAt + Math.min(longest, throttleTimeoutMs(startedAt)));
      return refusal;
    };
  };
  subscribe('aws.request', listen);
  onTestFinished(() => {
    unsubscribe('aws.request', listen);
  });
  return { refusals: () => refusals };
};

/** Fails every call to a table, for a reason that is no throttle and does not end. */
export const failTable = (table: TableName): void => {
  const names = new RegExp(`"(?:TableName":"${table}"|${table}":)`);
  const listen = (message: unknown): void => {
    if (!isRequest(message) || message.service !== 'dynamodb') return;
    if (names.test(JSON.stringify(message.input))) message.refusal = new Error('a fault');
  };
  subscribe('aws.request', listen);
  onTestFinished(() => {
    unsubscribe('aws.request', listen);
  });
};
