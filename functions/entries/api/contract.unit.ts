import getErrorPage from '../../contract/getErrorPage.ts';
import getHealth from '../../contract/getHealth.ts';
import getOpenapi from '../../contract/getOpenapi.ts';
import getReadiness from '../../contract/getReadiness.ts';
import { queueProbe, tableProbe } from '../../contract/probe.store.ts';
import unknownRoute from '../../contract/unknownRoute.ts';
import { resource } from '../../shared/settings.ts';
import { unit } from '../wiring/httpHandler.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

const pipeline = pipelineFromEnv();
const stores = {
  keys: pipeline.keys,
  table: tableProbe(resource('table', 'tenants')),
  queue: queueProbe(resource('queue', 'accepted')),
};

export const handler = unit(
  [getHealth(stores), getReadiness(stores), getOpenapi(stores), getErrorPage(stores)],
  pipeline,
  unknownRoute(stores),
);
