import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SAMPLE_TAG_KEYS } from '../../functions/tenants/sandbox/sample/traffic.ts';
import { registerDemoUser, registerUser } from '../../local/engines/oidc/oidcUsers.ts';
import { writeJsonFile } from '../../local/jsonFile.ts';
import type { Runtime } from '../../local/runtime.ts';
import type { Role } from '../../schemas/identity/roles.ts';
import type { Scope } from '../../schemas/identity/scopes.ts';
import { pointClientsAt } from '../operator/deployment.ts';
import { tenantAdministration } from '../operator/tenants.ts';

const DEMO_TENANTS = [
  { tenantId: 'acme', name: 'Acme Corporation' },
  { tenantId: 'globex', name: 'Globex' },
] as const;

/** The users of the first demo tenant besides its administrator. They have no password. */
const DEMO_USERS = [
  { role: 'finops', name: 'FinOps' },
  { role: 'engineer', name: 'Engineer' },
  { role: 'viewer', name: 'Viewer' },
] as const;

/** The source system of the demo connector of a partner. */
const PARTNER_SYSTEM = 'demo-gateway';

/** The embedded queue engine gives every sender this id. One tenant receives all messages sent directly to the queue. */
const EMBEDDED_SENDER = '000000000000';

const Client = z.object({ client_id: z.string(), client_secret: z.string() });
const DemoTenant = z.object({
  tenant_id: z.string(),
  name: z.string(),
  api_keys: z.object({ admin: z.string(), ingest: z.string(), read: z.string() }),
  oauth_client: Client,
  user: z.object({ email: z.string(), password: z.string() }),
});
type DemoTenant = z.infer<typeof DemoTenant>;

const DemoCredentials = z.object({
  base_url: z.string(),
  environment: z.literal('local'),
  endpoints: z.record(z.string(), z.string().nullable()),
  /** The only credentials that the embedded engines accept. New at each start. Absent in a file of an earlier version. */
  aws_credentials: z.object({ access_key_id: z.string(), secret_access_key: z.string() }).optional(),
  ingestion_queue_url: z.string(),
  tables: z.record(z.string(), z.string()),
  outputs: z.record(z.string(), z.string()),
  tenants: z.array(DemoTenant).min(1),
  /** A connector of the first tenant. Absent in a data directory of an earlier version. */
  partner: Client.extend({ tenant_id: z.string(), source_systems: z.array(z.string()) }).optional(),
});
type DemoPartner = NonNullable<z.infer<typeof DemoCredentials>['partner']>;
export type Credentials = z.infer<typeof DemoCredentials>;

const readStored = (file: string): Credentials | null =>
  existsSync(file) ? (DemoCredentials.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null) : null;

/** `TableLedger` → `ledger`. */
const tablesOf = (outputs: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(outputs)
      .filter(([name]) => name.startsWith('Table'))
      .map(([name, value]) => [name.charAt(5).toLowerCase() + name.slice(6), value]),
  );

const addressOf = (role: Role, tenantId: string): string => `${role}@${tenantId}.example`;

type Administration = Awaited<ReturnType<typeof tenantAdministration>>;

/** Opens a tenant, or finds it, and issues what a demo needs: API keys, a client and a user, who is not yet registered. */
export const prepareTenant = async (
  administration: Administration,
  { tenantId, name }: { readonly tenantId: string; readonly name: string },
): Promise<DemoTenant> => {
  const tenant =
    (await administration.show(tenantId)) ??
    (await administration.open({
      tenantId,
      name,
      plan: 'enterprise',
      residency: [],
      costAllocationTags: SAMPLE_TAG_KEYS,
    }));
  const key = (keyName: string, scopes?: Scope[]) => administration.issueKey(tenant, keyName, scopes);
  const read: Scope[] = ['read:attribution', 'read:reporting'];
  const email = addressOf('admin', tenantId);
  await administration.registerUser(tenant, email, 'admin');
  return {
    tenant_id: tenantId,
    name,
    api_keys: {
      admin: await key('demo admin'),
      ingest: await key('demo ingest', ['ingest:write']),
      read: await key('demo read', read),
    },
    oauth_client: await administration.issueClient(tenant, 'demo client', {
      scopes: ['ingest:write', ...read],
    }),
    user: { email, password: randomBytes(18).toString('base64url') },
  };
};

/** Registers the connector of a partner. */
const preparePartner = async (administration: Administration, tenantId: string): Promise<DemoPartner> => {
  const tenant = await administration.show(tenantId);
  if (tenant === null) throw new Error(`Tenant "${tenantId}" does not exist.`);
  const source_systems = [PARTNER_SYSTEM];
  const scopes: Scope[] = ['partner:connector'];
  const client = await administration.issueClient(tenant, 'demo connector', { scopes, source_systems });
  return { tenant_id: tenantId, ...client, source_systems };
};

/** Registers the demo users at the embedded provider. Its sign-in page offers them by name. */
const registerAtProvider = async (dataDir: string, tenants: readonly DemoTenant[]): Promise<void> => {
  for (const { user, name } of tenants) {
    await registerUser(dataDir, user);
    registerDemoUser(dataDir, { email: user.email, name: `Administrator of ${name}` });
  }
  const [first] = DEMO_TENANTS;
  for (const { role, name } of DEMO_USERS)
    registerDemoUser(dataDir, { email: addressOf(role, first.tenantId), name: `${name} of ${first.name}` });
};

/**
 * Creates the demo tenants of a new data directory, or finds those of an existing one. Writes `credentials.json`, which
 * only its owner can read, with everything that commands and users need to call the instance.
 */
export const prepareDemo = async (runtime: Runtime, dataDir: string): Promise<Credentials> => {
  const file = join(dataDir, 'credentials.json');
  const { outputs, endpoints, baseUrl } = runtime;
  pointClientsAt(endpoints, runtime.credentials);
  const administration = await tenantAdministration({
    environment: 'local',
    baseUrl,
    output: (name) => z.string({ error: `The stack has no output ${name}` }).parse(outputs[name]),
  });

  const [first] = DEMO_TENANTS;
  const stored = readStored(file);
  const tenants =
    stored?.tenants ??
    (await Promise.all(DEMO_TENANTS.map((tenant) => prepareTenant(administration, tenant))));
  const partner = stored?.partner ?? (await preparePartner(administration, first.tenantId));
  if (stored === null) {
    const tenant = await administration.show(first.tenantId);
    if (tenant !== null) {
      await administration.registerSender(tenant, EMBEDDED_SENDER);
      for (const { role } of DEMO_USERS)
        await administration.registerUser(tenant, addressOf(role, first.tenantId), role);
    }
  }
  // An external provider has its own users.
  if ('UserPoolId' in outputs) await registerAtProvider(dataDir, tenants);

  const credentials: Credentials = {
    base_url: baseUrl,
    environment: 'local',
    endpoints,
    aws_credentials: {
      access_key_id: runtime.credentials.accessKeyId,
      secret_access_key: runtime.credentials.secretAccessKey,
    },
    ingestion_queue_url: z.string().parse(outputs['IngestionQueueUrl']),
    tables: tablesOf(outputs),
    outputs,
    tenants,
    partner,
  };
  writeJsonFile(file, credentials);
  return credentials;
};
