import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { newSecret, type Random } from '../../access/secret.ts';
import type { EgressOutcome } from '../../egress/outcome.ts';
import { sha256Of } from '../../shared/hash.ts';

/** A challenge at rest: its hash, since whoever knows it can prove ownership. */
export const OpenChallenge = z.object({ hash: z.string(), valid_until: z.iso.datetime() });
export type OpenChallenge = z.infer<typeof OpenChallenge>;

/** Time for a person to find the challenge in the receiver's log, in milliseconds. */
const CHALLENGE_LIFETIME_MS = 24 * 60 * 60 * 1_000;

const hashOf = (challenge: string): Buffer => sha256Of('webhook challenge', challenge);

/** A challenge of 256 random bits, to be sent, and what is kept of it. */
export const newChallenge = (
  random: Random,
  at: number,
): { readonly challenge: string; readonly open: OpenChallenge } => {
  const challenge = newSecret(random);
  return {
    challenge,
    open: {
      hash: hashOf(challenge).toString('hex'),
      valid_until: new Date(at + CHALLENGE_LIFETIME_MS).toISOString(),
    },
  };
};

/** Whether an answer proves that its sender received the challenge, in constant time. */
export const isChallengeAnswer = (open: OpenChallenge, answer: string, now: number): boolean =>
  timingSafeEqual(hashOf(answer), Buffer.from(open.hash, 'hex')) && now < Date.parse(open.valid_until);

const Echo = z.object({ challenge: z.string() });

/**
 * The challenge that a receiver returns: a 2xx with a JSON object whose own member `challenge` it is. A page or service
 * that only reflects what it got has the challenge deeper down, in `data`, and proves nothing. Null for any other answer.
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
