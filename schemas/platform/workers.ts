import type { QueueName } from './queues.ts';
import type { Need } from './resources.ts';
import type { TableName } from './tables.ts';

/** A filter of stream records, in the filter syntax of Lambda. */
export interface StreamFilter {
  readonly [member: string]: StreamFilter | readonly (string | { readonly exists: boolean })[];
}

/** A table whose stream triggers a worker. Changes of one partition key arrive in order. */
export interface StreamSource {
  readonly table: TableName;
  readonly filter: StreamFilter;
  /** Receives the stream records that the worker failed to process, in its dead-letter queue. */
  readonly failureQueue: QueueName;
}

/** A Lambda function triggered by queues, streams or a schedule. Its entry is `functions/entries/workers/<name>.worker.ts`. */
export interface WorkerShape {
  readonly summary: string;
  readonly sources: readonly QueueName[];
  readonly streams?: readonly StreamSource[];
  /** The batch size, and the batching window in seconds. */
  readonly batch?: { readonly messages: number; readonly seconds: number };
  /** The maximum number of concurrent batches per source, if not the default. */
  readonly concurrency?: number;
  /** The period of the schedule in minutes. */
  readonly everyMinutes?: number;
  /** Sends e-mail, if the stack has a sender address. */
  readonly sendsMail?: boolean;
  readonly needs: readonly Need[];
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
}

