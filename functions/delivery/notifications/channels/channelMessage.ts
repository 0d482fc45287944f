import * as z from 'zod';
import { ChannelName } from '../../../../schemas/delivery/notifications.ts';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import { Lease } from '../../../../schemas/platform/lease.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { newProgress, Progress } from '../../webhooks/deliveries/progress.ts';
import { ReportContent } from '../text/reportContent.ts';

/** How long a worker holds an attempt exclusively: longer than the worker's timeout. */
export const LEASE_MS = MINUTE_MS;
/** After this many attempts in a row without an outcome, about a quarter of an hour, a message fails. */
export const FAULTS_MAXIMUM = 10;
const BACKOFF_BASE_MS = 5_000;
const BACKOFF_FACTOR = 3;
const BACKOFF_CAP_MS = 300_000;

/** The longest delay after `faults` attempts without an outcome, in milliseconds. */
export const backoffCap = (faults: number): number =>
  Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * BACKOFF_FACTOR ** (faults - 1));

/**
 * A message to one channel of a tenant, or a report. Dropped if the tenant has removed the channel, or nobody with the needed
 * scopes authorizes it.
 */
export const ChannelMessage = Progress.extend({
  /** The ULID of its notification, or the start of the window for a digest. */
  id: z.string(),
  channel: ChannelName,
  /** The ULIDs of the notifications it lists. `count` is how many it reports, including those it does not list. */
  named: z.array(z.string()),
  count: z.int().min(1),
  /** What it says instead of notifications. */
  report: ReportContent.optional(),
  /**
   * Attempts in a row without an outcome: they were not finished, or failed for a reason of the service. Counted here and
   * not by the queue, because a message that is sent again is a new one to the queue.
   */
  faults: z.int().min(0),
  /** The addresses whose mail was accepted. Later attempts send to the others. */
  accepted: z.array(z.string()).optional(),
  /** Of the worker that makes an attempt. */
  lease: Lease.nullable(),
  created_at: z.iso.datetime(),
});
export type ChannelMessage = z.infer<typeof ChannelMessage>;

/** A message that is due immediately. `at` is epoch milliseconds. */
export const newChannelMessage = (
  message: Pick<ChannelMessage, 'id' | 'channel' | 'named' | 'count'>,
  at: number,
): ChannelMessage => ({ ...message, ...newProgress(at), faults: 0, lease: null, created_at: toIso(at) });

/** A message that failed after `attempts`, to try again from the start. Any other message as it is. */
export const revive = (message: ChannelMessage, failedAfter: number | undefined): ChannelMessage =>
  message.state === 'dead_lettered' && message.attempts === failedAfter
    ? { ...message, state: 'pending', attempts: 0, faults: 0, first_attempt_at: null }
    : message;
