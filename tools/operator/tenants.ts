import { randomBytes, randomUUID } from 'node:crypto';
import { credentialMode } from '../../functions/identity/access/principals/apiKey.ts';
import type { User } from '../../functions/identity/access/principals/user.ts';
import { registerUser, removeUser } from '../../functions/identity/access/principals/userWrites.ts';
import { auditChanges } from '../../functions/identity/audit/auditChanges.ts';
import { buildAuditEntry } from '../../functions/identity/audit/auditEntry.ts';
import { validateConnector } from '../../functions/identity/credentials/connectorRegistration.ts';
import {
  type IssueContext,
  issueApiKey,
  issueClient,
} from '../../functions/identity/credentials/issueCredential.ts';
import { idOf, tenantTag } from '../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../functions/platform/shared/ulid.ts';
import { initialTagKeys } from '../../functions/platform/tenancy/costAllocationTags.ts';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { SAMPLE_TAG_KEYS } from '../../functions/tenants/sandbox/sample/traffic.ts';
import { newSandbox } from '../../functions/tenants/sandbox/sandbox.ts';
import type { ContractPrices } from '../../schemas/attribution/contractPrices.ts';
import type { AuditAction } from '../../schemas/identity/audit.ts';
import type { Role } from '../../schemas/identity/roles.ts';
import { type Scope, scopeNames } from '../../schemas/identity/scopes.ts';
import type { Plan } from '../../schemas/platform/limits.ts';
import type { Deployment } from './deployment.ts';
import { digestOf } from './erasure/digest.ts';
import { eraseTenant } from './erasure/eraseTenant.ts';
import { erasePerson } from './erasure/person/erasePerson.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1_000;
/** Default maximum lifetime of an API key. */
const KEY_LIFETIME_DAYS = 365;

const newUlid = (): string => ulidOf(Date.now(), randomBytes(10));

/** The settings of a new tenant. */
export interface NewTenant {
  readonly tenantId: string;
  readonly name: string;
  readonly plan: Plan;
  readonly residency: readonly string[];
  readonly keyLifetimeDays?: number;
  /** Tag keys that reports can group by, for calls of any time. Default: none; in a sandbox, those of the sample. */
  readonly costAllocationTags?: readonly string[];
  /** Fills the tenant with synthetic data, which a reset deletes. Cannot be changed later. */
  readonly sandbox?: boolean;
}

