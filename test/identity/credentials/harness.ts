import { accessList, accessRead, accessWrite } from '../../../functions/entries/stores/identity.ts';
import { type Environment, storesIn } from '../../../functions/entries/stores/provider.ts';
import { ApiKey, parseApiKey } from '../../../functions/identity/access/principals/apiKey.ts';
import { OAuthClient } from '../../../functions/identity/access/principals/client.ts';
import { secretMatches } from '../../../functions/identity/access/principals/secret.ts';
import createApiKey from '../../../functions/identity/credentials/createApiKey.ts';
import createOAuthClient from '../../../functions/identity/credentials/createOAuthClient.ts';
import deleteOAuthClient from '../../../functions/identity/credentials/deleteOAuthClient.ts';
import revokeApiKey from '../../../functions/identity/credentials/revokeApiKey.ts';
import rotateApiKey from '../../../functions/identity/credentials/rotateApiKey.ts';
import rotateOAuthClient from '../../../functions/identity/credentials/rotateOAuthClient.ts';
import { lastUse } from '../../../functions/platform/limits/lastUse.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { startOperations } from '../../platform/http/startOperations.ts';

const operations = {
  createApiKey,
  rotateApiKey,
  revokeApiKey,
  createOAuthClient,
  rotateOAuthClient,
  deleteOAuthClient,
};
export type OperationName = keyof typeof operations;

/** The credential operations. */
export const startCredentialsHarness = async () => {
  const world = await startOperations(
    operations,
    (environment: Environment) => ({
      ...storesIn(environment, { accessRead, accessList, accessWrite }),
      lastUse: lastUse('limits'),
    }),
    { now: Date.parse('2026-05-01T12:00:00Z') },
  );
  return {
    ...world,
    keysOf: async ({ tag }: Tenant) =>
      (await world.live.documents('access', `key#${tag}`)).map((one) => ApiKey.parse(one)),
    clientsOf: async ({ tag }: Tenant) =>
      (await world.live.documents('access', `client#${tag}`)).map((one) => OAuthClient.parse(one)),
    /** Whether an API key or a client secret is valid now. */
    works: (secret: string, { secrets }: Pick<OAuthClient, 'secrets'>): boolean =>
      secretMatches(secrets, parseApiKey(secret)?.secret ?? secret, world.time.now),
  };
};
