import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { formatApiKey, parseApiKey } from '../../functions/identity/access/principals/apiKey.ts';
import { type MeasuredService, startMeasuredService } from '../support/service.ts';
import { mean, variance, welch } from '../support/statistics.ts';
import { type Row, type Table, table } from '../support/table.ts';
import { measure, request } from '../support/traffic.ts';

/** Above this |t| a timing difference counts as detected (test vector leakage assessment, ISO/IEC 17825). */
const T_THRESHOLD = 4.5;

/** A rejection mostly waits, so several run concurrently. */
const CONCURRENCY = 4;

const Created = z.object({ id: z.string(), secret: z.string() });

/** Three keys that all get the same 401: an unknown id, a wrong secret, and a revoked key. */
const rejectedKeys = async ({ runtime: { baseUrl }, sender }: MeasuredService) => {
  const create = async () => {
    const body = { name: 'bench', scopes: ['ingest:write'] };
    const { text } = await request(`${baseUrl}/api/v1/api-keys`, sender.api_keys.admin, body, [201]);
    return Created.parse(JSON.parse(text));
  };
  const [active, revoked] = [await create(), await create()];
  const revocation = await fetch(`${baseUrl}/api/v1/api-keys/${revoked.id}`, {
    method: 'DELETE',
    headers: { 'x-api-key': sender.api_keys.admin, 'idempotency-key': randomUUID() },
  });
  if (revocation.status !== 204) throw new Error(`the key was not revoked: ${revocation.status}`);
  const parsed = parseApiKey(active.secret);
  const other = parseApiKey(revoked.secret);
  if (parsed === null || other === null) throw new Error('a created key could not be parsed');
  const unknownId = parsed.keyId.slice(0, -4) + (parsed.keyId.endsWith('ZZZZ') ? 'YYYY' : 'ZZZZ');
  return {
    unknown: formatApiKey('test', unknownId, parsed.secret),
    'wrong secret': formatApiKey('test', parsed.keyId, other.secret),
    revoked: revoked.secret,
  };
};

/** Multiplies the limits, so that the failed authentications of this benchmark are not refused before their lookup. */
const WITHOUT_LIMITS = { RATE_LIMIT_SCALE: '10000' };

/**
 * Tests whether the latency of a 401 reveals the reason, on an own service without rate limits. The kinds alternate, so that
 * machine noise affects all of them equally. `samples` is the total over all kinds.
 */
export const benchAuthenticationTiming = async (samples: number): Promise<Table> => {
  const service = await startMeasuredService(WITHOUT_LIMITS);
  try {
    return await measureRejections(service, samples);
  } finally {
    await service.stop();
  }
};

const measureRejections = async (service: MeasuredService, samples: number): Promise<Table> => {
  const keys = Object.entries(await rejectedKeys(service));
  const times = new Map(keys.map(([kind]) => [kind, [] as number[]]));
  const url = `${service.runtime.baseUrl}/api/v1/rate-limit`;
  const sendRejected = async (kind: string, key: string): Promise<void> => {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { 'x-api-key': key } });
    await response.text();
    times.get(kind)?.push((performance.now() - startedAt) * 1_000);
    if (response.status !== 401) throw new Error(`${kind}: ${response.status}`);
  };
  let round = 0;
  await measure(samples / keys.length, CONCURRENCY, async () => {
    // Rotate the first kind: the first request of a round runs on a colder machine.
    const first = round++ % keys.length;
    for (const [kind, key] of [...keys.slice(first), ...keys.slice(0, first)]) await sendRejected(kind, key);
  });
  const reference = times.get('unknown') ?? [];
  const rows: Row[] = [...times].map(([kind, micros]) => {
    const t = kind === 'unknown' ? null : welch(micros, reference);
    return {
      'rejected key': kind,
      samples: micros.length,
      'mean µs': mean(micros),
      'standard deviation µs': Math.sqrt(variance(micros)),
      't against unknown key': t,
      'timing difference': t === null ? null : Math.abs(t) < T_THRESHOLD ? 'not detected' : 'DETECTED',
    };
  });
  return table(
    'Authentication: does the latency of a 401 reveal the reason?',
    rows,
    `Welch's t over whole HTTP requests. Below ${T_THRESHOLD} there is no detectable difference. The slowest 1 % of each kind is excluded.`,
  );
};