/** Manages tenants with the operator's AWS credentials. There is no public route for this. */
export const tenantAdministration = async (deployment: Deployment) => {
  // Imported late, because the AWS clients read their endpoints at import.
  const { credentialWriter } = await import('../../functions/identity/access/principals/credential.store.ts');
  const { auditLog } = await import('../../functions/identity/audit/audit.store.ts');
  const { commit } = await import('../../functions/platform/shared/aws/document.store.ts');
  const { tenantReader, tenantWriter } = await import('../../functions/platform/tenancy/tenant.store.ts');
  const { sandboxStore } = await import('../../functions/tenants/sandbox/sandbox.store.ts');
  const sandboxes = sandboxStore(deployment.output('TableTenants'));
  const reader = tenantReader(deployment.output('TableTenants'));
  const tenants = tenantWriter(deployment.output('TableTenants'));
  const credentials = credentialWriter(deployment.output('TableAccess'));
  const audit = auditLog(deployment.output('TableAudit'));

  type Of = Pick<Tenant, 'tenant_id' | 'tag'>;
  const auditWrite = (
    tenant: Of,
    action: AuditAction,
    resource: string,
    after?: unknown,
    before: unknown = null,
  ) =>
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
        { resource, ...(after !== undefined && { changed: auditChanges({ before, after }) }) },
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

  const sandboxWrite = ({ tenant_id, tag, created_at }: Tenant) => {
    const state = newSandbox({ id: idOf('rst', tag, newUlid()), live: true, now: Date.parse(created_at) });
    return sandboxes.put(tenant_id, state, createOptions());
  };

  return {
    show: reader.tenant,
    /** A sandbox loads its data set in the background. Throws if the tenant exists, or if a sandbox is requested in production. */
    open: async (input: NewTenant) => {
      if (input.sandbox === true && deployment.environment === 'production') {
        throw new Error(
          'A production deployment has no sandbox tenants. Deploy a stack with environment=sandbox.',
        );
      }
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
        cost_allocation_tags: initialTagKeys(
          input.costAllocationTags ?? (input.sandbox === true ? SAMPLE_TAG_KEYS : []),
        ),
        ...(input.sandbox === true && { sandbox: true as const }),
        created_at: new Date().toISOString(),
      };
      const opened = await commit([
        tenants.putTenant(tenant, createOptions()),
        ...(tenant.sandbox === true ? [sandboxWrite(tenant)] : []),
        auditWrite(tenant, 'tenant.create', tenant.tenant_id, tenant),
      ]);
      if (!opened) throw new Error(`Tenant "${input.tenantId}" already exists.`);
      return tenant;
    },
    /** Updates a tenant, and retries after concurrent changes. Throws if the tenant does not exist. */
    update: async (tenantId: string, change: (tenant: Tenant) => Tenant): Promise<Tenant> => {
      for (;;) {
        const existing = await tenants.tenant(tenantId);
        if (existing === null) throw new Error(`Tenant "${tenantId}" does not exist.`);
        const tenant = change(existing.document);
        const written = await commit([
          tenants.putTenant(tenant, { expectedRevision: existing.revision, by: revision() }),
          auditWrite(tenant, 'tenant.update', tenantId, tenant, existing.document),
        ]);
        if (written) return tenant;
      }
    },
    /** Deletes all data of a tenant. Returns the statement, and its digest, which the audit log keeps. */
    erase: async (tenant: Of, withAudit: boolean) => {
      const statement = await eraseTenant(deployment, tenant, { withAudit, now: () => new Date() });
      const digest = digestOf(statement);
      await commit([auditWrite(tenant, 'tenant.erase', digest)]);
      return { statement, digest };
    },
    /** Replaces the name of a person by a pseudonym. Returns the statement, and its digest, which the audit log keeps. */
    erasePerson: async (tenant: Of, name: string, pseudonym: string) => {
      const statement = await erasePerson(deployment, tenant, { name, pseudonym, now: () => new Date() });
      const digest = digestOf(statement);
      await commit([auditWrite(tenant, 'person.erase', digest)]);
      return { statement, digest };
    },
    contractPrices: reader.contractPrices,
    replaceContractPrices: async (tenant: Of, prices: ContractPrices) => {
      for (;;) {
        const existing = await tenants.contractPrices(tenant.tenant_id);
        const written = await commit([
          tenants.putContractPrices(tenant.tenant_id, prices, {
            expectedRevision: existing.revision,
            by: revision(),
          }),
          auditWrite(tenant, 'tenant.prices', tenant.tenant_id, prices, existing.document),
        ]);
        if (written) return;
      }
    },
    registerSender: async (tenant: Of, principal: string) => {
      await commit([
        tenants.registerSender(principal, tenant.tenant_id),
        auditWrite(tenant, 'sender.register', principal),
      ]);
    },
    /** Throws if the principal is not registered for this tenant. */
    removeSender: async (tenant: Of, principal: string) => {
      if ((await reader.tenantOfSender(principal)) !== tenant.tenant_id) {
        throw new Error(`${principal} is not registered as a sender of tenant "${tenant.tenant_id}".`);
      }
      await commit([tenants.removeSender(principal), auditWrite(tenant, 'sender.remove', principal)]);
    },
    /** Issues an API key. Returns its secret, which cannot be read again. */
    issueKey: async (tenant: Tenant, name: string, scopes: readonly Scope[] = scopeNames) => {
      const expiresAt = Date.now() + tenant.key_lifetime_days * DAY_MILLISECONDS;
      const rights = { name, scopes, residency: null, expiresAt };
      const { stored, secret } = issueApiKey(
        issueContext(tenant),
        rights,
        credentialMode(deployment.environment),
      );
      await commit([
        ...credentials.putApiKey(stored, createOptions()),
        auditWrite(tenant, 'api_key.create', stored.key_id, stored),
      ]);
      return secret;
    },
    /** Issues an OAuth client for the client credentials grant. With source systems, it is the connector of a partner. */
    issueClient: async (tenant: Of, name: string, request: Parameters<typeof validateConnector>[0]) => {
      const { stored, secret } = issueClient(issueContext(tenant), {
        ...validateConnector(request),
        name,
        scopes: request.scopes,
        residency: null,
        grantTypes: ['client_credentials'],
        redirectUris: [],
        authentication: 'client_secret_basic',
      });
      await commit([
        ...credentials.putClient(stored, createOptions()),
        auditWrite(tenant, 'oauth_client.create', stored.client_id, stored),
      ]);
      if (secret === null) throw new Error('Expected a secret for a confidential OAuth client');
      return { client_id: stored.client_id, client_secret: secret };
    },
    /** Allows a user to sign in to a tenant, or changes the role. */
    registerUser: async (tenant: Of, email: string, role: Role): Promise<User> => {
      for (;;) {
        const userId = idOf('usr', tenant.tag, newUlid());
        const { user, writes } = await registerUser(
          credentials,
          tenant,
          { email, role, userId, at: Date.now() },
          revision(),
        );
        if (await commit([...writes, auditWrite(tenant, 'user.register', user.user_id, { role })]))
          return user;
      }
    },
    /** Removes a user from a tenant. This also invalidates issued tokens. Throws if the user does not exist. */
    removeUser: async (tenant: Of, email: string): Promise<User> => {
      for (;;) {
        const removed = await removeUser(credentials, tenant, { email, at: Date.now() }, revision());
        if (removed === null) throw new Error(`User ${email} does not exist.`);
        const { user, writes } = removed;
        if (await commit([...writes, auditWrite(tenant, 'user.remove', user.user_id)])) return user;
      }
    },
  };
};
