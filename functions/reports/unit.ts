import { cursorKeyOf, onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import listNotifications from '../notifications/listNotifications.ts';
import { notificationReader } from '../notifications/notification.store.ts';
import { rollupReader } from '../rollups/rollup.store.ts';
import { resource } from '../shared/settings.ts';
import getAdoptionReport from './getAdoptionReport.ts';
import getUsageReport from './getUsageReport.ts';

const stores = {
  rollups: rollupReader(resource('table', 'rollups')),
  notifications: notificationReader(resource('table', 'notifications')),
  cursorKey: cursorKeyOf(),
};

const operations = [getUsageReport, getAdoptionReport, listNotifications];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  onionOf(),
);
