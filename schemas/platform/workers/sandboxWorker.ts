import type { WorkerShape } from './workerShape.ts';

/** The only function that may delete the data of a tenant. */
export const sandboxWorker = {
  summary: 'Resets sandbox tenants, and sends their live traffic. Not deployed in production',
  sources: [],
  everyMinutes: 1,
  isOutsideProduction: true,
  needs: [
    'accepted.send',
    'audit.append',
    'budgets.write',
    'claims.read',
    'identity.write',
    'ledger.correct',
    'marks.add',
    'jobs.write',
    'outbox.append',
    'progress.report',
    'rollups.mark',
    'rollups.read',
    'sandbox.eraseObjects',
    'sandbox.eraseRows',
    'sandbox.restartDetection',
    'sandbox.write',
    'tenants.list',
    'tenants.read',
  ],
  timeoutSeconds: 120,
  memoryMegabytes: 512,
} as const satisfies WorkerShape;
