import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { formatApiKey, parseApiKey } from '../functions/access/apiKey.ts';
import type { MeasuredService } from './service.ts';
import { mean, variance, welch } from './statistics.ts';
import { type Row, type Table, table } from './table.ts';
import { measure, request } from './traffic.ts';

/** Beyond this a difference counts as seen (the threshold of test vector leakage assessment, ISO/IEC 17825). */
const T_THRESHOLD = 4.5;

/** Refusals mostly wait, so some of them share the time. */
const CONCURRENCY = 4;

const Created = z.object({ id: z.string(), secret: z.string() });

/** Three keys that are refused alike: one nobody has, one with a wrong secret, and one that was revoked. */
const refusedKeys = async ({ runtime: { baseUrl }, sender }: MeasuredService) => {
  const create = async () => {
    const body = { name: 'bench', scopes: ['ingest:write'] };
    const { text } = await request(`${baseUrl}/api/v1/api-keys`, sender.api_keys.admin, body, [201]);
    return Created.parse(JSON.parse(text));
  };
  const [kept, revoked] = [await create(), await create()];
  const ended = await fetch(`${baseUrl}/api/v1/api-keys/${revoked.id}`, {
    method: 'DELETE',
    headers: { 'x-api-key': sender.api_keys.admin, 'idempotency-key': randomUUID() },
  });
  if (ended.status !== 204) throw new Error(`the key was not revoked: ${ended.status}`);
  const parsed = parseApiKey(kept.secret);
  const other = parseApiKey(revoked.secret);
  if (parsed === null || other === null) throw new Error('a created key reads back');
  const unknownId = parsed.keyId.slice(0, -4) + (parsed.keyId.endsWith('ZZZZ') ? 'YYYY' : 'ZZZZ');
  return {
    unknown: formatApiKey('test', unknownId, parsed.secret),
    'wrong secret': formatApiKey('test', parsed.keyId, other.secret),
    revoked: revoked.secret,
  };
};

/**
 * Whether the time of a 401 tells why: each kind in turn, so that the machine's moods meet all of them alike.
 * `samples` over all kinds.
 */
export const benchAuthenticationTiming = async (
  service: MeasuredService,
  samples: number,
): Promise<Table> => {
  const keys = Object.entries(await refusedKeys(service));
  const times = new Map(keys.map(([kind]) => [kind, [] as number[]]));
  const url = `${service.runtime.baseUrl}/api/v1/rate-limit`;
  const refusal = async (kind: string, key: string): Promise<void> => {
    const began = performance.now();
    const response = await fetch(url, { headers: { 'x-api-key': key } });
    await response.text();
    times.get(kind)?.push((performance.now() - began) * 1_000);
    if (response.status !== 401) throw new Error(`${kind}: ${response.status}`);
  };
  let round = 0;
  await measure(samples / keys.length, CONCURRENCY, async () => {
    // Each round begins with another kind: what comes first meets a colder machine.
    const first = round++ % keys.length;
    for (const [kind, key] of [...keys.slice(first), ...keys.slice(0, first)]) await refusal(kind, key);
  });
  const reference = times.get('unknown') ?? [];
  const rows: Row[] = [...times].map(([kind, micros]) => {
    const t = kind === 'unknown' ? null : welch(micros, reference);
    return {
      'refused key': kind,
      samples: micros.length,
      'mean µs': mean(micros),
      'deviation µs': Math.sqrt(variance(micros)),
      't against unknown': t,
      separation: t === null ? null : Math.abs(t) < T_THRESHOLD ? 'none seen' : 'SEEN',
    };
  });
  return table(
    'Does the time of a 401 tell why the key was refused?',
    rows,
    `Welch's t over whole requests by HTTP; below ${T_THRESHOLD} no difference is seen. Slowest hundredth of each kind left out.`,
  );
};
