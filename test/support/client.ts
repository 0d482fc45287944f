import { randomUUID } from 'node:crypto';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; an empty object where there is none. */
  readonly body: Record<string, unknown>;
}

export interface Request {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  /** Serialised as JSON unless it is text or bytes. */
  readonly body?: unknown;
  /** Default: a new one on every mutation; null sends none. */
  readonly idempotencyKey?: string | null;
}

/** One request, with the headers a careful client sends. */
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
    // Not every answer has a JSON body; the text is there for those.
  }
  return { status: response.status, headers: response.headers, text, body: parsed };
};

/** A valid event, with what a test cares about on top. */
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

/** Every record of a tenant, by following cursors to the end. */
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
    if (answer.status !== 200) throw new Error(`a page was refused: ${answer.text}`);
    const { data, page } = answer.body as {
      data: Record<string, unknown>[];
      page: { next_cursor: string | null; has_more: boolean };
    };
    records.push(...data);
    cursor = page.has_more ? page.next_cursor : null;
  } while (cursor !== null);
  return records;
};
