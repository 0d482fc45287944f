import { expect } from 'vitest';
import * as z from 'zod';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { RaisedEvent } from '../../schemas/delivery/events.ts';
import { AuditEntry } from '../../schemas/identity/audit.ts';
import { ApiKeyRecord } from '../../schemas/routes/identity/apiKeys.ts';
import { OAuthClientRecord } from '../../schemas/routes/identity/oauthClients.ts';
import { type Answer, call, type Request, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { startInstance } from '../support/instance.ts';
import { administrationOf, demoTenants, UNLIMITED } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

export const KEYS = '/api/v1/api-keys';
export const CLIENTS = '/api/v1/oauth-clients';
export const DAY = 24 * 60 * 60 * 1_000;

/** Default body for new keys and clients: one scope for every unit. */
export const RIGHTS = { name: 'ci', scopes: ['ingest:write', 'read:attribution', 'admin:config'] };

export const CreatedKey = ApiKeyRecord.extend({ secret: z.string() });
export const CreatedClient = OAuthClientRecord.extend({ client_secret: z.string().nullable() });

/** Status codes of `everywhere` for a credential with the default scopes, and for an invalid credential. */
export const GOOD = [202, 200, 200, 200];
export const REFUSED = [401, 401, 401, 401];

type InstanceOptions = Parameters<typeof startInstance>[0];

const startOwn = (options: NonNullable<InstanceOptions>) =>
  startInstance({ ...options, environment: { ...UNLIMITED, ...options.environment } });

/**
 * Helpers for tenant administrators, and access to the audit log and the outbox. On the shared instance, or on one with
 * options of its own.
 */
export const startAdminInstance = async (options?: InstanceOptions) => {
  const instance = options === undefined ? await sharedInstance() : await startOwn(options);
  const { baseUrl, credentials } = instance;
  const { acme, globex } = demoTenants(credentials);
  const engines = enginesOf(credentials);
  const administration = await administrationOf(instance);

  const send = (path: string, request: Request = {}): Promise<Answer> =>
    call(baseUrl, path, { key: acme.api_keys.admin, ...request });
  const expectStatus = async (status: number, answer: Promise<Answer>): Promise<Answer['body']> => {
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
    (await engines.rows(table)).flatMap(({ document }) =>
      document?.S === undefined ? [] : [shape.parse(JSON.parse(document.S))],
    );

  return {
    instance,
    baseUrl,
    administration,
    engines,
    acme,
    globex,
    send,
    everywhere,
    /** The status code of each unit for a key. */
    statuses: async (key: string): Promise<number[]> =>
      (await everywhere({ 'x-api-key': key })).map(({ status }) => status),
    /** A new tenant on the enterprise plan, and a key of its administrator. */
    newTenant: async (tenantId: string, members: Partial<Tenant> = {}) => {
      await administration.open({ tenantId, name: tenantId, plan: 'enterprise', residency: [] });
      const tenant = await administration.update(tenantId, (opened) => ({ ...opened, ...members }));
      return { tenant, key: await administration.issueKey(tenant, 'admin') };
    },
    keys: {
      create: async (members: object = {}, request: Request = {}) =>
        CreatedKey.parse(
          await expectStatus(201, send(KEYS, { body: { ...RIGHTS, ...members }, ...request })),
        ),
      rotate: change(KEYS),
      rotated: async (id: string, body?: object) =>
        CreatedKey.parse(await expectStatus(200, change(KEYS)(id, body))),
      revoke: remove(KEYS),
      read: async (id: string) => ApiKeyRecord.parse(await expectStatus(200, send(`${KEYS}/${id}`))),
    },
    clients: {
      create: async (members: object = {}, request: Request = {}) => {
        const body = await expectStatus(201, send(CLIENTS, { body: { ...RIGHTS, ...members }, ...request }));
        const { client_secret, ...record } = CreatedClient.parse(body);
        return { ...record, client_secret: client_secret ?? '' };
      },
      rotate: change(CLIENTS),
      rotated: async (id: string, body?: object) => {
        const { client_secret, ...record } = CreatedClient.parse(
          await expectStatus(200, change(CLIENTS)(id, body)),
        );
        return { ...record, client_secret: client_secret ?? '' };
      },
      remove: remove(CLIENTS),
      read: async (id: string) => OAuthClientRecord.parse(await expectStatus(200, send(`${CLIENTS}/${id}`))),
    },
    /** The audit log of all tenants, oldest first. */
    audit: async (): Promise<AuditEntry[]> =>
      (await rowsOf('audit', AuditEntry)).toSorted((one, other) => one.at.localeCompare(other.at)),
    /** Oldest first: the outbox spreads them over several partitions. */
    events: async (): Promise<RaisedEvent[]> =>
      (await rowsOf('outbox', RaisedEvent)).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    stop: async (): Promise<void> => {
      engines.close();
      await instance.stop();
    },
  };
};
export type AdminInstance = Awaited<ReturnType<typeof startAdminInstance>>;
