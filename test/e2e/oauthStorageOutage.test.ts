import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TableName } from '../../schemas/platform/tables.ts';
import { type Answer, call } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { localClient } from '../support/localAws.ts';
import { UNLIMITED } from '../support/localService.ts';
import {
  authorizeUrl,
  bearing,
  type Client,
  newCode,
  newVerifier,
  post,
  redeem,
  refresh,
  registerClient,
} from '../support/signIn.ts';

const drop = async ({ runtime, credentials }: Instance, table: TableName): Promise<void> => {
  const client = new DynamoDBClient(localClient(runtime.endpoints.dynamodb));
  await client.send(new DeleteTableCommand({ TableName: credentials.tables[table] ?? '' }));
  client.destroy();
};

const begin = ({ baseUrl }: Instance, client: Client): Promise<Answer> => {
  const { pathname, search } = authorizeUrl(baseUrl, client, newVerifier());
  return call(baseUrl, pathname + search);
};
const redirectParameters = ({ headers }: Answer) =>
  Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);

let instance: Instance;
let client: Client;
let tokens: Record<string, unknown>;

beforeAll(async () => {
  instance = await startInstance({ environment: UNLIMITED });
  client = await registerClient(instance);
  const person = instance.credentials.tenants[0]?.user ?? { email: '', password: '' };
  tokens = (await redeem(instance.baseUrl, client, await newCode(instance, client, person))).body;
});
afterAll(() => instance?.stop());

const expectOutage = (answer: Answer): void => {
  expect(answer).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
  expect(answer.headers.get('retry-after')).toBe('1');
};

// The tests run in order. Dropped tables are not restored.
it('returns 503 or temporarily_unavailable for sign-in and user tokens without the grants table', async () => {
  const { baseUrl } = instance;
  await drop(instance, 'grants');

  expect(redirectParameters(await begin(instance, client))).toMatchObject({
    error: 'temporarily_unavailable',
  });
  const answers = [
    await refresh(baseUrl, client, tokens['refresh_token']),
    await redeem(baseUrl, client, { code: 'code', verifier: newVerifier() }),
    await post(baseUrl, 'revoke', client, { token: String(tokens['refresh_token']) }),
    await post(baseUrl, 'revoke', client, { token: String(tokens['access_token']) }),
  ];
  for (const answer of answers) {
    expectOutage(answer);
    expect(answer.body['error']).toBe('server_error');
  }
  expectOutage(await bearing(baseUrl, tokens['access_token']));
});

it('returns 503 instead of 401 without the access table', async () => {
  const { baseUrl } = instance;
  await drop(instance, 'access');

  expectOutage(await begin(instance, client));
  expectOutage(await refresh(baseUrl, client, tokens['refresh_token']));
});
