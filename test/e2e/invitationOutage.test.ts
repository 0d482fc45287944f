import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { portOf } from '../../local/engines/freePort.ts';
import { call } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants, UNLIMITED } from '../support/localService.ts';

let instance: Instance;
let server: Server;
let isDown = true;
const operations: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    operations.push(String(request.headers['x-amz-target']).split('.').at(-1) ?? '');
    response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(isDown ? { __type: 'InternalErrorException' } : {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${portOf(server)}`;
  instance = await startInstance({
    environment: { ...UNLIMITED, AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: endpoint },
  });
});
afterAll(async () => {
  await instance?.stop();
  server?.close();
});

it('answers 503 while the user pool is down, and a retry of the request invites the person once', async () => {
  const key = demoTenants(instance.credentials).acme.api_keys.admin;
  const body = { email: 'kim@example.org', role: 'viewer' };
  const add = () => call(instance.baseUrl, '/api/v1/users', { key, body, idempotencyKey: 'kim' });
  const during = await add();
  expect(during.status).toBe(503);
  expect(during.headers.get('retry-after')).not.toBeNull();

  isDown = false;
  operations.length = 0;
  const after = await add();

  expect(after.status).toBe(201);
  expect(operations).toEqual(['AdminCreateUser']);
  const { body: list } = await call(instance.baseUrl, '/api/v1/users', { key });
  expect(JSON.stringify(list).split(body.email)).toHaveLength(2);
});
