import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routes } from '../../schemas/routes/index.ts';
import { type RouteShape, requiredScopes } from '../../schemas/routes/route.ts';
import { call, listAllRecords, type Request, someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const CLIENTS = '/api/v1/oauth-clients';
const EVENTS = '/api/partner/v1/events';
const EVENT = '/api/partner/v1/invocations';
const CONNECTOR = '/api/partner/v1/connector';
const HEALTH = `${CONNECTOR}/health`;
const COVERAGE = '/api/partner/v1/coverage';

let instance: Instance;
let keys: { admin: string; ingest: string; read: string };

const send = (path: string, request: Request) => call(instance.baseUrl, path, request);
const register = (members: Record<string, unknown> = {}) =>
  send(CLIENTS, {
    key: keys.admin,
    body: {
      name: 'kong-eu',
      scopes: ['partner:connector'],
      source_systems: ['kong', 'kong-batch'],
      ...members,
    },
  });
/** A registered connector with a token. */
const aConnector = async (members: Record<string, unknown> = {}) => {
  const { body } = await register(members);
  const { client_id, client_secret } = z
    .object({ client_id: z.string(), client_secret: z.string() })
    .parse(body);
  const answer = await send('/v1/oauth/token', {
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return { clientId: client_id, headers: { authorization: `Bearer ${String(answer.body['access_token'])}` } };
};

beforeAll(async () => {
  instance = await sharedInstance();
  keys = demoTenants(instance.credentials).acme.api_keys;
});
afterAll(() => instance.stop());

it('the connector of the demo tenant is limited to its source system', async () => {
  const { partner } = instance.credentials;
  const { client_id = '', client_secret = '', source_systems } = partner ?? {};
  const token = await send('/v1/oauth/token', {
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const headers = { authorization: `Bearer ${String(token.body['access_token'])}` };

  expect((await send(CONNECTOR, { headers })).body['source_systems']).toEqual(source_systems);
});

describe('the registration of a connector', () => {
  it('shows its source systems, and its secret once', async () => {
    const { status, body } = await register();
    const read = await send(`${CLIENTS}/${String(body['client_id'])}`, { key: keys.admin });

    expect([status, body['scopes'], body['source_systems']]).toEqual([
      201,
      ['partner:connector'],
      ['kong', 'kong-batch'],
    ]);
    expect(read.body).toMatchObject({ source_systems: ['kong', 'kong-batch'] });
    expect(read.text).not.toContain(String(body['client_secret']));
  });

  it.each([
    ['another scope', { scopes: ['partner:connector', 'read:attribution'] }, '/scopes'],
    ['no source systems', { source_systems: undefined }, '/scopes'],
    ['sign-in of users', { redirect_uris: ['https://a.example'] }, '/grant_types'],
    ['no secret', { token_endpoint_auth_method: 'none' }, '/'],
  ])('is refused with %s', async (_, members, pointer) => {
    const { status, body } = await register(members);

    expect([status, body['error_code']]).toEqual([422, 'VALIDATION_FAILED']);
    expect(JSON.stringify(body['errors'])).toContain(pointer);
  });

  it('is no API key', async () => {
    const key = { name: 'key', scopes: ['partner:connector'] };

    expect(await send('/api/v1/api-keys', { key: keys.admin, body: key })).toMatchObject({ status: 422 });
  });
});

describe('a connector that sends events', () => {
  it('sends events of its source systems, and reads its usage', async () => {
    const { headers, clientId } = await aConnector();
    const events = ['kong', 'kong-batch'].map((source_system) =>
      someEvent({ source_system, attributed_service: 'partner-own' }),
    );

    const sent = await send(EVENTS, { headers, body: { events } });
    await instance.runtime.idle();
    const records = await listAllRecords(instance.baseUrl, keys.read, 'service=partner-own');
    const own = await send(CONNECTOR, { headers });

    expect([sent.status, sent.body['accepted'], records.length]).toEqual([202, 2, 2]);
    expect(own.body).toMatchObject({
      client_id: clientId,
      connector: 'kong-eu',
      source_systems: ['kong', 'kong-batch'],
    });
    // At midnight the events may be of the day before.
    expect(own.body['usage']).toMatchObject([{ events: 2 }]);
  });

  it('may leave out its only source system', async () => {
    const { headers } = await aConnector({ source_systems: ['only-one'] });

    const sent = await send(EVENTS, {
      headers,
      body: { events: [someEvent({ attributed_service: 'partner-only' })] },
    });
    await instance.runtime.idle();

    expect(sent.body).toMatchObject({ accepted: 1 });
    const [record] = await listAllRecords(instance.baseUrl, keys.read, 'service=partner-only');
    const detail = await send(`/v1/attribution/${String(record?.['id'])}`, { key: keys.read });
    expect(detail.status).toBe(200);
    expect((await send(CONNECTOR, { headers })).body).toMatchObject({
      source_systems: ['only-one'],
    });
  });

  it('is told where it has to name one of its source systems', async () => {
    const { headers } = await aConnector();
    const named = someEvent({ source_system: 'kong', attributed_service: 'partner-unnamed' });
    const unnamed = someEvent({ source_system: null });

    const [batch, single] = [
      await send(EVENTS, { headers, body: { events: [named, unnamed] } }),
      await send(EVENT, { headers, body: unnamed }),
    ];

    expect([batch.status, single.status]).toEqual([422, 422]);
    expect([batch.body['errors'], single.body['errors']]).toMatchObject([
      [{ pointer: '/events/1/source_system', allowed: ['kong', 'kong-batch'] }],
      [{ pointer: '/source_system', allowed: ['kong', 'kong-batch'] }],
    ]);
  });

  it('is refused with an event of another source system, and the refusal is audited', async () => {
    const { headers, clientId } = await aConnector();
    const events = [
      someEvent({ source_system: 'kong', attributed_service: 'partner-foreign' }),
      someEvent({ source_system: 'litellm' }),
    ];

    const refused = await send(EVENTS, { headers, body: { events } });
    await instance.runtime.idle();
    const log = await send('/api/v1/audit-log?limit=200', { key: keys.admin });

    expect(refused).toMatchObject({ status: 403, body: { error_code: 'INSUFFICIENT_SCOPE' } });
    expect(await listAllRecords(instance.baseUrl, keys.read, 'service=partner-foreign')).toEqual([]);
    expect(log.body['data']).toContainEqual(
      expect.objectContaining({
        action: 'connector.send',
        actor: { type: 'oauth_client', id: clientId },
        outcome: 'refused',
        error_code: 'INSUFFICIENT_SCOPE',
      }),
    );
  });

  it('sends one event, refused and audited if it is of another source system', async () => {
    const { headers, clientId } = await aConnector({ source_systems: ['single'] });

    const sent = await send(EVENT, { headers, body: someEvent({ attributed_service: 'partner-single' }) });
    const refused = await send(EVENT, { headers, body: someEvent({ source_system: 'litellm' }) });
    await instance.runtime.idle();
    const log = await send(`/api/v1/audit-log?actor=${clientId}`, { key: keys.admin });

    expect([sent.status, sent.body['status']], sent.text).toEqual([202, 'queued']);
    expect(refused).toMatchObject({ status: 403, body: { error_code: 'INSUFFICIENT_SCOPE' } });
    expect(await listAllRecords(instance.baseUrl, keys.read, 'service=partner-single')).toHaveLength(1);
    expect((await send(CONNECTOR, { headers })).body['usage']).toMatchObject([{ events: 1 }]);
    expect(log.body['data']).toMatchObject([{ action: 'connector.send', outcome: 'refused' }]);
  });

  it('changes no record of the tenant, and what it states about one is shown and audited', async () => {
    const { headers, clientId } = await aConnector({ source_systems: ['stranger'] });
    const event = someEvent({ attributed_service: 'partner-target', attributed_identity: 'team-target' });
    const foreign = { ...event, requested_model: 'gpt-4o-mini', attributed_identity: 'team-thief' };
    await send('/api/v1/invocations', { key: keys.ingest, body: event });
    await instance.runtime.idle();

    const sent = await send(EVENT, { headers, body: { ...foreign, estimated_cost_usd: '900' } });
    await instance.runtime.idle();

    const [record, ...others] = await listAllRecords(instance.baseUrl, keys.read, 'service=partner-target');
    const detail = await send(`/v1/attribution/${String(record?.['id'])}`, { key: keys.read });
    const log = await send(`/api/v1/audit-log?actor=${clientId}`, { key: keys.admin });
    expect([sent.status, others]).toEqual([202, []]);
    expect(detail.body).toMatchObject({
      owner: 'team-target',
      requested_model: 'gpt-4o',
      version: 1,
      explanation: { rejected_statements: [expect.objectContaining({})] },
    });
    expect(log.body['data']).toMatchObject([{ action: 'statement.reject' }]);
  });
});

describe('a connector', () => {
  it('alone reports its health', async () => {
    const { clientId } = await aConnector({ name: 'kong-named' });
    const report = (connector: string) =>
      send('/api/v1/events', {
        key: keys.ingest,
        headers: { 'content-type': 'application/cloudevents+json' },
        body: {
          specversion: '1.0',
          id: randomUUID(),
          source: '/probe',
          type: 'connector.health',
          data: { connector, status: 'failed' },
        },
      });

    const names = [
      clientId,
      clientId.toLowerCase(),
      'kong-named',
      'Kong-Named',
      'kong\u2011named',
      'ｋong-named',
    ];
    const answers = await Promise.all(names.map(report));
    const map = await send('/api/v1/coverage', { key: keys.read });

    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 422));
    const connectors = map.body['connectors'] as readonly { connector: string }[];
    expect(connectors.filter(({ connector }) => names.includes(connector))).toEqual([]);
  });

  it('reads when its own source systems were seen, and no others', async () => {
    const { headers } = await aConnector({ source_systems: ['covered', 'never-sent'] });
    await send('/api/v1/invocations', { key: keys.ingest, body: someEvent({ source_system: 'foreign' }) });
    await send(EVENT, {
      headers,
      body: someEvent({ source_system: 'covered', ingestion_layer: 'gateway' }),
    });
    await instance.runtime.idle();

    const { status, body } = await send(COVERAGE, { headers });

    expect(status).toBe(200);
    expect(body['source_systems']).toEqual([
      {
        source_system: 'covered',
        status: 'live',
        last_seen: expect.any(String),
        ingestion_layers: ['gateway'],
      },
      { source_system: 'never-sent', status: 'not_seen', last_seen: null, ingestion_layers: [] },
    ]);
  });

  it('reports its health to the coverage map', async () => {
    const { headers } = await aConnector({ name: 'kong-health' });

    const reported = await send(HEALTH, { method: 'PUT', headers, body: { status: 'failed' } });
    const map = await send('/api/v1/coverage', { key: keys.read });

    expect(reported).toMatchObject({ status: 200, body: { status: 'failed' } });
    expect(map.body['connectors']).toContainEqual(
      expect.objectContaining({ connector: 'kong-health', status: 'failed' }),
    );
    expect((await send(CONNECTOR, { headers })).body).toMatchObject({ health: { status: 'failed' } });
  });

  it('is revoked at once', async () => {
    const { headers, clientId } = await aConnector();
    const revoked = await send(`${CLIENTS}/${clientId}`, { key: keys.admin, method: 'DELETE' });

    expect(revoked.status).toBe(204);
    expect(await send(CONNECTOR, { headers })).toMatchObject({ status: 401 });
  });

  it('is refused on every route that is not for partners, and each refusal is audited', async () => {
    const { headers, clientId } = await aConnector();
    const needsScope = routes.filter(
      (route: RouteShape) => requiredScopes(route).length > 0 || route.access === 'caller',
    );
    const pathOf = ({ path }: RouteShape) => path.replaceAll(/\{[a-z_]+\}/g, 'unknown');

    const allowed: string[] = [];
    for (const route of needsScope) {
      const { status } = await send(pathOf(route), { method: route.method, headers });
      if (status !== 403) allowed.push(route.operation);
    }

    expect(needsScope.length).toBeGreaterThan(60);
    expect(allowed.toSorted()).toEqual([
      'getPartnerConnector',
      'getPartnerCoverage',
      'postPartnerEvents',
      'postPartnerInvocation',
      'putPartnerHealth',
    ]);
    const { body } = await send(`/api/v1/audit-log?limit=200&actor=${clientId}&outcome=refused`, {
      key: keys.admin,
    });
    const entries: { action: string; operation?: string }[] = Object(body).data;
    expect(new Set(entries.map(({ action, operation }) => operation ?? action))).toEqual(
      new Set(
        needsScope
          .filter(({ operation }) => !allowed.includes(operation))
          .map(({ audit, operation }: RouteShape) => audit ?? operation),
      ),
    );
  });
});

it('is for connectors and administrators only', async () => {
  const events = [someEvent({ source_system: 'any' })];

  expect(await send(EVENTS, { key: keys.ingest, body: { events } })).toMatchObject({ status: 403 });
  expect(await send(EVENTS, { key: keys.admin, body: { events } })).toMatchObject({ status: 202 });
});
