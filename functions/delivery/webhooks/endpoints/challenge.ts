import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { newSecret, type Random } from '../../../identity/access/principals/secret.ts';
import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';

/** A stored challenge. Only its hash is stored, because the challenge itself proves ownership of the URL. */
export const OpenChallenge = z.object({ hash: z.string(), valid_until: z.iso.datetime() });
export type OpenChallenge = z.infer<typeof OpenChallenge>;

/** Long enough for a person to find the challenge in the receiver's log. */
const CHALLENGE_LIFETIME_MS = DAY_MS;

const hashOf = (challenge: string): Buffer => sha256Of('webhook challenge', challenge);

/** A new challenge of 256 random bits, and the form in which it is stored. `at` is epoch milliseconds. */
export const newChallenge = (
  random: Random,
  at: number,
): { readonly challenge: string; readonly open: OpenChallenge } => {
  const challenge = newSecret(random);
  return {
    challenge,
    open: {
      hash: hashOf(challenge).toString('hex'),
      valid_until: toIso(at + CHALLENGE_LIFETIME_MS),
    },
  };
};

/** Whether a challenge was opened at `at` (epoch milliseconds). */
export const isOpenedAt = ({ valid_until }: OpenChallenge, at: number): boolean =>
  Date.parse(valid_until) === at + CHALLENGE_LIFETIME_MS;

/** Whether an answer is the challenge and not expired at `now` (epoch milliseconds). Compares in constant time. */
export const isChallengeAnswer = (open: OpenChallenge, answer: string, now: number): boolean =>
  timingSafeEqual(hashOf(answer), Buffer.from(open.hash, 'hex')) && now < Date.parse(open.valid_until);

const Echo = z.object({ challenge: z.string() });

/**
 * The challenge in a response: a 2xx with a JSON object that has `challenge` as a top-level member. A service that only
 * reflects the request has the challenge in `data`, which does not count. Null for any other outcome.
 */
export const parseChallengeEcho = (outcome: EgressOutcome): string | null => {
  if (outcome.kind !== 'answered' || outcome.status >= 300 || outcome.truncated) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(outcome.body);
    return Echo.safeParse(JSON.parse(text)).data?.challenge ?? null;
  } catch {
    return null;
  }
};
