/**
 * Receives after which SQS moves a message to its dead-letter queue. Workers set faulty messages aside much earlier, so that
 * only messages which were throttled for a day, or which end the function each time, come so far.
 */
const RECEIVES = 100;

/** A queue and the number of receives after which SQS moves a message to its dead-letter queue. */
export interface QueueShape {
  readonly maxReceiveCount: number;
  /** The maximum intended delay of a message in seconds. */
  readonly delaySeconds?: number;
  /** How long its dead-letter queue keeps messages, if not as long as SQS can. */
  readonly deadLetterDays?: number;
  readonly holds: string;
}

export const queues = {
  ingestion: {
    maxReceiveCount: RECEIVES,
    // The worker scrubs what it dead-letters. Only a message whose last receive ended in a timeout or crash arrives here
    // unchanged, possibly with a prompt. It is kept over a weekend, and no longer.
    deadLetterDays: 4,
    holds: 'Untrusted events, sent by producers with their own AWS principal',
  },
  accepted: {
    maxReceiveCount: RECEIVES,
    holds: 'Events accepted by the API, packed, with their verified tenant',
  },
  jobs: {
    maxReceiveCount: RECEIVES,
    holds: 'Background jobs to start or continue, and tenants, late days and open exports whose turn it is',
  },
  rollups: { maxReceiveCount: RECEIVES, holds: 'Minutes of a tenant whose rollups must be recomputed' },
  events: { maxReceiveCount: RECEIVES, holds: 'Events whose publication failed' },
  deliveries: {
    maxReceiveCount: RECEIVES,
    // The maximum delay of SQS. Later deliveries are delayed again.
    delaySeconds: 900,
    holds: 'Webhook deliveries and chat messages, each delayed until its next attempt',
  },
  notifications: {
    maxReceiveCount: RECEIVES,
    // The length of a digest window.
    delaySeconds: 300,
    holds: 'Events to notify people of, e-mail to send, and digest windows to close',
  },
} as const satisfies Record<string, QueueShape>;
export type QueueName = keyof typeof queues;
export const queueNames = Object.keys(queues) as QueueName[];

/** The actions of a need on a queue or its dead-letter queue. */
export interface QueueAccess {
  readonly queue: QueueName | `${QueueName}DeadLetter`;
  readonly actions: readonly string[];
}
