import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { toDecimalString, wholeNumber } from '../../../functions/platform/shared/decimal.ts';
import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import type { ErrorCode } from '../../../schemas/problems.ts';

/** Fault that replaces the normal response to a batch request. */
export type Fault =
  /** 429 with this `Retry-After`, in seconds. */
  | { readonly throttle: number }
  /** The connection breaks before the batch is stored. */
  | 'dropped before'
  /** The batch is stored, and the connection breaks before the response. */
  | 'dropped after'
  | 'unavailable';

export interface ContractServer {
  readonly url: string;
  /** One entry for each future batch request, in order. `undefined` means a normal response. */
  readonly faults: (Fault | undefined)[];
  /** The `Idempotency-Key` of every batch request, in order. */
  readonly keys: string[];
  /** Sizes of the stored batches. */
  readonly batches: number[];
  readonly ledger: Map<string, AttributionRecord>;
  /** Maximum number of events in a batch. */
  maxBatchSize: number;
  /** Number of list requests that return no records before the records appear. */
  listsUntilVisible: number;
  readonly lists: URL[];
  canRead: boolean;
  close(): Promise<void>;
}

const PRICE_PER_TOKEN = '0.000000123457';

const unassigned = {
  state: 'unassigned',
  confidence: 0,
  probability: null,
  evidence_basis: 'none',
  chargeback: 'unassigned',
  candidates: [],
} satisfies AttributionRecord['interpretation']['answers']['owner'];

const recordOf = (event: InvocationEvent): AttributionRecord => {
  const input = event.input_tokens ?? 0;
  const occurredAt = new Date(event.occurred_at ?? event.ingestion_timestamp).toISOString();
  const cost = toDecimalString(wholeNumber(input).times(PRICE_PER_TOKEN));
  return {
    id: `att_${event.event_id}`,
    tenant_id: 'tenant-a',
    invocation_id: `inv_${event.event_id}`,
    event_id: event.event_id,
    version: 1,
    occurred_at: occurredAt,
    created_at: occurredAt,
    as_of: occurredAt,
    provider: event.provider,
    requested_model: event.requested_model,
    served_model: event.served_model ?? event.requested_model,
    service: event.attributed_service ?? null,
    end_user: event.end_user ?? null,
    owner: event.attributed_identity ?? null,
    cost_usd: event.requested_model === 'unpriced' ? null : cost,
    energy_wh: null,
    carbon_gco2e: null,
    input_tokens: event.input_tokens ?? null,
    cached_input_tokens: event.cached_input_tokens ?? null,
    cache_write_tokens: null,
    output_tokens: event.output_tokens ?? null,
    reasoning_tokens: null,
    latency_ms: null,
    trace_id: null,
    ingestion_layer: event.ingestion_layer,
    region: null,
    residency: null,
    pathway_category: 'unknown',
    status: 'ok',
    tags: [],
    output_state: 'unresolved',
    coper: 0,
    interpretation: {
      stage_origin: 'stage_a',
      confidence: 0,
      confidence_band: 'estimated',
      evidence_basis: 'none',
      model_version: 'test',
      degradation_state: 'none',
      freshness: 'fresh',
      export_eligibility: 'below_floor',
      answers: { owner: unassigned, service: unassigned },
    },
  };
};

const Batch = z.object({ events: z.array(z.unknown()) });

const problem = (response: ServerResponse, status: number, code: ErrorCode, retryAfter?: number): void => {
  response.writeHead(status, {
    'content-type': 'application/problem+json',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  });
  response.end(
    JSON.stringify({
      type: 'https://example.org/errors/x',
      title: code,
      status,
      detail: 'Fault injected by the test.',
      instance: '/',
      error_code: code,
      trace_id: '0'.repeat(32),
      docs_url: 'https://example.org/errors/x',
    }),
  );
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(z.instanceof(Uint8Array).parse(chunk));
  return Buffer.concat(chunks).toString();
};

