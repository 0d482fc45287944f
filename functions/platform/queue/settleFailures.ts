import type { SQSRecord } from 'aws-lambda';
import { describeError, log } from '../shared/log.ts';
import { describeLateness } from './failure.ts';
import type { SetAside } from './setAside.aws.ts';

/** What becomes of messages that fail. */
export interface FailureHandling {
  /** Moves a message that must not return out of the queue. Without it every failed message returns. */
  readonly setAside?: SetAside;
  /**
   * Makes failed messages visible again soon, or after `wait` milliseconds. Without it they return after the visibility
   * timeout.
   */
  readonly returnSoon?: (records: readonly SQSRecord[], wait?: number) => Promise<void>;
}

export interface Failure {
  readonly record: SQSRecord;
  readonly error: unknown;
  /** More for the log. */
  readonly details?: object;
}

/** Sets failed messages aside or returns them to the queue. Resolves to those that stay in the queue. */
export const settleFailures = async (
  failures: readonly Failure[],
  { setAside, returnSoon }: FailureHandling,
): Promise<SQSRecord[]> => {
  const isAside = async ({ record, error }: Failure): Promise<boolean> => {
    try {
      return (await setAside?.(record, error)) ?? false;
    } catch (failure) {
      log({ level: 'error', message: 'message was not dead-lettered', ...describeError(failure) });
      return false;
    }
  };
  const returned: SQSRecord[] = [];
  for (const failure of failures) {
    const { record, error, details } = failure;
    const isGone = await isAside(failure);
    log({
      level: 'error',
      message: isGone ? 'message was dead-lettered' : 'message will be retried',
      ...describeLateness(record, error),
      ...details,
      ...describeError(error),
    });
    if (!isGone) returned.push(record);
  }
  if (returned.length > 0) await returnSoon?.(returned);
  return returned;
};
