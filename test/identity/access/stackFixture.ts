import { createAuthenticator } from '../../../functions/identity/access/authenticator.ts';
import type { ApiKey } from '../../../functions/identity/access/principals/apiKey.ts';
import { credentialMode } from '../../../functions/identity/access/principals/apiKey.ts';
import type { OAuthClient } from '../../../functions/identity/access/principals/client.ts';
import type { KeySet } from '../../../functions/identity/access/tokens/signingKey.aws.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { NOW } from '../../platform/http/harness.ts';

/** The rows of a stack, and the keys of each read, as `kind:id`. */
export const stackRows = () => ({
  apiKeys: new Map<string, ApiKey>(),
  clients: new Map<string, OAuthClient>(),
  tenants: new Map<string, Tenant>(),
  reads: [] as string[],
});
export type StackRows = ReturnType<typeof stackRows>;

/** The authenticator of a stack with these rows, configured as its functions configure it. */
export const stackAuthenticator = (
  { apiKeys, clients, tenants, reads }: StackRows,
  stack: {
    readonly environment: 'production' | 'sandbox' | 'local';
    readonly issuer: string;
    readonly keys: KeySet;
  },
) => {
  const read = <Row>(kind: string, id: string, row: Row | null): Row | null => {
    reads.push(`${kind}:${id}`);
    return row;
  };
  return createAuthenticator({
    credentials: {
      apiKey: async (id) => read('apiKey', id, apiKeys.get(id) ?? null),
      client: async (id) => read('client', id, clients.get(id) ?? null),
      user: async (_, email) => read('user', email, null),
    },
    grants: {
      grant: async (id) => read('grant', id, null),
      isRevoked: async (jti) => read('revocation', jti, null) !== null,
    },
    tenants: { tenant: async (id) => read('tenant', id, tenants.get(id) ?? null) },
    keys: stack.keys,
    issuer: stack.issuer,
    mode: credentialMode(stack.environment),
    clock: () => NOW,
  });
};
