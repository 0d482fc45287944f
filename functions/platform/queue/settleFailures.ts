import type { SQSRecord } from 'aws-lambda';
import { describeError, log } from '../shared/log.ts';
import { describeLateness } from './failure.ts';

/** What becomes of messages that fail. */
export interface FailureHandling {
  /** Moves a message out of its queue if it must not return. Returns whether it did. Rejects if that failed. */
  readonly setAside: (record: SQSRecord, error: unknown) => Promise<boolean>;
  /** Makes failed messages visible again soon, or after `wait` milliseconds. Never rejects. */
  readonly returnSoon: (records: readonly SQSRecord[], wait?: number) => Promise<void>;
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
      return await setAside(record, error);
    } catch (failure) {
      log({ level: 'error', message: 'message was not dead-lettered', ...describeError(failure) });
      return false;
    }
  };
  const returned: SQSRecord[] = [];
  for (const failure of failures) {
    const { record, error, details } = failure;
    const isGone = await isAside(failure);
    const { MessageGroupId: tenant_id } = record.attributes;
    log({
      level: 'error',
      message: isGone ? 'message was dead-lettered' : 'message will be retried',
      ...describeLateness(record, error),
      // The message group of our own messages is their tenant.
      ...(tenant_id !== undefined && { tenant_id }),
      ...details,
      ...describeError(error),
    });
    if (!isGone) returned.push(record);
  }
  if (returned.length > 0) await returnSoon(returned);
  return returned;
};
