import { randomUUID } from 'node:crypto';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON body, or an empty object when there is none. */
  readonly body: Record<string, unknown>;
}

export interface Request {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  /** Serialised as JSON unless it is a string or bytes. */
  readonly body?: unknown;
  /** Default: a new key for each mutation. Null sends no key. */
  readonly idempotencyKey?: string | null;
}

/** Sends one request with the API key, the content type and an idempotency key. */
export const call = async (baseUrl: string, path: string, request: Request = {}): Promise<Answer> => {
  const { method = request.body === undefined ? 'GET' : 'POST', key, body } = request;
  const idempotencyKey = request.idempotencyKey === undefined ? randomUUID() : request.idempotencyKey;
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
      ...request.headers,
    },
    ...(raw !== undefined && { body: typeof raw === 'string' ? raw : new Uint8Array(raw) }),
  });
  const text = await response.text();
  let parsed: Record<string, unknown> = {};
  try {
    parsed = JSON.parse(text);
  } catch {
    // The body is not JSON. Tests read `text` instead.
  }
  return { status: response.status, headers: response.headers, text, body: parsed };
};

/** A valid event. `members` override its fields. */
export const someEvent = (members: Record<string, unknown> = {}): Record<string, unknown> => ({
  event_id: randomUUID(),
  ingestion_layer: 'gateway',
  ingestion_timestamp: new Date().toISOString(),
  provider: 'openai',
  requested_model: 'gpt-4o',
  input_tokens: 1_000,
  output_tokens: 200,
  attributed_identity: 'team-search',
  attributed_service: 'search',
  ...members,
});

/** Returns all records of a tenant from all pages. Throws when a page request fails. */
export const listAllRecords = async (
  baseUrl: string,
  key: string,
  query = 'limit=200',
): Promise<Record<string, unknown>[]> => {
  const records: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const path: string = `/v1/attribution?${query}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer: Answer = await call(baseUrl, path, { key });
    if (answer.status !== 200) throw new Error(`list request failed: ${answer.text}`);
    const { data, page } = answer.body as {
      data: Record<string, unknown>[];
      page: { next_cursor: string | null; has_more: boolean };
    };
    records.push(...data);
    cursor = page.has_more ? page.next_cursor : null;
  } while (cursor !== null);
  return records;
};
