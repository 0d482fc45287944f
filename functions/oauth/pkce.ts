import { hash, timingSafeEqual } from 'node:crypto';

/** Verifier and challenge have one syntax: 43 to 128 unreserved characters (RFC 7636 §4.1, §4.2). */
export const isPkceText = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text);

/** The S256 challenge of a verifier (RFC 7636 §4.2). There is no other method: plain would show the verifier itself. */
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url');

/** Whether a verifier is the one whose challenge a sign-in began with, in constant time. */
export const verifies = (verifier: string, challenge: string): boolean => {
  const [expected, found] = [Buffer.from(challenge), Buffer.from(challengeOf(verifier))];
  return isPkceText(verifier) && expected.length === found.length && timingSafeEqual(expected, found);
};
