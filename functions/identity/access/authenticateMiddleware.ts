import type { Problem } from '../../../schemas/problems.ts';
import { type Exchange, headerOf } from '../../platform/http/exchange.ts';
import type { Middleware } from '../../platform/http/middleware.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { authenticating } from '../../platform/shared/time/invocationTime.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { Authenticator } from './authenticator.ts';

type Reason = NonNullable<Problem['reason']>;

/**
 * A 401 with an authentication scheme (RFC 9110 §11.6.1). `tokenError` is the error of a Bearer token (RFC 6750 §3.1);
 * a request without a token gets none. `reason` tells a client whether a new token or another credential helps.
 */
const unauthorized = (
  code: 'INVALID_CREDENTIALS' | 'EXPIRED',
  detail: string,
  { reason, tokenError }: { readonly reason: Reason; readonly tokenError?: string },
) =>
  new ProblemError(code, detail, {
    headers: {
      'www-authenticate':
        tokenError === undefined
          ? 'Bearer'
          : `Bearer error="invalid_token", error_description="${tokenError}"`,
    },
    members: { reason },
  });

const invalid = (detail: string, reason: Reason = 'invalid_credential') =>
  unauthorized('INVALID_CREDENTIALS', detail, { reason });

/** A credential that was sent in Authorization is a Bearer token, whatever its form. */
const rejected = (exchange: Exchange, outcome: 'invalid' | 'expired' | 'expired_token') => {
  const isBearer = headerOf(exchange, 'authorization') !== undefined;
  const tokenError = (text: string) => (isBearer ? { tokenError: text } : {});
  if (outcome === 'expired') {
    const detail = 'The API key has expired. Create a new one.';
    return unauthorized('EXPIRED', detail, {
      reason: 'expired_key',
      ...tokenError('The API key has expired'),
    });
  }
  if (outcome === 'expired_token') {
    const detail = 'The access token has expired. Request a new token with the same client or refresh token.';
    return unauthorized('INVALID_CREDENTIALS', detail, {
      reason: 'expired_token',
      ...tokenError('The access token has expired'),
    });
  }
  return unauthorized('INVALID_CREDENTIALS', 'The credential is not valid.', {
    reason: 'invalid_credential',
    ...tokenError('The access token is not valid'),
  });
};

/** The credential of a request; undefined if there is none. Two credentials are ambiguous and refused. */
const credentialOf = (exchange: Exchange): string | undefined => {
  const apiKey = headerOf(exchange, 'x-api-key');
  const authorization = headerOf(exchange, 'authorization');
  if (apiKey !== undefined && authorization !== undefined) {
    throw invalid(
      'The request has two credentials. Send X-API-Key or Authorization, not both.',
      'two_credentials',
    );
  }
  // Some gateways would log a token in this header as an API key.
  if (apiKey !== undefined && !apiKey.startsWith('ask_')) throw invalid('The credential is not valid.');
  if (authorization === undefined) return apiKey;
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw invalid('The credential is not valid.');
  return token;
};

/** The caller of a route that needs none: undefined for every credential that is missing, not valid or not verifiable. */
const optionalCaller = async (
  authenticator: Authenticator,
  exchange: Exchange,
): Promise<Caller | undefined> => {
  try {
    const credential = credentialOf(exchange);
    const outcome =
      credential === undefined
        ? 'invalid'
        : await authenticating(() => authenticator(credential, exchange.receivedAt));
    return typeof outcome === 'string' ? undefined : outcome;
  } catch {
    return undefined;
  }
};

/**
 * Refuses a request that no page of this origin makes. Browsers set Sec-Fetch-Site themselves, and no page can change it
 * (Fetch Metadata). Old browsers send none and are refused.
 */
const requireSameOrigin = (exchange: Exchange): void => {
  if (headerOf(exchange, 'sec-fetch-site') === 'same-origin') return;
  throw new ProblemError('CROSS_SITE_REQUEST', 'Only pages of this console may make this request.');
};

/**
 * Sets the caller of the exchange. Throws INVALID_CREDENTIALS, EXPIRED or CROSS_SITE_REQUEST. Public routes need no
 * credential, and contract routes need none if `publicContract` is set.
 */
export const authenticateMiddleware = (
  authenticator: Authenticator,
  publicContract: boolean,
): Middleware => ({
  before: async ({ event: exchange }) => {
    const { access } = exchange.route;
    if (access === 'public') return;
    if (access === 'session') {
      requireSameOrigin(exchange);
      return;
    }
    if (access === 'optional') {
      const caller = await optionalCaller(authenticator, exchange);
      if (caller !== undefined) exchange.caller = caller;
      return;
    }
    const credential = credentialOf(exchange);
    if (credential === undefined) {
      if (access === 'contract' && publicContract) return;
      throw invalid('A credential is required. Send X-API-Key or Authorization: Bearer.', 'no_credential');
    }
    const outcome = await authenticating(() => authenticator(credential, exchange.receivedAt));
    if (typeof outcome === 'string') throw rejected(exchange, outcome);
    exchange.caller = outcome;
  },
});