export const workers = {
  attribution: {
    summary: 'Turns accepted events into attribution records',
    sources: ['accepted', 'ingestion'],
    // One second of the 30 seconds a record may take, in exchange for a tenth of the invocations.
    batch: { messages: 10, seconds: 1 },
    needs: [
      'accepted.retry',
      'artefacts.read',
      'claims.write',
      'counters.add',
      'coverage.recordHeartbeat',
      'identity.list',
      'ingestion.retry',
      'ledger.correct',
      'ledger.read',
      'ledger.spread',
      'ledger.write',
      'marks.add',
      'models.degrade',
      'models.read',
      'outbox.append',
      'progress.report',
      'rejected.send',
      'rollups.mark',
      'tenants.read',
      'traces.write',
      'webhooks.read',
    ],
    timeoutSeconds: 30,
    memoryMegabytes: 1_024,
  },
  jobs: {
    summary: 'Trains models, reattributes records and allocates unattributed cost',
    sources: ['jobs'],
    needs: [
      'artefacts.read',
      'artefacts.write',
      'identity.list',
      'jobs.send',
      'jobs.write',
      'ledger.correct',
      'ledger.read',
      'marks.add',
      'models.write',
      'outbox.append',
      'rollups.mark',
      'tenants.read',
      'webhooks.read',
    ],
    timeoutSeconds: 300,
    // One full vCPU: training is CPU-bound.
    memoryMegabytes: 1_769,
  },
  rollups: {
    summary:
      'Recomputes changed rollups by minute, hour and day, compares them with the ledger, and evaluates budgets',
    sources: ['rollups'],
    batch: { messages: 10, seconds: 1 },
    needs: [
      'budgets.evaluate',
      'ledger.compact',
      'ledger.read',
      'ledger.spread',
      'marks.complete',
      'outbox.append',
      'rollups.mark',
      'rollups.retry',
      'rollups.write',
      'tenants.read',
    ],
    // Work that takes longer continues in another message. A message whose worker is killed returns after six times this.
    timeoutSeconds: 30,
    memoryMegabytes: 1_024,
  },
  totals: {
    summary: 'Repeats lost marks, closes hours and days, and starts the comparison of totals with the ledger',
    sources: [],
    everyMinutes: 15,
    needs: ['marks.complete', 'rollups.mark', 'rollups.read', 'tenants.list'],
    timeoutSeconds: 120,
    memoryMegabytes: 512,
  },
  publish: {
    summary: 'Publishes events to the streams of subscribed webhook endpoints and to the notification queue',
    sources: ['events'],
    streams: [
      {
        table: 'outbox',
        filter: { eventName: ['INSERT'], dynamodb: { NewImage: { document: { S: [{ exists: true }] } } } },
        failureQueue: 'events',
      },
      {
        // A new version of a record is its own outbox entry. Only versions with a subscriber carry the mark.
        table: 'ledger',
        filter: { eventName: ['INSERT'], dynamodb: { NewImage: { raised: { N: [{ exists: true }] } } } },
        failureQueue: 'events',
      },
    ],
    batch: { messages: 10, seconds: 0 },
    needs: [
      'deliveries.append',
      'events.send',
      'ledger.readVersions',
      'notifications.send',
      'outbox.append',
      'outbox.read',
      'webhooks.read',
    ],
    timeoutSeconds: 60,
    memoryMegabytes: 512,
  },
  dispatch: {
    summary: 'Sends due deliveries to their queue',
    sources: [],
    streams: [
      {
        table: 'deliveries',
        filter: { dynamodb: { NewImage: { due: { N: [{ exists: true }] } } } },
        failureQueue: 'deliveries',
      },
    ],
    needs: ['deliveries.send'],
    timeoutSeconds: 30,
    memoryMegabytes: 256,
  },
  deliver: {
    summary:
      'Delivers events to webhook endpoints and messages to chats. The only function that calls URLs of tenants',
    sources: ['deliveries'],
    // Endpoints of one batch are processed in parallel. A hanging receiver delays only its own batch, by ten seconds.
    batch: { messages: 10, seconds: 0 },
    concurrency: 250,
    needs: [
      'access.read',
      'deliveries.attempt',
      'deliveries.send',
      'endpoint.derive',
      'notifications.write',
      'outbox.append',
      'tenants.read',
      'webhooks.updateState',
    ],
    timeoutSeconds: 40,
    memoryMegabytes: 512,
  },
  notify: {
    summary:
      'Notifies people when something degrades: in the list of notifications, by e-mail, and by chat messages',
    sources: ['notifications'],
    batch: { messages: 10, seconds: 0 },
    sendsMail: true,
    needs: [
      'access.read',
      'deliveries.send',
      'notifications.send',
      'notifications.write',
      'outbox.read',
      'tenants.read',
    ],
    timeoutSeconds: 30,
    memoryMegabytes: 512,
  },
  exportControl: {
    summary: 'Starts an export, applies cohort suppression, and finishes it',
    sources: [],
    needs: [
      'exportWork.readWrite',
      'exports.deliver',
      'exports.write',
      'outbox.append',
      'rollups.read',
      'tenants.read',
    ],
    timeoutSeconds: 900,
    memoryMegabytes: 1_769,
  },
  exportGather: {
    summary: 'Reads one partition of the ledger or of the rollups for an export and aggregates it into rows',
    sources: [],
    needs: ['exportWork.readWrite', 'ledger.read', 'rollups.read'],
    timeoutSeconds: 900,
    // One full vCPU: parsing records is CPU-bound.
    memoryMegabytes: 1_769,
  },
  exportWrite: {
    summary: 'Writes the files of a key range of an export',
    sources: [],
    needs: ['exportWork.readWrite', 'exports.deliver'],
    timeoutSeconds: 900,
    memoryMegabytes: 3_008,
  },
  schedule: {
    summary: 'Starts due jobs and exports of each tenant, and detects anomalies and coverage gaps',
    sources: [],
    everyMinutes: 60,
    needs: [
      'access.read',
      'anomalies.detect',
      'coverage.evaluate',
      'exportRuns.manage',
      'exports.manage',
      'jobs.send',
      'jobs.write',
      'outbox.append',
      'rollups.read',
      'tenants.list',
    ],
    timeoutSeconds: 120,
    memoryMegabytes: 512,
  },
} as const satisfies Record<string, WorkerShape>;
export type WorkerName = keyof typeof workers;
export const workerNames = Object.keys(workers) as WorkerName[];
