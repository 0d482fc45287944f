/** A queue and the number of receives after which a message goes to its dead-letter queue. */
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
    maxReceiveCount: 8,
    // The worker scrubs what it dead-letters. Only a message whose last receive ended in a timeout or crash arrives here
    // unchanged, possibly with a prompt. It is kept over a weekend, and no longer.
    deadLetterDays: 4,
    holds: 'Untrusted events, sent by producers with their own AWS principal',
  },
  accepted: { maxReceiveCount: 8, holds: 'Events accepted by the API, packed, with their verified tenant' },
  jobs: { maxReceiveCount: 5, holds: 'Background jobs to start or continue' },
  rollups: { maxReceiveCount: 8, holds: 'Minutes of a tenant whose rollups must be recomputed' },
  events: { maxReceiveCount: 5, holds: 'Events whose publication failed' },
  deliveries: {
    maxReceiveCount: 5,
    // The maximum delay of SQS. Later deliveries are delayed again.
    delaySeconds: 900,
    holds: 'Webhook deliveries and chat messages, each delayed until its next attempt',
  },
  notifications: {
    maxReceiveCount: 5,
    // The length of a digest window.
    delaySeconds: 300,
    holds: 'Events to notify people of, e-mail to send, and digest windows to close',
  },
} as const satisfies Record<string, QueueShape>;
export type QueueName = keyof typeof queues;
export const queueNames = Object.keys(queues) as QueueName[];
