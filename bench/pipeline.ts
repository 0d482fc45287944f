import { randomUUID } from 'node:crypto';
import type { MeasuredService } from './service.ts';
import { latencies } from './statistics.ts';
import { type Row, type Table, table } from './table.ts';
import { measure } from './traffic.ts';
import { subtractUsage, sumOf, totalWork } from './usage.ts';

interface RequestKind {
  readonly name: string;
  readonly send: () => Promise<Response>;
}

const JSON_BODY = { 'content-type': 'application/json' };

/** A request of each kind the onion treats differently; the operations inside do as little as any. */
const requestKinds = async ({ runtime: { baseUrl }, sender }: MeasuredService): Promise<RequestKind[]> => {
  const { admin, ingest } = sender.api_keys;
  const { client_id, client_secret } = sender.oauth_client;
  const token = () =>
    fetch(`${baseUrl}/v1/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
  const answer: unknown = await (await token()).json();
  if (typeof answer !== 'object' || answer === null || !('access_token' in answer)) {
    throw new Error('the demo client gets no token');
  }
  const bearer = { authorization: `Bearer ${String(answer.access_token)}` };
  const create = (idempotencyKey: string) =>
    fetch(`${baseUrl}/api/v1/api-keys`, {
      method: 'POST',
      headers: { ...JSON_BODY, 'x-api-key': admin, 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ name: 'bench', scopes: ['ingest:write'] }),
    });
  const repeated = randomUUID();
  await create(repeated);
  const get = (path: string, headers: Record<string, string>) => () => fetch(baseUrl + path, { headers });
  return [
    { name: 'public', send: get('/healthz', {}) },
    { name: 'no credential', send: get('/v1/attribution', {}) },
    { name: 'API key, budget only', send: get('/api/v1/rate-limit', { 'x-api-key': ingest }) },
    { name: 'access token, budget only', send: get('/api/v1/rate-limit', bearer) },
    { name: 'API key, charged', send: get('/api/v1/api-keys?limit=1', { 'x-api-key': admin }) },
    { name: 'token issued', send: token },
    { name: 'API key created', send: () => create(randomUUID()) },
    { name: 'the same replayed', send: () => create(repeated) },
  ];
};

const rowOf = async (service: MeasuredService, { name, send }: RequestKind, times: number): Promise<Row> => {
  const timed = async () => {
    const began = performance.now();
    const response = await send();
    await response.text();
    return performance.now() - began;
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

/** What authentication, limits, idempotency and audit cost a request, whatever it then does. */
export const benchPipeline = async (service: MeasuredService, times: number): Promise<Table> => {
  const rows: Row[] = [];
  for (const kind of await requestKinds(service)) rows.push(await rowOf(service, kind, times));
  return table(
    'The onion: AWS calls, capacity units, CPU and latency of a request',
    rows,
    'A credential is read for every request, never cached; a tenant every 5 seconds; the signing key once a function.',
  );
};
