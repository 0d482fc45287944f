import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CoverageMap } from '../../schemas/insight/coverage.ts';
import { Diagnostics } from '../../schemas/tenants/diagnostics.ts';
import { call, type Request } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const DAY = 24 * 60 * 60 * 1_000;

let instance: Instance;
let keys: { admin: string; ingest: string; read: string };

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme: tenant } = demoTenants(instance.credentials);
  keys = tenant.api_keys;
});
afterAll(() => instance?.stop());

const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();
const aSignal = (provider: string, id: string = randomUUID()) => ({
  specversion: '1.0',
  type: 'discovery.signal',
  source: '/casb/emea',
  id,
  data: {
    source: 'casb',
    provider,
    pathway_category: 'embedded_saas',
    first_seen: ago(3 * DAY),
    last_seen: ago(DAY),
  },
});
const send = (body: unknown, type: string, request: Request = {}) =>
  call(instance.baseUrl, '/api/v1/events', {
    key: keys.ingest,
    body,
    headers: { 'content-type': type },
    ...request,
  });
const coverage = async () =>
  CoverageMap.parse((await call(instance.baseUrl, '/api/v1/coverage', { key: keys.read })).body);

describe('POST /api/v1/events', () => {
  it('accepts every mode and media type of CloudEvents over HTTP, and shows discovered providers on the coverage map', async () => {
    const { data, ...attributes } = aSignal('google');
    const headers = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]);
    const answers = [
      await send(data, '', {
        headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
      }),
      await send(aSignal('openai'), 'application/cloudevents+json'),
      await send(
        [aSignal('anthropic'), { type: 'nothing' }],
        'application/cloudevents-batch+json; charset=utf-8',
      ),
      await send(aSignal('mistral'), 'application/json'),
    ];

    expect(answers.map(({ status, body }) => [status, body['accepted'], body['rejected']])).toEqual([
      [202, 1, 0],
      [202, 1, 0],
      [202, 1, 1],
      [202, 1, 0],
    ]);
    const { pathways } = await coverage();
    const [saas] = pathways.filter(({ pathway_category }) => pathway_category === 'embedded_saas');
    expect(saas).toMatchObject({ state: 'discovery_only', layers: [] });
    expect(saas?.discovered.map(({ provider }) => provider).sort()).toEqual([
      'anthropic',
      'google',
      'mistral',
      'openai',
    ]);
  });

  it('creates no attribution records', async () => {
    await send(aSignal('cohere'), 'application/cloudevents+json');
    await instance.runtime.idle();

    const { body } = await call(instance.baseUrl, '/v1/attribution', { key: keys.read });

    expect(body['data']).toEqual([]);
  });

  it('consumes one rate limit token per event', async () => {
    const batch = Array.from({ length: 50 }, () => aSignal('openai'));

    const { headers } = await send(batch, 'application/cloudevents-batch+json');

    const consumed = Number(headers.get('ratelimit-limit')) - Number(headers.get('ratelimit-remaining'));
    expect(consumed).toBeGreaterThanOrEqual(50);
  });

  it('counts the events in the diagnostics, which expose no infrastructure details', async () => {
    const { status, text, body } = await call(instance.baseUrl, '/api/v1/diagnostics', { key: keys.admin });

    expect(status, text).toBe(200);
    expect(Diagnostics.parse(body).last_24_hours.signals.discovery).toBeGreaterThan(0);
    expect(text).not.toMatch(/queue|table|lambda|dynamo|127\.0\.0\.1/i);
  });

  it('stores no content of the events', async () => {
    const canary = `kanarie-${randomUUID()}`;
    const content = { prompt: canary, parts: [{ text: canary }], note: `${canary} `.repeat(9) };
    const event = { specversion: '1.0', type: 'com.example.chat', source: '/chat', id: randomUUID() };
    const { body } = await send(
      { ...event, data: { turns: 3, ...content }, messages: canary },
      'application/cloudevents+json',
    );
    await send({ ...event, id: 7, data: content }, 'application/cloudevents+json');
    await send([{ ...event, id: 7, data: content }], 'application/cloudevents-batch+json');
    await instance.runtime.idle();

    const files = readdirSync(instance.dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const filesContaining = (text: string) =>
      files.filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text));

    expect(body).toMatchObject({ results: [{ scrubbed: ['data.parts.text', 'data.prompt', 'messages'] }] });
    expect(filesContaining('com.example.chat')).not.toEqual([]);
    expect(filesContaining(canary)).toEqual([]);
  });
});
