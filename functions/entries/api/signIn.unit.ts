import * as z from 'zod';
import { credentialReader } from '../../identity/access/credential.store.ts';
import { grantWriter, sessionStore, signInStore } from '../../identity/access/grant.store.ts';
import { auditLog } from '../../identity/audit/audit.store.ts';
import { beginSession } from '../../identity/oauth/session/beginSession.ts';
import { endSession } from '../../identity/oauth/session/endSession.ts';
import { authorize } from '../../identity/oauth/signIn/authorize.ts';
import { finishSignIn } from '../../identity/oauth/signIn/finishSignIn.ts';
import { identityProvider } from '../../identity/oauth/signIn/identityProvider.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { fromExternalClock, systemClock } from '../../platform/shared/time/clock.ts';
import { unit } from '../wiring/httpHandler.ts';
import { publicPipeline } from '../wiring/publicPipeline.ts';

const { OIDC_ISSUER, OIDC_CLIENT_ID } = z
  .object({ OIDC_ISSUER: z.url(), OIDC_CLIENT_ID: z.string().min(1) })
  .parse(process.env);

const provider = identityProvider({
  issuer: OIDC_ISSUER,
  clientId: OIDC_CLIENT_ID,
  callback: `${settings.BASE_URL}/v1/oauth/callback`,
  allowHttp: settings.ENVIRONMENT === 'local',
  clock: systemClock,
  fromOutside: fromExternalClock,
});
const stores = {
  credentials: credentialReader(resource('table', 'access')),
  signIns: signInStore(resource('table', 'grants')),
  grantWriter: grantWriter(resource('table', 'grants')),
  sessions: sessionStore(resource('table', 'grants')),
  audit: auditLog(resource('table', 'audit')),
};

export const handler = unit(
  [
    authorize(provider)(stores),
    finishSignIn(provider)(stores),
    beginSession(provider)(stores),
    endSession(provider)(stores),
  ],
  publicPipeline(),
);
