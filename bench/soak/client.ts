import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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
}

export interface SoakClient {
  /**
   * Sends a change until it gets a response that is neither an outage nor a refusal for its rate, each time with the same
   * Idempotency-Key. Null when there is none until `until` (epoch milliseconds).
   */
  readonly change: (path: string, body: unknown, until: number, method?: string) => Promise<Answer | null>;
  readonly retries: () => number;
}

export const soakClient = (target: Target): SoakClient => {
  let retries = 0;
  return {
    change: async (path, body, until, method = 'POST') => {
      const idempotencyKey = randomUUID();
      while (Date.now() < until) {
        const sent = call(target.baseUrl(), path, { key: target.key(), method, body, idempotencyKey });
        const answer = await Promise.race([sent, sleep(ATTEMPT_TIMEOUT_MS, null)]).catch(() => null);
        // A first attempt that is still in progress holds the key.
        if (answer !== null && answer.status < 500 && ![409, 429].includes(answer.status)) return answer;
        retries += 1;
        await sleep(PAUSE_MS);
      }
      return null;
    },
    retries: () => retries,
  };
};
