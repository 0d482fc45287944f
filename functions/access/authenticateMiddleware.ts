import { type Exchange, headerOf } from '../http/exchange.ts';
import type { Middleware } from '../http/middleware.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Authenticator } from './authenticator.ts';

/** Every 401 response names an authentication scheme (RFC 9110 §11.6.1). */
const challenge = { headers: { 'www-authenticate': 'Bearer' } };

const invalid = (detail: string) => new ProblemError('INVALID_CREDENTIALS', detail, challenge);

/** The credential of a request; undefined if there is none. Two credentials are ambiguous and refused. */
const credentialOf = (exchange: Exchange): string | undefined => {
  const apiKey = headerOf(exchange, 'x-api-key');
  const authorization = headerOf(exchange, 'authorization');
  if (apiKey !== undefined && authorization !== undefined) {
    throw invalid('The request has two credentials. Send X-API-Key or Authorization, not both.');
  }
  // Some gateways would log a token in this header as an API key.
  if (apiKey !== undefined && !apiKey.startsWith('ask_')) throw invalid('The credential is not valid.');
  if (authorization === undefined) return apiKey;
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw invalid('The credential is not valid.');
  return token;
};

/**
 * Sets the caller of the exchange. Throws INVALID_CREDENTIALS or EXPIRED. Public routes need no credential, and contract
 * routes need none if `publicContract` is set.
 */
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
      throw invalid('A credential is required. Send X-API-Key or Authorization: Bearer.');
    }
    const outcome = await authenticator(credential, exchange.receivedAt);
    if (outcome === 'expired')
      throw new ProblemError('EXPIRED', 'The API key has expired. Create a new one.', challenge);
    if (outcome === 'invalid') throw invalid('The credential is not valid.');
    exchange.caller = outcome;
  },
});
