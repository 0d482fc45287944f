import { HOUR_SECONDS } from '../durations.ts';

/** Request headers that browsers of other origins may send. */
export const CORS_REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'x-api-key',
];

/** Response headers that scripts of other origins may read. */
export const CORS_RESPONSE_HEADERS = [
  'degraded',
  'deprecation',
  'etag',
  'idempotency-replayed',
  'link',
  'location',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'sunset',
  'www-authenticate',
  'x-amzn-remapped-www-authenticate',
  'x-trace-id',
];

export const CORS_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** How long a browser may keep the answer to a preflight request. */
export const CORS_MAX_AGE_SECONDS = HOUR_SECONDS;
