import listNotifications from '../../notifications/listNotifications.ts';
import { notificationReader } from '../../notifications/notification.store.ts';
import { readMarkReader } from '../../notifications/readMark.store.ts';
import getAdoptionReport from '../../reports/getAdoptionReport.ts';
import getUsageReport from '../../reports/getUsageReport.ts';
import { rollupReader } from '../../rollups/rollup.store.ts';
import { resource } from '../../shared/settings.ts';
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
