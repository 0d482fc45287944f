import type { WorkerShape } from './workerShape.ts';

/** The only function that may decrypt the provider credentials of tenants. Trust policies of customers name its role. */
export const billImportsWorker = {
  summary: 'Imports the bills of providers every hour',
  sources: [],
  everyMinutes: 15,
  needs: [
    'billCredential.decrypt',
    'billRole.assume',
    'billSources.import',
    'bills.write',
    'jobs.write',
    'outbox.append',
    'tenants.list',
  ],
  // An import starts its last page after 240 seconds, and a page takes at most 30 (`importSource.ts`).
  timeoutSeconds: 300,
  memoryMegabytes: 512,
} as const satisfies WorkerShape;
