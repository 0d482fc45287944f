import { isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';
import { WriteConflictError } from '../../retry/retryOnConflict.ts';
import { ThrottledError } from '../../retry/throttledError.ts';
import { QueueOutageError } from '../requireSent.ts';

/**
 * Names of errors, and reasons of a cancelled transaction, with which AWS refuses the call itself. The identical call is
 * refused again, so the fault is in this service or in its permissions.
 */
const REFUSED_CALLS: ReadonlySet<unknown> = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'BatchRequestTooLong',
  'DuplicateItem',
  'InvalidArgument',
  'InvalidExecutionInput',
  'InvalidMessageContents',
  'InvalidParameterException',
  'InvalidParameterValue',
  'InvalidParameterValueException',
  'InvalidRequest',
  'ItemCollectionSizeLimitExceeded',
  'ItemCollectionSizeLimitExceededException',
  'MissingParameter',
  'SerializationException',
  'UnknownOperationException',
  'ValidationError',
  'ValidationException',
]);

/** Our own errors of calls that can succeed later. */
const OUTAGES = [QueueOutageError, ThrottledError, WriteConflictError];

/** All members that the SDK adds to an error are optional. */
const isError = (value: unknown): value is SdkError => value instanceof Error;

const reasonsOf = (error: Error): unknown[] =>
  'CancellationReasons' in error && Array.isArray(error.CancellationReasons)
    ? error.CancellationReasons.map((reason) => reason?.Code)
    : [];

/**
 * Whether the identical call can succeed later: a dependency did not answer or had no capacity, or other writers were
 * faster each time. Errors of the AWS SDK have `$metadata`, also without an answer. All other errors are faults of this
 * service.
 */
export const isOutage = (error: unknown): boolean => {
  if (!isError(error)) return false;
  // Our own limit of time ended the call. The SDK does not count that as transient.
  if (error.name === 'AbortError') return true;
  if (OUTAGES.some((type) => error instanceof type) || isTransientError(error)) return true;
  return '$metadata' in error && ![error.name, ...reasonsOf(error)].some((name) => REFUSED_CALLS.has(name));
};
