import { afterAll, expect, it } from 'vitest';
import { openapiText } from '../../functions/platform/apiDocs/contract/openapiText.ts';
import { routes } from '../../schemas/routes/index.ts';
import { call } from '../support/client.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const instance = await sharedInstance();
afterAll(() => instance.stop());

it('serves the OpenAPI document of the routes, with its own address', async () => {
  const [{ text }, again] = [
    await call(instance.baseUrl, '/openapi.json'),
    await call(instance.baseUrl, '/openapi.json'),
  ];

  expect(again.text).toBe(text);
  expect(text).toBe(openapiText(routes, instance.baseUrl, Date.now()));
});

it('serves the OpenAPI document compressed, and not again to a client that has it', async () => {
  const url = `${instance.baseUrl}/openapi.json`;
  const compressed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const etag = plain.headers.get('etag') ?? '';
  const unchanged = await fetch(url, { headers: { 'if-none-match': `"other", ${etag}` } });
  const changed = await fetch(url, { headers: { 'if-none-match': '"other"' } });

  expect(compressed.headers.get('content-encoding')).toBe('gzip');
  expect(await compressed.text()).toBe(await plain.text());
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
  expect(compressed.headers.get('etag')).toBe(etag);
  expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  expect(changed.status).toBe(200);
});
