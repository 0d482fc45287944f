import type { Need, QueueName } from './stores.ts';

/** A Lambda function fed by queues or called at a period; its entry is `functions/<domain>/<name>.worker.ts`. */
export interface WorkerShape {
  readonly summary: string;
  readonly sources: readonly QueueName[];
  /** Messages it takes at once, and how long it waits for them in seconds. */
  readonly batch?: { readonly messages: number; readonly seconds: number };
  /** Called once in so many minutes. */
  readonly everyMinutes?: number;
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
  schedule: {
    summary: 'Opens the jobs that are due for each tenant, and looks for anomalies and gaps in coverage',
    sources: [],
    everyMinutes: 60,
    needs: [
      'anomalies.watch',
      'coverage.watch',
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
