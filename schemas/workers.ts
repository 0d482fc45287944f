import type { Need, QueueName } from './stores.ts';

/** A Lambda function fed by queues; its entry is `functions/<domain>/<name>.worker.ts`. */
export interface WorkerShape {
  readonly summary: string;
  readonly sources: readonly QueueName[];
  readonly needs: readonly Need[];
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
}

export const workers = {
  attribution: {
    summary: 'Turns accepted events into attribution records',
    sources: ['accepted', 'ingestion'],
    needs: ['claims.write', 'ledger.write', 'ledger.read', 'tenants.read', 'rejected.send'],
    timeoutSeconds: 30,
    memoryMegabytes: 1_024,
  },
} as const satisfies Record<string, WorkerShape>;
export type WorkerName = keyof typeof workers;
export const workerNames = Object.keys(workers) as WorkerName[];
