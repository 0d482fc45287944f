import { setTimeout as sleep } from 'node:timers/promises';
import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { ThrottledError } from '../retry/throttledError.ts';
import { isThrottleCode, throttlePauseMs, throttleTimeoutMs } from './calls/throttling.ts';
import { dynamodb } from './dynamodb.client.ts';

/** One write of a `commit`. */
export type Write = TransactWriteItem;

/**
 * The timeout of a commit. Queries rely on a record version being stored five seconds after its start time. This timeout
 * leaves two of them for clock differences and for the computation before the commit.
 */
const COMMIT_TIMEOUT_MS = 3_000;

/**
 * The timeout of commits that no query relies on. On a busy table, giving up early would repeat the whole work minutes
 * later, when the message is received again.
 */
export const BACKGROUND_TIMEOUT_MS = 15_000;

/**
 * Attempts of a transaction that conflicts with others on the same items, without throttling. More would keep the caller
 * from reading what the other writers wrote.
 */
const CONFLICT_ATTEMPTS = 4;

/** What a cancelled transaction means for the caller. */
const outcomeOf = (codes: readonly (string | undefined)[]): 'lost' | 'throttled' | 'conflict' | 'invalid' => {
  if (codes.includes('ConditionalCheckFailed')) return 'lost';
  // A throttled transaction may also report conflicts with transactions that were throttled too.
  if (codes.some(isThrottleCode)) return 'throttled';
  return codes.includes('TransactionConflict') ? 'conflict' : 'invalid';
};

const codesOf = ({ CancellationReasons = [] }: TransactionCanceledException): (string | undefined)[] =>
  CancellationReasons.map(({ Code }) => Code);

/** Whether a commit gave up after repeated conflicts with other transactions on the same documents. */
export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof TransactionCanceledException && outcomeOf(codesOf(error)) === 'conflict';

/**
 * Commits all writes in one transaction, or none. Returns false if the condition of a write does not hold. Repeats throttled
 * transactions and conflicts with other transactions after a random pause. Throws a {@link ThrottledError} when the tables
 * accept no transaction within the time of the commit and of the function, and the SDK error when they do not answer or
 * conflicts do not end.
 */
export const commit = async (
  writes: readonly Write[],
  { within: timeoutMs = COMMIT_TIMEOUT_MS }: { readonly within?: number } = {},
): Promise<boolean> => {
  const abortSignal = AbortSignal.timeout(timeoutMs);
  const startedAt = Date.now();
  const end = startedAt + Math.min(timeoutMs, throttleTimeoutMs(startedAt));
  for (let attempt = 1, conflicts = 0; ; attempt += 1) {
    try {
      await dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [...writes] }), { abortSignal });
      return true;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const outcome = outcomeOf(codesOf(error));
      if (outcome === 'lost') return false;
      if (outcome === 'conflict') conflicts += 1;
      if (outcome === 'invalid' || conflicts === CONFLICT_ATTEMPTS) throw error;
      const pause = throttlePauseMs(attempt, Math.random);
      if (Date.now() + pause >= end) {
        throw outcome === 'throttled' ? new ThrottledError('no capacity', { cause: error }) : error;
      }
      await sleep(pause);
    }
  }
};
