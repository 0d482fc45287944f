import getErrorPage from '../../platform/apiDocs/contract/getErrorPage.ts';
import getHealth from '../../platform/apiDocs/contract/getHealth.ts';
import getNotificationPage from '../../platform/apiDocs/contract/getNotificationPage.ts';
import getOpenapi from '../../platform/apiDocs/contract/getOpenapi.ts';
import getPostman from '../../platform/apiDocs/contract/getPostman.ts';
import getReadiness from '../../platform/apiDocs/contract/getReadiness.ts';
import listErrors from '../../platform/apiDocs/contract/listErrors.ts';
import unknownRoute from '../../platform/apiDocs/contract/unknownRoute.ts';
import { signingVerify } from '../stores/keys.ts';
import { tenantsProbe } from '../stores/readiness.ts';
import { documentPipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: documentPipelineFromEnv,
  operations: [
    getHealth,
    getReadiness,
    getOpenapi,
    getPostman,
    listErrors,
    getErrorPage,
    getNotificationPage,
  ],
  stores: { signingVerify, tenantsProbe },
  fallback: unknownRoute,
});
