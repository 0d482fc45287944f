import { KeySchedule } from '../../../schemas/platform/keySchedule.ts';
import { signingKeyAt } from '../../identity/access/keySchedule.ts';
import getErrorPage from '../../platform/apiDocs/contract/getErrorPage.ts';
import getHealth from '../../platform/apiDocs/contract/getHealth.ts';
import getNotificationPage from '../../platform/apiDocs/contract/getNotificationPage.ts';
import getOpenapi from '../../platform/apiDocs/contract/getOpenapi.ts';
import getPostman from '../../platform/apiDocs/contract/getPostman.ts';
import getReadiness from '../../platform/apiDocs/contract/getReadiness.ts';
import listErrors from '../../platform/apiDocs/contract/listErrors.ts';
import {
  bucketProbe,
  itemProbe,
  keyProbe,
  queueProbe,
  stateMachineProbe,
  tableProbe,
} from '../../platform/apiDocs/contract/probe.aws.ts';
import { readinessCheck } from '../../platform/apiDocs/contract/readiness.ts';
import unknownRoute from '../../platform/apiDocs/contract/unknownRoute.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { unit } from '../wiring/httpHandler.ts';
import { documentPipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

/** The key of an item that never exists. */
const PROBED = { S: 'readiness' };

const pipeline = documentPipelineFromEnv();
const schedule = KeySchedule.parse(resource('key', 'signing'));
const stores = {
  keys: pipeline.keys,
  checkReadiness: readinessCheck(
    {
      tenants: itemProbe(resource('table', 'tenants'), { pk: PROBED }),
      credentials: itemProbe(resource('table', 'access'), { pk: PROBED, sk: PROBED }),
      grants: itemProbe(resource('table', 'grants'), { pk: PROBED }),
      ledger: tableProbe(resource('table', 'ledger')),
      ingestion: queueProbe(resource('queue', 'accepted')),
      files: bucketProbe(resource('bucket', 'exports')),
      exports: stateMachineProbe(resource('stateMachine', 'exports')),
      signing: keyProbe(() => signingKeyAt(schedule, systemClock()).keyId),
    },
    { clock: systemClock },
  ),
};

export const handler = unit(
  [
    getHealth(stores),
    getReadiness(stores),
    getOpenapi(stores),
    getPostman(stores),
    listErrors(stores),
    getErrorPage(stores),
    getNotificationPage(stores),
  ],
  pipeline,
  unknownRoute(stores),
);
