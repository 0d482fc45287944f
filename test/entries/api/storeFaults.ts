import { WriteConflictError } from '../../../functions/platform/shared/retry/retryOnConflict.ts';
import type { RouteShape } from '../../../schemas/routes/route.ts';
import { outage } from '../../support/outage.ts';
import { BASE_URL } from './environment.ts';
import type { UnitResponse } from './unitsInProcess.ts';

const ofAws = (name: string, httpStatusCode?: number): Error =>
  Object.assign(outage(name), { name, ...(httpStatusCode && { $metadata: { httpStatusCode } }) });

/** The faults of a store: what it throws, and whether the identical request can succeed later. */
type Fault = readonly [name: string, makeError: () => Error, isOutage: boolean];
export const FAULTS: readonly [Fault, ...Fault[]] = [
  ['a bug', () => new TypeError('undefined is not a function'), false],
  ['a call that AWS refuses', () => ofAws('ValidationException', 400), false],
  ['a throttle', () => ofAws('ThrottlingException', 400), true],
  ['a lost race', () => new WriteConflictError(12, 'a document'), true],
  ['an outage of AWS', () => ofAws('InternalServerError', 500), true],
  ['a refused connection', () => outage(), true],
  ['a time-out of the SDK', () => ofAws('TimeoutError'), true],
  ['a bucket that asks to slow down', () => ofAws('SlowDown', 503), true],
  // The SDK adds nothing to an error of a body that it hands out to be read.
  ['an answer that is cut', () => Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), true],
  ['an answer that is no JSON', () => Object.assign(new SyntaxError(), { $metadata: {} }), true],
  [
    'a limit of time of a call',
    () => Object.assign(new Error('Request aborted'), { name: 'AbortError' }),
    true,
  ],
];

/** Sign-ins are answered by redirect, also after a fault (RFC 6749 §4.1.2.1). */
export const outcomeOf = ({ status, headers, text }: UnitResponse): string => {
  const retryAfter = headers['retry-after'] === undefined ? '' : ' with Retry-After';
  const location = headers['location'];
  const { searchParams } = new URL(typeof location === 'string' ? location : '/', BASE_URL);
  const reason = searchParams.get('error') ?? searchParams.get('sign_in_error');
  if (status === 302) return `302 ${reason ?? ''}`;
  return status < 500 ? 'an answer' : `${status} ${/"error_code":"(\w+)"/.exec(text)?.[1]}${retryAfter}`;
};

export const expectedOf = (route: RouteShape, isOutage: boolean): string[] => {
  const isUnavailable = isOutage || route.faultCode === 'SERVICE_UNAVAILABLE';
  return isUnavailable
    ? ['503 SERVICE_UNAVAILABLE with Retry-After', '302 temporarily_unavailable']
    : ['500 INTERNAL_ERROR', '302 server_error'];
};
