import { billImportsWorker } from './workers/billImportsWorker.ts';
import { exportDeliveryWorker } from './workers/exportDeliveryWorker.ts';
import { jobsWorker } from './workers/jobsWorker.ts';
import { sandboxWorker } from './workers/sandboxWorker.ts';
import type { WorkerShape } from './workers/workerShape.ts';

export const workers = {
  attribution: {
    summary: 'Turns accepted events into attribution records',
    sources: ['accepted', 'ingestion'],
    // One second of the 30 seconds a record may take, in exchange for a tenth of the invocations.
    batch: { messages: 'eventBatch', seconds: 1 },
    needs: [
      'archive.read',
      'artefacts.read',
      'audit.append',
      'claims.write',
      'counters.add',
      'coverage.recordHeartbeat',
      'identity.list',
      'jobs.send',
      'ledger.correct',
      'ledger.read',
      'ledger.shardBits',
      'ledger.write',
      'marks.add',
      'models.save',
      'models.read',
      'outbox.append',
      'progress.report',
      'rollups.mark',
      'tenants.read',
      'traces.write',
      'webhooks.list',
    ],
    timeoutSeconds: 30,
    memoryMegabytes: 1_024,
  },
  jobs: jobsWorker,
  rollups: {
    summary:
      'Recomputes changed rollups by minute, hour and day, compares them with the ledger, and evaluates budgets',
    sources: ['rollups'],
    batch: { messages: 10, seconds: 1 },
    needs: [
      'archive.read',
      'budgets.evaluate',
      'ledger.compact',
      'ledger.read',
      'ledger.shardBits',
      'marks.complete',
      'outbox.append',
      'rollups.mark',
      'rollups.write',
      'tenants.read',
    ],
    // Work that takes longer continues in another message. A message whose worker is killed returns after six times this.
    timeoutSeconds: 30,
    memoryMegabytes: 1_024,
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
      'deliveries.send',
      'events.send',
      'ledger.readVersions',
      'notifications.send',
      'outbox.read',
      'webhooks.list',
    ],
    timeoutSeconds: 60,
    memoryMegabytes: 512,
  },
  deliver: {
    summary:
      'Delivers events to webhook endpoints and messages to chats. The only function that calls URLs of tenants',
    sources: ['deliveries'],
    // Endpoints of one batch are processed in parallel. A hanging receiver delays only its own batch, by ten seconds.
    batch: { messages: 10, seconds: 0 },
    concurrency: 'deliveryConcurrency',
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
    // A window of a digest bounds the messages of a tenant.
    concurrency: null,
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
    summary: 'Starts an export, decides which names its rows show, and finishes it',
    sources: [],
    needs: [
      'exportWork.readWrite',
      'exports.deliver',
      'exports.write',
      'closings.read',
      'nodeHours.read',
      'outbox.append',
      'periods.read',
      'progress.read',
      'rollups.read',
      'tenants.read',
      'totals.complete',
    ],
    timeoutSeconds: 900,
    memoryMegabytes: 1_769,
  },
  exportGather: {
    summary: 'Reads one partition of the ledger or of the rollups for an export and aggregates it into rows',
    sources: [],
    needs: ['archive.read', 'exportWork.readWrite', 'ledger.read', 'nodeHours.read', 'rollups.read'],
    timeoutSeconds: 900,
    // One full vCPU: parsing records is CPU-bound.
    memoryMegabytes: 1_769,
    // The lines of ten minutes, and what DuckDB spills while it sorts them.
    storageMegabytes: 10_240,
  },
  exportWrite: {
    summary: 'Writes the files of a key range of an export',
    sources: [],
    needs: ['exportWork.readWrite', 'exports.deliver'],
    timeoutSeconds: 900,
    memoryMegabytes: 2_048,
    // A day of eight million lines, what DuckDB spills while it sorts them, and one file.
    storageMegabytes: 10_240,
  },
  exportDelivery: exportDeliveryWorker,
  billImports: billImportsWorker,
  sandbox: sandboxWorker,
} as const satisfies Record<string, WorkerShape>;
export type WorkerName = keyof typeof workers;
export const workerNames = Object.keys(workers) as WorkerName[];
