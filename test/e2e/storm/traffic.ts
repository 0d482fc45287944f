import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import * as z from 'zod';
import { type Answer, call, type Request } from '../../support/client.ts';
import type { AdminInstance } from '../adminInstance.ts';

/** Requests that make the service read and write some tables. Each kind has a tenant of its own. */
export interface Traffic {
  /** Sends requests side by side. Resolves when all are accepted. */
  send(): Promise<void>;
  /** Checks that each accepted request had its effect, and had it once. Called at the end, without throttling. */
  check(): Promise<void>;
}

const Page = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  page: z.object({ has_more: z.boolean(), next_cursor: z.string().nullable() }),
});

/** The answers to a request that the service had no capacity for. */
const NO_CAPACITY = [429, 503];

/** Sends a request again while the service lacks capacity. Throws when it is refused. */
export const repeatUntilAccepted = async (send: () => Promise<Answer>): Promise<Answer['body']> => {
  let last: Answer | undefined;
  const lacksCapacity = async () => {
    last = await send();
    return NO_CAPACITY.includes(last.status);
  };
  await expect.poll(lacksCapacity, { interval: 200 }).toBe(false);
  if (last === undefined || last.status >= 300) throw new Error(`refused: ${last?.text}`);
  return last.body;
};

/** Runs a request several times side by side. */
export const sideBySide = (count: number, send: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, send));

/** A new tenant for one kind of traffic. */
export const trafficTenant = async (api: AdminInstance, name: string) => {
  const { tenant, key } = await api.newTenant(`storm-${name}`);
  return {
    tenant,
    key,
    /** Sends a request until it is accepted, each time with the same idempotency key. */
    post: (path: string, body: unknown, request: Request = {}) => {
      const repeated = { key, body, idempotencyKey: randomUUID(), ...request };
      return repeatUntilAccepted(() => call(api.baseUrl, path, repeated));
    },
    /** All rows of a list, from all pages. */
    list: async (path: string): Promise<Record<string, unknown>[]> => {
      const rows: Record<string, unknown>[] = [];
      const url = new URL(path, api.baseUrl);
      url.searchParams.set('limit', '200');
      for (;;) {
        const { status, body, text } = await call(api.baseUrl, url.pathname + url.search, { key });
        expect(status, text).toBe(200);
        const { data, page } = Page.parse(body);
        rows.push(...data);
        if (!page.has_more) return rows;
        url.searchParams.set('cursor', page.next_cursor ?? '');
      }
    },
  };
};
