import { type Exchange, headerOf } from '../../platform/http/exchange.ts';
import { parseApiKey } from './principals/apiKey.ts';
import { isClientId } from './principals/client.ts';

/** Three parts of base64url: a signed token (RFC 7515 §3.1). Its signature is checked before any read. */
const TOKEN = /^Bearer +[\w-]+\.[\w-]+\.[\w-]+$/i;

const clientIdIn = (authorization: string): string => {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8').split(':', 1).join('');
};

/**
 * Whether a request carries what can be a valid credential: an API key with a right checksum, a signed token, or the id of a
 * client. Anything else is invalid without a look at any table.
 */
export const isWellFormed = (exchange: Exchange, form: string): boolean => {
  const authorization = headerOf(exchange, 'authorization') ?? '';
  const key = headerOf(exchange, 'x-api-key') ?? /^Bearer +(ask_\S+)$/i.exec(authorization)?.[1] ?? '';
  const clientId = new URLSearchParams(form).get('client_id') ?? clientIdIn(authorization);
  return parseApiKey(key) !== null || TOKEN.test(authorization) || isClientId(clientId);
};
