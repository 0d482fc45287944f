import { type Exchange, headerOf } from '../http/exchange.ts';
import type { Middleware } from '../http/middleware.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Authenticator } from './authenticator.ts';

/** Every 401 names a scheme to authenticate with (RFC 9110 §11.6.1). */
const challenge = { headers: { 'www-authenticate': 'Bearer' } };

const invalid = (detail: string) => new ProblemError('INVALID_CREDENTIALS', detail, challenge);

/** The one credential a request carries; undefined when it carries none. Two are refused: which one counts is a guess. */
const credentialOf = (exchange: Exchange): string | undefined => {
  const apiKey = headerOf(exchange, 'x-api-key');
  const authorization = headerOf(exchange, 'authorization');
  if (apiKey !== undefined && authorization !== undefined) {
    throw invalid('Send one credential: X-API-Key or Authorization.');
  }
  // A token in this header would be taken by some gateways for a key and logged as one.
  if (apiKey !== undefined && !apiKey.startsWith('ask_')) throw invalid('The credential is not valid.');
  if (authorization === undefined) return apiKey;
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw invalid('The credential is not valid.');
  return token;
};

/** Who calls. Refuses a missing or invalid credential; contract routes may be open to everyone. */
export const authenticateMiddleware = (
  authenticator: Authenticator,
  publicContract: boolean,
): Middleware => ({
  before: async ({ event: exchange }) => {
    const { access } = exchange.route;
    if (access === 'public') return;
    const credential = credentialOf(exchange);
    if (credential === undefined) {
      if (access === 'contract' && publicContract) return;
      throw invalid('A credential is required.');
    }
    const outcome = await authenticator(credential, exchange.receivedAt);
    if (outcome === 'expired') throw new ProblemError('EXPIRED', 'The API key has expired.', challenge);
    if (outcome === 'invalid') throw invalid('The credential is not valid.');
    exchange.caller = outcome;
  },
});
