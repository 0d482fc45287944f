import { randomUUID } from 'node:crypto';
import type { MeasuredService } from '../support/service.ts';
import { latencies } from '../support/statistics.ts';
import { type Row, type Table, table } from '../support/table.ts';
import { measure } from '../support/traffic.ts';
import { subtractUsage, sumOf, totalWork } from '../support/usage.ts';

interface RequestKind {
  readonly name: string;
  readonly send: () => Promise<Response>;
}

const JSON_BODY = { 'content-type': 'application/json' };

/** One request for each path through the middleware pipeline. The operations behind it are as cheap as possible. */
const requestKinds = async ({ runtime: { baseUrl }, sender }: MeasuredService): Promise<RequestKind[]> => {
  const { admin, ingest } = sender.api_keys;
  const { client_id, client_secret } = sender.oauth_client;
  const token = () =>
    fetch(`${baseUrl}/v1/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
  const tokenResponse: unknown = await (await token()).json();
  if (typeof tokenResponse !== 'object' || tokenResponse === null || !('access_token' in tokenResponse)) {
    throw new Error('the demo client did not receive a token');
  }
  const bearer = { authorization: `Bearer ${String(tokenResponse.access_token)}` };
  const create = (idempotencyKey: string) =>
    fetch(`${baseUrl}/api/v1/api-keys`, {
      method: 'POST',
      headers: { ...JSON_BODY, 'x-api-key': admin, 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ name: 'bench', scopes: ['ingest:write'] }),
    });
  const replayedKey = randomUUID();
  await create(replayedKey);
  const get = (path: string, headers: Record<string, string>) => () => fetch(baseUrl + path, { headers });
  return [
    { name: 'public', send: get('/healthz', {}) },
    { name: 'no credential', send: get('/v1/attribution', {}) },
    { name: 'API key, rate limit read', send: get('/api/v1/rate-limit', { 'x-api-key': ingest }) },
    { name: 'access token, rate limit read', send: get('/api/v1/rate-limit', bearer) },
    { name: 'API key, rate limit charged', send: get('/api/v1/api-keys?limit=1', { 'x-api-key': admin }) },
    {
      name: 'decision-time lookup',
      send: get('/api/v1/lookup?attributed_identity=bench', { 'x-api-key': admin }),
    },
    { name: 'token issued', send: token },
    { name: 'API key created', send: () => create(randomUUID()) },
    { name: 'API key creation replayed', send: () => create(replayedKey) },
  ];
};

const rowOf = async (service: MeasuredService, { name, send }: RequestKind, times: number): Promise<Row> => {
  const timed = async () => {
    const startedAt = performance.now();
    const response = await send();
    await response.text();
    return performance.now() - startedAt;
  };
  await measure(10, 1, timed);
  const before = service.usage();
  const { results } = await measure(times, 1, timed);
  const used = subtractUsage(before, service.usage());
  return {
    request: name,
    'DynamoDB calls': sumOf(used, /^dynamodb/) / times,
    'KMS calls': sumOf(used, /^kms/) / times,
    'read units': sumOf(used, /GetItem|Query/, 'capacity') / times,
    'write units': sumOf(used, /PutItem|UpdateItem|DeleteItem|TransactWrite/, 'capacity') / times,
    'CPU µs': (totalWork(used).cpuSeconds * 1e6) / times,
    ...latencies(results),
  };
};

/** Cost of authentication, rate limits, idempotency and audit per request, independent of the operation. */
export const benchMiddleware = async (service: MeasuredService, times: number): Promise<Table> => {
  const rows: Row[] = [];
  for (const kind of await requestKinds(service)) rows.push(await rowOf(service, kind, times));
  return table(
    'Middleware: AWS calls, capacity units, CPU and latency per request',
    rows,
    'Credentials are read on every request and never cached. Tenants are cached for 5 seconds, the signing key per function.',
  );
};
