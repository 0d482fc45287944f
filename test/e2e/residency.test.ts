import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { tenantAdministration } from '../../tools/operator/tenants.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { administrationOf } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const TENANT = 'two-lanes';
const Created = z.object({ id: z.string(), secret: z.string(), residency: z.string().nullable() });

let instance: Instance;
let administration: Awaited<ReturnType<typeof tenantAdministration>>;
/** Keys with the same scopes: not bound, bound to the home lane, and bound to the other lane. */
let keys: { free: string; eu: string; us: string };

const create = (key: string, body: object) => call(instance.baseUrl, '/api/v1/api-keys', { key, body });

beforeAll(async () => {
  instance = await sharedInstance();
  administration = await administrationOf(instance);
  const tenant = await administration.open({
    tenantId: TENANT,
    name: TENANT,
    plan: 'enterprise',
    residency: ['eu', 'us'],
  });
  const free = await administration.issueKey(tenant, 'free');
  const scopes = ['ingest:write', 'read:attribution', 'admin:config'];
  const bound = async (residency: string) =>
    Created.parse((await create(free, { name: residency, scopes, residency })).body).secret;
  keys = { free, eu: await bound('eu'), us: await bound('us') };
});
afterAll(() => instance?.stop());

const send = async (key: string): Promise<string> => {
  const event = someEvent();
  const { status } = await call(instance.baseUrl, '/api/v1/invocations', { key, body: event });
  if (status !== 202) throw new Error(`refused: ${status}`);
  await instance.runtime.idle();
  return String(event['event_id']);
};

const recordsVisibleTo = (key: string) => listAllRecords(instance.baseUrl, key, 'limit=2');
const recordOf = async (eventId: string) =>
  (await recordsVisibleTo(keys.free)).find((record) => record['event_id'] === eventId);

describe('residency of a record', () => {
  it('is the lane of the sending credential, or the home lane for an unbound credential', async () => {
    const [home, eu, us] = [await send(keys.free), await send(keys.eu), await send(keys.us)];

    const lanes = await Promise.all([home, eu, us].map(async (id) => (await recordOf(id))?.['residency']));
    expect(lanes).toEqual(['eu', 'eu', 'us']);
  });

  it('is the lane of the connector that sent the event', async () => {
    const registration = { name: 'kong-us', scopes: ['partner:connector'], source_systems: ['kong'] };
    const { body: client } = await call(instance.baseUrl, '/api/v1/oauth-clients', {
      key: keys.free,
      body: { ...registration, residency: 'us' },
    });
    const { client_id, client_secret } = client;
    const { body: token } = await call(instance.baseUrl, '/v1/oauth/token', {
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: String(client_id),
        client_secret: String(client_secret),
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const event = someEvent();

    const sent = await call(instance.baseUrl, '/api/partner/v1/events', {
      headers: { authorization: `Bearer ${String(token['access_token'])}` },
      body: { events: [event] },
    });
    await instance.runtime.idle();

    expect(sent).toMatchObject({ status: 202, body: { accepted: 1 } });
    expect((await recordOf(String(event['event_id'])))?.['residency']).toBe('us');
  });

  it('has a record in each lane that reports it, and neither changes the other', async () => {
    const event = someEvent();
    for (const key of [keys.us, keys.eu, keys.us]) {
      await call(instance.baseUrl, '/api/v1/invocations', { key, body: event });
      await instance.runtime.idle();
    }

    const records = (await recordsVisibleTo(keys.free)).filter(
      (record) => record['event_id'] === event['event_id'],
    );
    const byLane = records.map((record) => [record['residency'], record['version']]);
    expect(byLane.toSorted()).toEqual([
      ['eu', 1],
      ['us', 1],
    ]);
  });

  it('returns RESIDENCY_BLOCKED for a credential of another lane', async () => {
    const record = await recordOf(await send(keys.us));
    const path = `/v1/attribution/${record?.['id']}`;
    const read = (key: string) => call(instance.baseUrl, path, { key });

    expect((await read(keys.eu)).body).toMatchObject({ status: 409, error_code: 'RESIDENCY_BLOCKED' });
    expect([(await read(keys.us)).status, (await read(keys.free)).status]).toEqual([200, 200]);
  });
});

it('lists only the records of the lane that a credential is bound to', async () => {
  for (const key of [keys.us, keys.eu, keys.us, keys.us, keys.eu]) await send(key);

  const [all, eu, us] = await Promise.all([keys.free, keys.eu, keys.us].map(recordsVisibleTo));

  const inLane = (lane: string) => all?.filter((record) => record['residency'] === lane);
  expect(eu).toEqual(inLane('eu'));
  expect(us).toEqual(inLane('us'));
});

describe('residency of a new credential', () => {
  const request = { name: 'new', scopes: ['read:attribution'] };

  it('is inherited from the creator, and cannot be another lane', async () => {
    expect((await create(keys.eu, request)).body).toMatchObject({ residency: 'eu' });
    expect((await create(keys.free, request)).body).toMatchObject({ residency: null });
    for (const refused of [
      await create(keys.eu, { ...request, residency: 'us' }),
      await create(keys.free, { ...request, residency: 'mars' }),
    ]) {
      expect(refused.body).toMatchObject({ status: 409, error_code: 'RESIDENCY_BLOCKED' });
    }
  });

  it('binds the tokens of an OAuth client to its lane', async () => {
    const { body } = await call(instance.baseUrl, '/api/v1/oauth-clients', {
      key: keys.free,
      body: { ...request, residency: 'us' },
    });
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: String(body['client_id']),
      client_secret: String(body['client_secret']),
    });
    const token = await call(instance.baseUrl, '/v1/oauth/token', {
      body: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const euRecord = await recordOf(await send(keys.eu));

    const { body: answer } = await call(instance.baseUrl, `/v1/attribution/${euRecord?.['id']}`, {
      headers: { authorization: `Bearer ${token.body['access_token']}` },
    });

    expect(answer).toMatchObject({ status: 409, error_code: 'RESIDENCY_BLOCKED' });
  });
});

it('rejects a credential after its tenant has left the lane', async () => {
  await administration.update(TENANT, (tenant) => ({ ...tenant, residency: ['eu'] }));
  // Functions cache tenants for five seconds.
  await expect
    .poll(async () => (await call(instance.baseUrl, '/api/v1/rate-limit', { key: keys.us })).status, {
      timeout: 180_000,
      interval: 250,
    })
    .toBe(409);

  const answers = await Promise.all([
    call(instance.baseUrl, '/v1/attribution', { key: keys.us }),
    call(instance.baseUrl, '/v1/attribution', { key: keys.free }),
  ]);
  await administration.update(TENANT, (tenant) => ({ ...tenant, residency: ['eu', 'us'] }));

  expect(answers.map(({ status }) => status)).toContain(200);
});
