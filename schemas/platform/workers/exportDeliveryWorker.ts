import type { WorkerShape } from './workerShape.ts';

/** The only function that writes into buckets of customers. Trust policies of customers name its role. */
export const exportDeliveryWorker = {
  summary: 'Puts finished exports into the buckets of customers',
  sources: [],
  everyMinutes: 1,
  needs: ['deliveryRole.assume', 'exportDeliveries.manage', 'exports.fetch', 'outbox.append'],
  // An attempt begins its last part after five minutes, and a part takes at most one (`deliver.ts`).
  timeoutSeconds: 600,
  // The throughput of a function grows with its memory up to this size.
  memoryMegabytes: 1_769,
} as const satisfies WorkerShape;
