import * as z from 'zod';
import { beginSession } from '../../identity/oauth/session/beginSession.ts';
import { endSession } from '../../identity/oauth/session/endSession.ts';
import { authorize } from '../../identity/oauth/signIn/authorize.ts';
import { finishSignIn } from '../../identity/oauth/signIn/finishSignIn.ts';
import { identityProvider } from '../../identity/oauth/signIn/identityProvider.ts';
import { settings } from '../../platform/shared/settings.ts';
import { fromExternalClock, systemClock } from '../../platform/shared/time/clock.ts';
import { accessRead, auditAppend, grantsSession, grantsStart } from '../stores/identity.ts';
import { publicPipeline } from '../wiring/publicPipeline.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

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
export const handler = unitFromEnv({
  pipeline: publicPipeline,
  operations: [authorize(provider), finishSignIn(provider), beginSession(provider), endSession(provider)],
  stores: { accessRead, auditAppend, grantsSession, grantsStart },
});