/** Starts a server with the ingestion and list routes of the contract, an in-memory ledger and injectable faults. */
export const startContractServer = async (): Promise<ContractServer> => {
  const replies = new Map<string, { readonly body: string; readonly reply: string }>();

  const ingestBatch = (body: string): string => {
    const { events } = Batch.parse(JSON.parse(body));
    const results = events.map((sent, index) => {
      const { data: event, error } = InvocationEvent.safeParse(sent);
      if (event === undefined) {
        const errors = error.issues.map((issue) => ({
          pointer: `/${issue.path.join('/')}`,
          detail: issue.message,
        }));
        return { index, event_id: null, invocation_id: null, status: 'rejected', errors };
      }
      if (!server.ledger.has(event.event_id)) server.ledger.set(event.event_id, recordOf(event));
      const { event_id } = event;
      return { index, event_id, invocation_id: `inv_${event_id}`, status: 'queued', scrubbed: [] };
    });
    server.batches.push(events.length);
    const accepted = results.filter(({ status }) => status === 'queued').length;
    return JSON.stringify({ accepted, rejected: results.length - accepted, results });
  };

  const postBatch = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const key = String(request.headers['idempotency-key']);
    server.keys.push(key);
    const fault = server.faults.shift();
    if (fault === 'dropped before') {
      request.socket.destroy();
      return;
    }
    if (fault === 'unavailable') return problem(response, 503, 'SERVICE_UNAVAILABLE', 1);
    if (fault !== undefined && fault !== 'dropped after') {
      return problem(response, 429, 'RATE_LIMITED', fault.throttle);
    }
    const before = replies.get(key);
    if (before !== undefined && before.body !== body) return problem(response, 422, 'IDEMPOTENCY_CONFLICT');
    if (Batch.parse(JSON.parse(body)).events.length > server.maxBatchSize) {
      return problem(response, 413, 'PAYLOAD_TOO_LARGE');
    }
    const reply = before?.reply ?? ingestBatch(body);
    replies.set(key, { body, reply });
    if (fault === 'dropped after') request.socket.destroy();
    else response.writeHead(202, { 'content-type': 'application/json' }).end(reply);
  };

  const list = (url: URL, response: ServerResponse): void => {
    if (!server.canRead) {
      problem(response, 403, 'INSUFFICIENT_SCOPE');
      return;
    }
    server.lists.push(url);
    const query = (name: string): string => url.searchParams.get(name) ?? '';
    const [from, to] = [Date.parse(query('occurred_at[gte]')), Date.parse(query('occurred_at[lte]'))];
    const direction = query('sort') === 'occurred_at' ? 1 : -1;
    const visible = server.lists.length > server.listsUntilVisible ? [...server.ledger.values()] : [];
    const found = visible
      .filter(({ occurred_at }) => Date.parse(occurred_at) >= from && Date.parse(occurred_at) <= to)
      .sort((one, other) => direction * (Date.parse(one.occurred_at) - Date.parse(other.occurred_at)));
    const [start, limit] = [Number(query('cursor') || '0'), Number(query('limit'))];
    const more = start + limit < found.length;
    const page = { next_cursor: more ? String(start + limit) : null, limit, has_more: more };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: found.slice(start, start + limit), page }));
  };

  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const route = `${request.method} ${url.pathname}`;
    if (request.headers['x-api-key'] !== 'a-key' && url.pathname !== '/healthz') {
      problem(response, 401, 'INVALID_CREDENTIALS');
    } else if (route === 'POST /api/v1/invocations/batch') void postBatch(request, response);
    else if (route === 'GET /v1/attribution') list(url, response);
    else if (route === 'GET /healthz') response.writeHead(200).end('{"status":"ok"}');
    else problem(response, 404, 'NOT_FOUND');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.int() }).parse(http.address());
  const server: ContractServer = {
    url: `http://127.0.0.1:${port}`,
    faults: [],
    keys: [],
    batches: [],
    ledger: new Map(),
    maxBatchSize: 1_000,
    listsUntilVisible: 0,
    lists: [],
    canRead: true,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
  return server;
};
