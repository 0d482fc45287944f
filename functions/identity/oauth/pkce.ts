import { hash, timingSafeEqual } from 'node:crypto';

/** Whether a text has the syntax of a verifier or challenge: 43 to 128 unreserved characters (RFC 7636 §4.1, §4.2). */
export const isPkceText = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text);

/** The S256 challenge of a verifier (RFC 7636 §4.2). The method `plain` is not supported: it would reveal the verifier. */
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url');

/** Whether a verifier matches the challenge of the authorization request, in constant time. */
export const verifies = (verifier: string, challenge: string): boolean => {
  const [expected, actual] = [Buffer.from(challenge), Buffer.from(challengeOf(verifier))];
  return isPkceText(verifier) && expected.length === actual.length && timingSafeEqual(expected, actual);
};
