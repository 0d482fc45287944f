import type { SQSRecord } from 'aws-lambda';
import { HOUR_MS } from '../../../schemas/durations.ts';
import { isThrottle } from '../shared/aws/calls/throttling.ts';
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

const ageSince = (instant: string): number => systemClock() - fromExternalClock(Number(instant));

/**
 * Whether a message that may wait in its queue can be set aside. SQS counts its waits as receives too, so it can reach the
 * limit after seconds and two failures. Failures alone reach it after more than an hour.
 */
export const isOldEnough = ({ attributes }: Pick<SQSRecord, 'attributes'>, error: unknown): boolean =>
  error instanceof UnreadableMessage || ageSince(attributes.ApproximateFirstReceiveTimestamp) >= HOUR_MS;

/** What a log line says about a message that will be retried: which queue is late, by how much, and why. */
export const describeLateness = (record: SQSRecord, error: unknown) => ({
  queue: record.eventSourceARN.split(':').at(-1) ?? '',
  age_seconds: Math.max(0, Math.round(ageSince(record.attributes.SentTimestamp) / 1_000)),
  receives: receivesOf(record),
  ...(isThrottle(error) && { reason: 'throttled' }),
});
