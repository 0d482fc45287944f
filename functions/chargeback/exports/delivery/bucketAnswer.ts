import type { DeliveryError } from '../../../../schemas/chargeback/deliveryTarget.ts';
import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import { parseRetryAfter } from '../../../platform/egress/retryAfter.ts';

/** Why an attempt failed, and how long S3 asks to wait, in milliseconds. */
export interface DeliveryFailure {
  readonly kind: 'failed';
  readonly error: DeliveryError;
  readonly wait: number;
}

export const failDelivery = (error: DeliveryError, wait = 0): DeliveryFailure => ({
  kind: 'failed',
  error,
  wait,
});

/** What codes of S3 mean, where the status does not say it. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const CODES: Readonly<Record<string, DeliveryError>> = {
  AccessDenied: 'access_denied',
  AuthorizationHeaderMalformed: 'wrong_region',
  ExpiredToken: 'unavailable',
  IllegalLocationConstraintException: 'wrong_region',
  InternalError: 'unavailable',
  NoSuchBucket: 'no_such_bucket',
  NoSuchUpload: 'unavailable',
  OperationAborted: 'unavailable',
  PermanentRedirect: 'wrong_region',
  RequestTimeTooSkewed: 'unavailable',
  RequestTimeout: 'unavailable',
  SlowDown: 'rate_limited',
};

const errorOfStatus = (status: number): DeliveryError => {
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'unavailable';
  if (status === 403) return 'access_denied';
  return status === 404 ? 'no_such_bucket' : 'refused';
};

const PERMANENT_REDIRECT = 301;

/**
 * The failure that an answer of S3 at `now` (epoch milliseconds) tells. Null for a success. The end of a multipart upload can
 * fail with the status 200: the error is in the body.
 */
export const failureIn = (outcome: EgressOutcome, now: number): DeliveryFailure | null => {
  if (outcome.kind === 'failed') {
    return failDelivery(outcome.status === PERMANENT_REDIRECT ? 'wrong_region' : 'unavailable');
  }
  const { status, body, retryAfter } = outcome;
  const code = /<Error>.*?<Code>(\w{1,64})<\/Code>/s.exec(Buffer.from(body).toString('latin1'))?.[1];
  if (status < 300 && code === undefined) return null;
  return failDelivery(
    (code === undefined ? undefined : CODES[code]) ?? errorOfStatus(status),
    parseRetryAfter(retryAfter, now),
  );
};
