import type { WorkerShape } from './workerShape.ts';

/** Work for each tenant that is checked every 15 minutes. */
export const trainingsWorker = {
  summary: 'Starts trainings of tenants with recent calls, and imports the bills of providers every hour',
  sources: [],
  everyMinutes: 15,
  needs: [
    'billCredential.decrypt',
    'billRole.assume',
    'billSources.import',
    'billImports.write',
    'bills.read',
    'bills.write',
    'jobs.send',
    'jobs.write',
    'outbox.append',
    'progress.read',
    'tenants.list',
  ],
  // An import starts its last page after 240 seconds, and a page takes at most 30 (`importSource.ts`).
  timeoutSeconds: 300,
  memoryMegabytes: 512,
} as const satisfies WorkerShape;
