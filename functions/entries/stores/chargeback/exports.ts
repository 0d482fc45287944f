import { randomUUID } from 'node:crypto';
import { datasetStore } from '../../../chargeback/exports/delivery/dataset.store.ts';
import {
  checkStore,
  destinationReader,
  destinationStore,
} from '../../../chargeback/exports/destinations/destination.store.ts';
import {
  deliveryStore,
  exportReader,
  exportStore,
  exportWatchStore,
} from '../../../chargeback/exports/job/export.store.ts';
import { scheduleReader, scheduleStore } from '../../../chargeback/exports/schedules/schedule.store.ts';

export const exportsRead = (table: string) => ({
  exports: exportReader(table),
  exportSchedules: scheduleReader(table),
});
export const exportsWrite = (table: string) => ({
  exportStore: exportStore(table),
  scheduleStore: scheduleStore(table),
});
export const exportsManage = (table: string) => ({
  exports: exportWatchStore(table),
  schedules: scheduleReader(table),
});
export const exportDestinationsRead = (table: string) => ({ exportDestinations: destinationReader(table) });
export const exportDestinationsWrite = (table: string) => ({ destinationStore: destinationStore(table) });
export const exportDeliveriesManage = (table: string) => ({
  deliveries: deliveryStore(table),
  destinations: destinationReader(table),
  datasets: datasetStore(table, randomUUID),
  checks: checkStore(table),
});
/** The ARN of the role that puts files into buckets of customers. */
export const deliveryRoleName = (deliveryRoleArn: string) => ({ deliveryRoleArn });
