import { randomBytes, randomUUID } from 'node:crypto';
import { credentialMode } from '../../functions/access/apiKey.ts';
import { normalizeEmail, type User } from '../../functions/access/user.ts';
import { buildAuditEntry } from '../../functions/audit/auditEntry.ts';
import { type IssueContext, issueApiKey, issueClient } from '../../functions/credentials/issueCredential.ts';
import { idOf, tenantTag } from '../../functions/shared/ids.ts';
import { ulidOf } from '../../functions/shared/ulid.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { AuditAction } from '../../schemas/access/audit.ts';
import type { Role } from '../../schemas/access/roles.ts';
import { type Scope, scopeNames } from '../../schemas/access/scopes.ts';
import type { ContractPrices } from '../../schemas/attribution/contractPrices.ts';
import type { Plan } from '../../schemas/platform/limits.ts';
import type { Deployment } from './deployment.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1_000;
/** Longest life of a key unless a tenant's policy says otherwise. */
const KEY_LIFETIME_DAYS = 365;

const newUlid = (): string => ulidOf(Date.now(), randomBytes(10));

/** What a tenant begins with. */
export interface NewTenant {
  readonly tenantId: string;
  readonly name: string;
  readonly plan: Plan;
  readonly residency: readonly string[];
  readonly keyLifetimeDays?: number;
}

