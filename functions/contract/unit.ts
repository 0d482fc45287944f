import { onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { resource } from '../shared/settings.ts';
import getErrorPage from './getErrorPage.ts';
import getHealth from './getHealth.ts';
import getOpenapi from './getOpenapi.ts';
import getReadiness from './getReadiness.ts';
import { queueProbe, tableProbe } from './store.ts';
import unknownRoute from './unknownRoute.ts';

const onion = onionOf();
const stores = {
  keys: onion.keys,
  table: tableProbe(resource('table', 'tenants')),
  queue: queueProbe(resource('queue', 'accepted')),
};

export const handler = unit(
  [getHealth(stores), getReadiness(stores), getOpenapi(stores), getErrorPage(stores)],
  onion,
  unknownRoute(stores),
);
