import listNotifications from '../../notifications/listNotifications.ts';
import { notificationReader } from '../../notifications/notification.store.ts';
import getAdoptionReport from '../../reports/getAdoptionReport.ts';
import getUsageReport from '../../reports/getUsageReport.ts';
import { rollupReader } from '../../rollups/rollup.store.ts';
import { resource } from '../../shared/settings.ts';
import { cursorKeyOf, onionOf } from '../wiring/onion.ts';
import { unit } from '../wiring/unit.ts';

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
