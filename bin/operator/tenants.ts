import { randomBytes } from 'node:crypto';
import { credentialMode } from '../../functions/access/apiKey.ts';
import { mintApiKey, mintClient } from '../../functions/access/minting.ts';
import { tenantTag } from '../../functions/shared/ids.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { Plan } from '../../schemas/limits.ts';
import { type Scope, scopeNames } from '../../schemas/scopes.ts';
import type { Deployment } from './deployment.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1_000;
/** Longest life of a key unless a tenant's policy says otherwise. */
const KEY_LIFETIME = 365 * DAY_MILLISECONDS;

/** What operators do to tenants, with their own AWS credentials: there is no public route for it. */
export const tenantAdministration = async (deployment: Deployment) => {
  // Loaded only now: the AWS clients read their endpoints when they are made.
  const { credentialWriter } = await import('../../functions/access/store.ts');
  const { tenantReader, tenantWriter } = await import('../../functions/tenancy/store.ts');
  const tenants = tenantWriter(deployment.output('TableTenants'));
  const reader = tenantReader(deployment.output('TableTenants'));
  const credentials = credentialWriter(deployment.output('TableAccess'));
  const source = () => ({ at: Date.now(), random: randomBytes });

  const open = async (input: { tenantId: string; name: string; plan: Plan; residency: string | null }) => {
    const tenant: Tenant = {
      tenant_id: input.tenantId,
      name: input.name,
      tag: tenantTag(input.tenantId, randomBytes(32)),
      plan: input.plan,
      limits: {},
      residency: input.residency,
      shards: [{ from: 0, count: 1 }],
      created_at: new Date().toISOString(),
    };
    if (!(await tenants.create(tenant))) throw new Error(`the tenant ${input.tenantId} exists already`);
    return tenant;
  };

  return {
    open,
    show: reader.tenant,
    replace: tenants.replace,
    registerSender: tenants.registerSender,
    /** A new key; its secret is returned here and nowhere again. */
    issueKey: async (tenant: Tenant, name: string, scopes: readonly Scope[] = scopeNames) => {
      const at = source();
      const mode = credentialMode(deployment.environment);
      const key = mintApiKey({ tenant, name, scopes, mode, expiresAt: at.at + KEY_LIFETIME }, at);
      await credentials.putApiKey(key.stored);
      return key.secret;
    },
    issueClient: async (tenant: Tenant, name: string, scopes: readonly Scope[]) => {
      const client = mintClient({ tenant, name, scopes }, source());
      await credentials.putClient(client.stored);
      return { client_id: client.stored.client_id, client_secret: client.secret };
    },
  };
};
