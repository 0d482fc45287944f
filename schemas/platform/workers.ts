import type { Need, QueueName } from './resources.ts';
import type { TableName } from './tables.ts';

/** What a change must hold to be told of, in Lambda's own filter syntax. */
export interface StreamFilter {
  readonly [member: string]: StreamFilter | readonly (string | { readonly exists: boolean })[];
}

/** A table whose changes a worker is told of, those of one partition key in their order. */
export interface StreamSource {
  readonly table: TableName;
  readonly filter: StreamFilter;
  /** Its dead-letter queue learns of changes that could not be told. */
  readonly failureQueue: QueueName;
}

/** A Lambda function fed by queues or called at a period; its entry is `functions/entries/workers/<name>.worker.ts`. */
export interface WorkerShape {
  readonly summary: string;
  readonly sources: readonly QueueName[];
  readonly streams?: readonly StreamSource[];
  /** Messages it takes at once, and how long it waits for them in seconds. */
  readonly batch?: { readonly messages: number; readonly seconds: number };
  /** The most batches of a source at once, where it is not the usual number. */
  readonly concurrency?: number;
  /** Called once in so many minutes. */
  readonly everyMinutes?: number;
  /** Sends e-mail, where the stack has a sender. */
  readonly sendsMail?: boolean;
  readonly needs: readonly Need[];
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
}

export const workers = {
  attribution: {
    summary: 'Turns accepted events into attribution records',
    sources: ['accepted', 'ingestion'],
    // A second of delay, of the thirty a record may take, for a tenth of the invocations.
    batch: { messages: 10, seconds: 1 },
    needs: [
      'artefacts.read',
      'claims.write',
      'counters.add',
      'coverage.sight',
      'identity.list',
      'ledger.correct',
      'ledger.read',
      'ledger.write',
      'models.degrade',
      'models.read',
      'outbox.append',
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
    summary: 'Trains models, attributes records anew and allocates what nobody was named for',
    sources: ['jobs'],
    needs: [
      'artefacts.read',
      'artefacts.write',
      'identity.list',
      'jobs.send',
      'jobs.write',
      'ledger.correct',
      'ledger.read',
      'models.write',
      'outbox.append',
      'rollups.mark',
      'tenants.read',
      'webhooks.read',
    ],
    timeoutSeconds: 300,
    // A whole processor: training is the one thing here that computes.
    memoryMegabytes: 1_769,
  },
  rollups: {
    summary: 'Sums what has changed in the ledger anew, by minute, hour and day, and watches the budgets',
    sources: ['rollups'],
    batch: { messages: 10, seconds: 1 },
    needs: ['budgets.watch', 'ledger.read', 'outbox.append', 'rollups.write', 'tenants.read'],
    timeoutSeconds: 60,
    memoryMegabytes: 1_024,
  },
  publish: {
    summary: 'Puts events into the streams of the webhook endpoints that subscribe to them',
    sources: ['events'],
    streams: [{ table: 'outbox', filter: { eventName: ['INSERT'] }, failureQueue: 'events' }],
    batch: { messages: 10, seconds: 0 },
    needs: ['deliveries.append', 'events.send', 'notifications.send', 'outbox.read', 'webhooks.read'],
    timeoutSeconds: 60,
    memoryMegabytes: 512,
  },
  dispatch: {
    summary: 'Puts deliveries that are due on their queue',
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
      'Delivers events to webhook endpoints and messages to chats; the only function that calls addresses of strangers',
    sources: ['deliveries'],
    // Each by itself within a batch. A receiver that hangs holds its batch for ten seconds, and nobody else.
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
      'Tells people of what got worse: in the list of notifications, by e-mail, and by what chats are sent',
    sources: ['notifications'],
    batch: { messages: 10, seconds: 0 },
    sendsMail: true,
    needs: ['deliveries.send', 'notifications.send', 'notifications.write', 'outbox.read', 'tenants.read'],
    timeoutSeconds: 30,
    memoryMegabytes: 512,
  },
  exportControl: {
    summary: 'Begins an export, decides what it folds, and ends it',
    sources: [],
    needs: [
      'exportWork.share',
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
    summary: 'Reads a piece of the ledger for an export, and sums it into rows',
    sources: [],
    needs: ['exportWork.share', 'ledger.read'],
    timeoutSeconds: 900,
    // A whole processor: reading records is computing.
    memoryMegabytes: 1_769,
  },
  exportWrite: {
    summary: 'Writes the files of a stretch of an export',
    sources: [],
    needs: ['exportWork.share', 'exports.deliver'],
    timeoutSeconds: 900,
    memoryMegabytes: 3_008,
  },
  schedule: {
    summary:
      'Opens the jobs and exports that are due for each tenant, and looks for anomalies and gaps in coverage',
    sources: [],
    everyMinutes: 60,
    needs: [
      'anomalies.watch',
      'coverage.watch',
      'exportRuns.oversee',
      'exports.watch',
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
