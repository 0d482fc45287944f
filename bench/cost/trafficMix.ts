import { workers } from '../../schemas/platform/workers.ts';
import { FULL_BATCH } from './consumption.ts';

/**
 * The traffic that every figure from end to end is priced for. Shares are of the events. A tenant with other habits
 * multiplies the parts of the table by its own shares.
 */
export const MIX = {
  /** Events that carry a trace id. */
  traced: 0.4,
  /** Deliveries to a webhook endpoint, one event each: a subscriber of what is rare, not of every record. */
  deliveries: 0.05,
  /** How often a record is in an export: the file of its month. */
  exports: 1,
} as const;

/** What people read for a million events: a tenant of fifty people with a million calls a month. */
export const READING = {
  /** Each page that shows a report: ten people open it on each of twenty working days. */
  requests: 200,
  /** Weekly reports of twenty-five owners. */
  sentReports: 100,
} as const;

/** Events a second of a deployment. */
export const RATES = [1, 10, 100, 1_000, 5_000] as const;
export type Rate = (typeof RATES)[number];

/** Lambda begins with five pollers (Lambda developer guide, "Using Lambda with Amazon SQS"). */
const POLLERS = 5;

/**
 * Messages that a poller hands over together. After its first message it waits for the batching window, so that a slow
 * sender pays an invocation for a message or two.
 */
export const messagesPerReceive = (messagesPerSecond: number): number =>
  Math.min(FULL_BATCH, 1 + (messagesPerSecond * workers.attribution.batch.seconds) / POLLERS);
