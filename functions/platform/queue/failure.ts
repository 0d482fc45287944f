import type { SQSRecord } from 'aws-lambda';
import { isThrottle } from '../shared/aws/throttling.ts';
import { fromExternalClock, systemClock } from '../shared/time/clock.ts';

/**
 * After this many receives, a message that fails for another reason than throttling is set aside. With the delays between
 * receives that is more than an hour.
 */
export const RECEIVES_MAXIMUM = 10;

/** A message that cannot be read. Every attempt would fail in the same way. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

/** How often a message was received, this time included. */
export const receivesOf = ({ attributes }: Pick<SQSRecord, 'attributes'>): number =>
  Number(attributes.ApproximateReceiveCount);

/**
 * Whether a failed message must be set aside: it is unreadable, or it keeps failing although nothing was throttled. A
 * throttled message is good. It returns until the tables have capacity again.
 */
export const isExhausted = (record: Pick<SQSRecord, 'attributes'>, error: unknown): boolean =>
  error instanceof UnreadableMessage || (receivesOf(record) >= RECEIVES_MAXIMUM && !isThrottle(error));

/** What a log line says about a message that will be retried: which queue is late, by how much, and why. */
export const describeLateness = (record: SQSRecord, error: unknown) => ({
  queue: record.eventSourceARN.split(':').at(-1) ?? '',
  age_seconds: Math.max(
    0,
    Math.round((systemClock() - fromExternalClock(Number(record.attributes.SentTimestamp))) / 1_000),
  ),
  receives: receivesOf(record),
  ...(isThrottle(error) && { reason: 'throttled' }),
});
