import listNotifications from '../../delivery/notifications/listNotifications.ts';
import { notificationReader } from '../../delivery/notifications/notification.store.ts';
import { readMarkReader } from '../../delivery/notifications/readMark.store.ts';
import getAdoptionReport from '../../insight/reports/getAdoptionReport.ts';
import getUsageReport from '../../insight/reports/getUsageReport.ts';
import { rollupReader } from '../../ledger/rollups/rollup.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { unit } from '../wiring/httpHandler.ts';
import { indexLagFromEnv } from '../wiring/indexLagFromEnv.ts';
import { cursorKeyFromEnv, pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

const stores = {
  rollups: rollupReader(resource('table', 'rollups')),
  notifications: notificationReader(resource('table', 'notifications')),
  readMark: readMarkReader(resource('table', 'notifications')),
  indexLag: indexLagFromEnv(),
  cursorKey: cursorKeyFromEnv(),
};

const operations = [getUsageReport, getAdoptionReport, listNotifications];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  pipelineFromEnv(),
);
