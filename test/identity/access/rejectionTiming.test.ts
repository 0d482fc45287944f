import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Authenticator, createAuthenticator } from '../../../functions/identity/access/authenticator.ts';
import { constantTimeRejection } from '../../../functions/identity/access/constantTimeRejection.ts';
import type { ApiKey } from '../../../functions/identity/access/principals/apiKey.ts';
import { stopwatch } from '../../../functions/platform/shared/time/clock.ts';
import { toIso } from '../../../functions/platform/shared/time/toIso.ts';
import { caller, NOW } from '../../platform/http/harness.ts';
import { apiKeyIssuer } from '../oauth/issuedCredentials.ts';
import { signer } from './testSigner.ts';

/** A read takes 2 to 5 ms. A row that exists takes 4 ms more, far more than decoding it takes in the service. */
const READ_MS = { least: 2, spread: 3, found: 4 };
const CONCURRENT = 12;
/** Samples of each kind in the first measurement and in its repetition. */
const SAMPLES = [200, 600];
/** A probability of superiority of 0.5 means that the durations tell nothing. */
const TOLERANCE = 0.1;

const issue = apiKeyIssuer();
const [unknown, wrong, replaced, revoked] = [issue(), issue(), issue(), issue()];
const stored = new Map<string, ApiKey>([
  [wrong.stored.key_id.slice(4), { ...wrong.stored, secrets: replaced.stored.secrets }],
  [revoked.stored.key_id.slice(4), { ...revoked.stored, revoked_at: toIso(NOW) }],
]);
const credentials = { unknown: unknown.secret, wrong: wrong.secret, revoked: revoked.secret };
type Kind = keyof typeof credentials;
const kinds: readonly Kind[] = ['unknown', 'wrong', 'revoked'];

const authenticator = createAuthenticator({
  credentials: {
    apiKey: async (keyId) => {
      const key = stored.get(keyId) ?? null;
      await sleep(READ_MS.least + Math.random() * READ_MS.spread + (key === null ? 0 : READ_MS.found));
      return key;
    },
    client: async () => null,
    user: async () => null,
  },
  grants: { grant: async () => null, isRevoked: async () => false },
  tenants: { tenant: async () => caller.tenant },
  keys: signer,
  issuer: 'https://api.example.com',
  mode: 'test',
  clock: () => NOW,
});

/** The durations of `count` refusals of each kind, in milliseconds. All kinds are measured at the same time, in random order. */
const durationsOf = async (authenticate: Authenticator, count: number): Promise<Record<Kind, number[]>> => {
  const durations: Record<Kind, number[]> = { unknown: [], wrong: [], revoked: [] };
  const order = Array.from({ length: count }, () => kinds)
    .flat()
    .map((kind) => ({ kind, rank: Math.random() }))
    .toSorted((one, other) => one.rank - other.rank);
  for (let start = 0; start < order.length; start += CONCURRENT) {
    await Promise.all(
      order.slice(start, start + CONCURRENT).map(async ({ kind }) => {
        const startedAt = performance.now();
        expect(await authenticate(credentials[kind], NOW)).toBe('invalid');
        durations[kind].push(performance.now() - startedAt);
      }),
    );
  }
  return durations;
};

/** The probability that one of `left` is longer than one of `right`: the Mann-Whitney U over the number of pairs. */
const superiority = (left: readonly number[], right: readonly number[]): number => {
  const wins = left.flatMap((one) => right.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
};

/** The largest deviation from 0.5 over all pairs of kinds. */
const deviation = ({ unknown, wrong, revoked }: Record<Kind, number[]>): number =>
  Math.max(
    ...[superiority(unknown, wrong), superiority(wrong, revoked), superiority(unknown, revoked)].map(
      (probability) => Math.abs(probability - 0.5),
    ),
  );

/** Measures again with more samples before it reports a result that is not the expected one. */
const measured = async (
  authenticate: Authenticator,
  isExpected: (deviation: number) => boolean,
): Promise<number> => {
  let result = Number.NaN;
  for (const count of SAMPLES) {
    result = deviation(await durationsOf(authenticate, count));
    if (isExpected(result)) break;
  }
  return result;
};

describe('the durations of refused API keys', () => {
  it('do not tell whether a key id exists, or whether its key was revoked', async () => {
    const authenticate = constantTimeRejection(authenticator, stopwatch);

    expect(await measured(authenticate, (found) => found <= TOLERANCE)).toBeLessThanOrEqual(TOLERANCE);
  });

  it('would tell it without the constant duration, so this measurement can find a difference', async () => {
    expect(await measured(authenticator, (found) => found > TOLERANCE)).toBeGreaterThan(TOLERANCE);
  });
});
