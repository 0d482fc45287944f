import type { WorkerShape } from './workerShape.ts';

/** What is due for each tenant comes to the same queue as the jobs that it starts. */
export const jobsWorker = {
  summary:
    'Does what is due for each tenant, trains models, reattributes records, allocates unattributed cost and that of own nodes, and writes closed days to the archive',
  sources: ['jobs'],
  everyMinutes: 15,
  needs: [
    'access.read',
    'anomalies.detect',
    'archive.readWrite',
    'artefacts.read',
    'artefacts.write',
    'closings.read',
    'coverage.evaluate',
    'exportRuns.manage',
    'exportWork.readWrite',
    'exports.manage',
    'identity.list',
    'jobs.list',
    'jobs.send',
    'jobs.write',
    'ledger.correct',
    'ledger.read',
    'ledger.unlist',
    'marks.add',
    'marks.list',
    'models.save',
    'nodeHours.write',
    'outbox.append',
    'progress.read',
    'rollups.mark',
    'rollups.read',
    'tenants.list',
    'tenants.read',
    'traces.write',
    'webhooks.list',
  ],
  timeoutSeconds: 300,
  // One full vCPU: training is CPU-bound.
  memoryMegabytes: 1_769,
} as const satisfies WorkerShape;
