import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededDraws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';
import { DAY_MS, HOUR_MS } from '../../schemas/durations.ts';
import { call, type Request, someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { runs } from '../support/properties.ts';

const BATCHES = runs(14);
const BATCH_SIZE = 25;
const SENDERS = 3;
const CORRECTIONS = runs(8);
/** Long enough for functions to start and to make some progress. */
const FAULT_EVERY_MS = 1_500;
export const ROUNDS = runs(5);
/** Traffic lasts as long as the faults. */
const PAUSE_MS = 1_000;
const THROTTLED_SHARE = 0.4;
/** The tables on the way of an event to its total, and those of exports and corrections. */
const TABLES = [
  'Ledger',
  'Claims',
  'Traces',
  'Counters',
  'Rollups',
  'Outbox',
  'Idempotency',
  'Audit',
  'Exports',
];
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'an-unpriced-model'];

const draws = seededDraws('views agree');
const whole = (below: number): number => Math.floor(draws.uniform() * below);
/** All calls are of one day, which ended. */
export const DAY_START = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;

const drawEvent = (index: number): Record<string, unknown> => {
  const at = new Date(DAY_START + whole(24) * HOUR_MS + whole(HOUR_MS)).toISOString();
  const { attributed_identity: _identity, ...event } = someEvent({
    ingestion_timestamp: at,
    occurred_at: at,
    requested_model: MODELS[whole(MODELS.length)],
    input_tokens: whole(50_000),
    output_tokens: whole(5_000),
    attributed_service: `service-${whole(30)}`,
    // Spans of a trace correct each other.
    ...(index % 3 === 0 && { trace_id: `trace-${Math.floor(index / 12)}`, span_id: `span-${index}` }),
  });
  return index % 4 === 0 ? event : { ...event, attributed_identity: `person-${whole(40)}` };
};

/** Sends a request until it is accepted, with the same idempotency key. A killed function answers nothing or 5xx. */
const sendUntilAccepted = async (baseUrl: string, path: string, request: Request) => {
  const idempotencyKey = randomUUID();
  for (;;) {
    const answer = await call(baseUrl, path, { ...request, idempotencyKey }).catch(() => undefined);
    if (answer !== undefined && answer.status < 300) return answer;
    // Another attempt is in progress, a page is being corrected, or nothing has capacity.
    if (answer !== undefined && answer.status < 500 && ![409, 429].includes(answer.status)) {
      throw new Error(`refused: ${answer.text}`);
    }
    await sleep(100);
  }
};

/** Throttles each table in turn, and kills all running functions after each. Resolves to the number of kills. */
const injectFaults = async ({ runtime }: Instance): Promise<number> => {
  let kills = 0;
  const throttle = (index: number, share: number) => {
    const table = runtime.outputs[`Table${TABLES[index % TABLES.length]}`] ?? '';
    for (const access of ['read', 'write'] as const) runtime.throttle(table, access, share);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    throttle(round, THROTTLED_SHARE);
    await sleep(FAULT_EVERY_MS);
    kills += runtime.killFunctions();
    throttle(round, 0);
  }
  return kills;
};

/** Sends events and corrects records while functions are killed and tables throttled. */
export const faultyTraffic = async (instance: Instance, key: string) => {
  const { baseUrl } = instance;
  const events = Array.from({ length: BATCHES * BATCH_SIZE }, (_, index) => drawEvent(index));
  let sent = 0;
  /** The new owner of each corrected record. */
  const corrected = new Map<string, string>();
  const send = async () => {
    while (sent < events.length) {
      const batch = events.slice(sent, sent + BATCH_SIZE);
      sent += BATCH_SIZE;
      await sendUntilAccepted(baseUrl, '/api/v1/invocations/batch', { key, body: { events: batch } });
      await sleep(PAUSE_MS);
    }
  };
  const correct = async () => {
    while (corrected.size < CORRECTIONS) {
      const page = await call(baseUrl, '/v1/attribution?limit=50&sort=-cost_usd', { key }).catch(
        () => undefined,
      );
      const rows = Array.isArray(page?.body['data']) ? page.body['data'] : [];
      const id = String(rows[whole(rows.length)]?.id ?? '');
      if (id === '' || corrected.has(id)) {
        await sleep(100);
        continue;
      }
      const owner = `corrected-${corrected.size}`;
      const body = { owner, reason: 'The gateway ran under the key of another team' };
      await sendUntilAccepted(baseUrl, `/v1/attribution/${id}/overrides`, { key, body });
      corrected.set(id, owner);
    }
  };
  const [kills] = await Promise.all([
    injectFaults(instance),
    correct(),
    ...Array.from({ length: SENDERS }, send),
  ]);
  return { events, corrected, kills };
};