/** What operators do to tenants, with their own AWS credentials: there is no public route for it. */
export const tenantAdministration = async (deployment: Deployment) => {
  // Loaded only now: the AWS clients read their endpoints when they are made.
  const { credentialWriter } = await import('../../functions/access/credential.store.ts');
  const { auditLog } = await import('../../functions/audit/audit.store.ts');
  const { commit } = await import('../../functions/shared/aws/document.store.ts');
  const { tenantReader, tenantWriter } = await import('../../functions/tenancy/tenant.store.ts');
  const reader = tenantReader(deployment.output('TableTenants'));
  const tenants = tenantWriter(deployment.output('TableTenants'));
  const credentials = credentialWriter(deployment.output('TableAccess'));
  const audit = auditLog(deployment.output('TableAudit'));

  type Of = Pick<Tenant, 'tenant_id' | 'tag'>;
  const auditWrite = (tenant: Of, action: AuditAction, resource: string) =>
    audit.append(
      tenant.tenant_id,
      buildAuditEntry(
        {
          ulid: newUlid(),
          tag: tenant.tag,
          action,
          actor: { type: 'operator', id: 'operator' },
          sourceIp: null,
          traceId: null,
        },
        { resource },
      ),
    );
  const revision = () => ({ claim: `operator ${randomUUID()}`, attempt: 1 });
  const createOptions = () => ({ expectedRevision: null, by: revision() });
  const issueContext = (tenant: Of): IssueContext => ({
    tenant,
    ulid: newUlid(),
    at: Date.now(),
    createdBy: 'operator',
    random: randomBytes,
  });

  return {
    show: reader.tenant,
    open: async (input: NewTenant) => {
      const tenant: Tenant = {
        tenant_id: input.tenantId,
        name: input.name,
        tag: tenantTag(input.tenantId, randomBytes(32)),
        plan: input.plan,
        limits: {},
        residency: [...input.residency],
        key_lifetime_days: input.keyLifetimeDays ?? KEY_LIFETIME_DAYS,
        stage_b: 'enabled',
        allocation: { method: 'proportional' },
        shards: [{ from: 0, count: 1 }],
        created_at: new Date().toISOString(),
      };
      const opened = await commit([
        tenants.putTenant(tenant, createOptions()),
        auditWrite(tenant, 'tenant.create', tenant.tenant_id),
      ]);
      if (!opened) throw new Error(`the tenant ${input.tenantId} exists already`);
      return tenant;
    },
    /** Changes a tenant on top of whatever else changes it. Throws when there is none. */
    update: async (tenantId: string, changed: (tenant: Tenant) => Tenant): Promise<Tenant> => {
      for (;;) {
        const found = await tenants.tenant(tenantId);
        if (found === null) throw new Error(`there is no tenant ${tenantId}`);
        const tenant = changed(found.document);
        const written = await commit([
          tenants.putTenant(tenant, { expectedRevision: found.revision, by: revision() }),
          auditWrite(tenant, 'tenant.update', tenantId),
        ]);
        if (written) return tenant;
      }
    },
    contractPrices: reader.contractPrices,
    replaceContractPrices: async (tenant: Of, prices: ContractPrices) => {
      await commit([
        tenants.putContractPrices(tenant.tenant_id, prices),
        auditWrite(tenant, 'tenant.prices', tenant.tenant_id),
      ]);
    },
    registerSender: async (tenant: Of, principal: string) => {
      await commit([
        tenants.registerSender(principal, tenant.tenant_id),
        auditWrite(tenant, 'sender.register', principal),
      ]);
    },
    /** Throws when the principal sends for somebody else, or for nobody. */
    removeSender: async (tenant: Of, principal: string) => {
      if ((await reader.tenantOfSender(principal)) !== tenant.tenant_id) {
        throw new Error(`${principal} does not send for ${tenant.tenant_id}`);
      }
      await commit([tenants.removeSender(principal), auditWrite(tenant, 'sender.remove', principal)]);
    },
    /** A new key; its secret is returned here and nowhere again. */
    issueKey: async (tenant: Tenant, name: string, scopes: readonly Scope[] = scopeNames) => {
      const expiresAt = Date.now() + tenant.key_lifetime_days * DAY_MILLISECONDS;
      const rights = { name, scopes, residency: null, expiresAt };
      const { stored, secret } = issueApiKey(
        issueContext(tenant),
        rights,
        credentialMode(deployment.environment),
      );
      await commit([
        credentials.putApiKey(stored, createOptions()),
        auditWrite(tenant, 'api_key.create', stored.key_id),
      ]);
      return secret;
    },
    /** A new client that acts for itself. */
    issueClient: async (tenant: Of, name: string, scopes: readonly Scope[]) => {
      const { stored, secret } = issueClient(issueContext(tenant), {
        name,
        scopes,
        residency: null,
        grantTypes: ['client_credentials'],
        redirectUris: [],
        authentication: 'client_secret_basic',
      });
      await commit([
        credentials.putClient(stored, createOptions()),
        auditWrite(tenant, 'oauth_client.create', stored.client_id),
      ]);
      if (secret === null) throw new Error('a confidential client has a secret');
      return { client_id: stored.client_id, client_secret: secret };
    },
    /** Lets a person sign in to a tenant, or gives them another role. */
    registerUser: async (tenant: Of, email: string, role: Role): Promise<User> => {
      for (;;) {
        const found = await credentials.user(tenant.tag, email);
        const user: User = {
          user_id: found?.document.user_id ?? idOf('usr', tenant.tag, newUlid()),
          tenant_id: tenant.tenant_id,
          email: normalizeEmail(email),
          role,
          created_at: found?.document.created_at ?? new Date().toISOString(),
          removed_at: null,
        };
        const written = await commit([
          credentials.putUser(tenant.tag, user, {
            expectedRevision: found?.revision ?? null,
            by: revision(),
          }),
          auditWrite(tenant, 'user.register', user.user_id),
        ]);
        if (written) return user;
      }
    },
    /** Ends what a person may do in a tenant, tokens that are out there included. Throws when there is no such user. */
    removeUser: async (tenant: Of, email: string): Promise<User> => {
      for (;;) {
        const found = await credentials.user(tenant.tag, email);
        if (found === null || found.document.removed_at !== null)
          throw new Error(`there is no user ${email}`);
        const user: User = { ...found.document, removed_at: new Date().toISOString() };
        const written = await commit([
          credentials.putUser(tenant.tag, user, { expectedRevision: found.revision, by: revision() }),
          auditWrite(tenant, 'user.remove', user.user_id),
        ]);
        if (written) return user;
      }
    },
  };
};
