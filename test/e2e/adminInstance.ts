import { expect } from 'vitest';
import * as z from 'zod';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { AuditEntry } from '../../schemas/access/audit.ts';
import { RaisedEvent } from '../../schemas/events.ts';
import { ApiKeyRecord } from '../../schemas/routes/apiKeys.ts';
import { OAuthClientRecord } from '../../schemas/routes/oauthClients.ts';
import { findDeployment } from '../../tools/operator/deployment.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import { type Answer, call, type Request, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { startInstance } from '../support/instance.ts';

export const KEYS = '/api/v1/api-keys';
export const CLIENTS = '/api/v1/oauth-clients';
export const DAY = 24 * 60 * 60 * 1_000;

/** What keys and clients of these tests may do, unless a test says otherwise: something in every unit. */
export const RIGHTS = { name: 'ci', scopes: ['ingest:write', 'read:attribution', 'admin:config'] };

export const CreatedKey = ApiKeyRecord.extend({ secret: z.string() });
export const CreatedClient = OAuthClientRecord.extend({ client_secret: z.string().nullable() });

/** What each unit that takes a credential answers to one that may call it, and to one that is none. */
export const GOOD = [202, 200, 200, 200];
export const REFUSED = [401, 401, 401, 401];

type InstanceOptions = Parameters<typeof startInstance>[0];

/** An instance as its tenants' administrators meet it, and what they leave in its engines. */
export const startAdminInstance = async (options: InstanceOptions = {}) => {
  // Buckets this large never refuse: these tests are about everything else.
  const environment = { RATE_LIMIT_SCALE: '1000', ...options.environment };
  const instance = await startInstance({ ...options, environment });
  const { baseUrl, credentials, dataDir } = instance;
  const [acme, globex] = credentials.tenants;
  if (acme === undefined || globex === undefined) throw new Error('two demo tenants are expected');
  const engines = enginesOf(credentials);
  const administration = await tenantAdministration(await findDeployment({ stack: undefined, dataDir }));

  const send = (path: string, request: Request = {}): Promise<Answer> =>
    call(baseUrl, path, { key: acme.api_keys.admin, ...request });
  const answered = async (status: number, answer: Promise<Answer>): Promise<Answer['body']> => {
    const { status: actual, body, text } = await answer;
    expect(actual, text).toBe(status);
    return body;
  };
  const change =
    (collection: string) =>
    (id: string, body?: object, request: Request = {}): Promise<Answer> =>
      send(`${collection}/${id}/rotate`, { method: 'POST', ...(body && { body }), ...request });
  const remove =
    (collection: string) =>
    (id: string, request: Request = {}): Promise<Answer> =>
      send(`${collection}/${id}`, { method: 'DELETE', ...request });

  /** One call in each unit that takes a credential. */
  const everywhere = (headers: Record<string, string>): Promise<Answer[]> =>
    Promise.all([
      call(baseUrl, '/api/v1/invocations', { headers, body: someEvent() }),
      call(baseUrl, '/v1/attribution?limit=1', { headers }),
      call(baseUrl, `${KEYS}?limit=1`, { headers }),
      call(baseUrl, '/openapi.json', { headers }),
    ]);
  const rowsOf = async <Row>(table: string, shape: z.ZodType<Row>): Promise<Row[]> =>
    (await engines.rows(table)).map(({ document }) => shape.parse(JSON.parse(document?.S ?? '')));

  return {
    instance,
    baseUrl,
    administration,
    engines,
    acme,
    globex,
    send,
    everywhere,
    /** What each unit answers to a key. */
    statuses: async (key: string): Promise<number[]> =>
      (await everywhere({ 'x-api-key': key })).map(({ status }) => status),
    /** A tenant without limits, and a key of its administrator. */
    newTenant: async (tenantId: string, members: Partial<Tenant> = {}) => {
      await administration.open({ tenantId, name: tenantId, plan: 'enterprise', residency: [] });
      const tenant = await administration.update(tenantId, (opened) => ({ ...opened, ...members }));
      return { tenant, key: await administration.issueKey(tenant, 'admin') };
    },
    keys: {
      create: async (members: object = {}, request: Request = {}) =>
        CreatedKey.parse(await answered(201, send(KEYS, { body: { ...RIGHTS, ...members }, ...request }))),
      rotate: change(KEYS),
      rotated: async (id: string, body?: object) =>
        CreatedKey.parse(await answered(200, change(KEYS)(id, body))),
      revoke: remove(KEYS),
      read: async (id: string) => ApiKeyRecord.parse(await answered(200, send(`${KEYS}/${id}`))),
    },
    clients: {
      create: async (members: object = {}, request: Request = {}) => {
        const body = await answered(201, send(CLIENTS, { body: { ...RIGHTS, ...members }, ...request }));
        const { client_secret, ...record } = CreatedClient.parse(body);
        return { ...record, client_secret: client_secret ?? '' };
      },
      rotate: change(CLIENTS),
      rotated: async (id: string, body?: object) => {
        const { client_secret, ...record } = CreatedClient.parse(
          await answered(200, change(CLIENTS)(id, body)),
        );
        return { ...record, client_secret: client_secret ?? '' };
      },
      remove: remove(CLIENTS),
      read: async (id: string) => OAuthClientRecord.parse(await answered(200, send(`${CLIENTS}/${id}`))),
    },
    /** The entries of the audit log, in the order they were made. */
    audit: async (): Promise<AuditEntry[]> =>
      (await rowsOf('audit', AuditEntry)).toSorted((one, other) => one.at.localeCompare(other.at)),
    events: (): Promise<RaisedEvent[]> => rowsOf('outbox', RaisedEvent),
    stop: async (): Promise<void> => {
      engines.close();
      await instance.stop();
    },
  };
};
export type AdminInstance = Awaited<ReturnType<typeof startAdminInstance>>;
