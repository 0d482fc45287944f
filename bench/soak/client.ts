import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RETENTION_MS } from '../../functions/platform/idempotency/requestIdentity.ts';
import { MINUTE_MS } from '../../schemas/durations.ts';
import { type Answer, call } from '../../test/support/client.ts';

const PAUSE_MS = 250;
/** A response of a service that is stopped does not come. */
const ATTEMPT_TIMEOUT_MS = 40_000;

/** Where the service is. It changes when a local service starts again. */
export interface Target {
  readonly baseUrl: () => string;
  readonly key: () => string;
  /** A URL to which webhooks may be sent. */
  readonly receiver: string;
  /** The time of the service (epoch milliseconds), whose clock may be ahead. */
  readonly now: () => number;
}

const isOutage = ({ status }: Answer): boolean => status >= 500 || status === 429;

/** How long a read is repeated. A service that catches up on two busy cores can be unavailable for minutes. */
const READ_MS = 10 * MINUTE_MS;

/** Reads until the response is neither an outage nor a refusal for its rate. Throws when there is none in time. */
export const readAnswer = async ({ baseUrl, key }: Target, path: string): Promise<Answer> => {
  for (const until = Date.now() + READ_MS; ; await sleep(PAUSE_MS)) {
    const answer = await call(baseUrl(), path, { key: key() }).catch(() => null);
    if (answer !== null && !isOutage(answer)) return answer;
    if (Date.now() > until) throw new Error(`${path}: ${answer?.text ?? 'no response'}`);
  }
};

export interface SoakClient {
  /**
   * Sends a change until it gets a response that is neither an outage nor a refusal for its rate, each time with the same
   * Idempotency-Key. Null when there is none until `until` (epoch milliseconds), or none while the service knows the key: a
   * step of its clock can pass the end of the key, and then a retry is another request.
   */
  readonly change: (path: string, body: unknown, until: number, method?: string) => Promise<Answer | null>;
  readonly retries: () => number;
}

export const soakClient = (target: Target): SoakClient => {
  let retries = 0;
  return {
    change: async (path, body, until, method = 'POST') => {
      const idempotencyKey = randomUUID();
      const forgottenAt = target.now() + RETENTION_MS;
      while (Date.now() < until && target.now() < forgottenAt) {
        const sent = call(target.baseUrl(), path, { key: target.key(), method, body, idempotencyKey });
        const answer = await Promise.race([sent, sleep(ATTEMPT_TIMEOUT_MS, null)]).catch(() => null);
        // A first attempt that is still in progress holds the key.
        if (answer !== null && !isOutage(answer) && answer.status !== 409)
          return target.now() < forgottenAt ? answer : null;
        retries += 1;
        await sleep(PAUSE_MS);
      }
      return null;
    },
    retries: () => retries,
  };
};
