import * as z from 'zod';

interface ProblemType {
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  /** What happened and what to do about it: the text of the page at `{errors_url}/<slug>`. */
  readonly help: string;
}

const catalogue = {
  INVALID_CREDENTIALS: {
    status: 401,
    title: 'Invalid credentials',
    retryable: false,
    help: 'The API key or access token is missing, malformed, unknown, revoked or not meant for this environment. Check that the whole secret was copied, and that sandbox credentials are used with the sandbox only.',
  },
  EXPIRED: {
    status: 401,
    title: 'API key expired',
    retryable: false,
    help: 'The API key is genuine but past its expiry. Create a new key or rotate this one before it ends.',
  },
  STEP_UP_REQUIRED: {
    status: 401,
    title: 'Stronger authentication required',
    retryable: false,
    help: 'This operation needs a recent sign-in. Authenticate again and repeat the call with the new token.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    title: 'Insufficient scope',
    retryable: false,
    help: 'The credential is valid but lacks a scope: the one this operation needs, or one of the API key or OAuth client that it would create, rotate, revoke or delete. Scopes never widen: use a credential that has the scope.',
  },
  TENANT_MISMATCH: {
    status: 403,
    title: 'Tenant mismatch',
    retryable: false,
    help: 'The request names a resource, cursor or tenant that is not the one of the credential. The tenant always follows from the credential.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    retryable: false,
    help: 'There is no such route or resource. An accepted event becomes readable within about 30 seconds.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    retryable: false,
    help: 'The path exists but not with this method. The Allow header lists the methods it has.',
  },
  RESIDENCY_BLOCKED: {
    status: 409,
    title: 'Blocked by data residency',
    retryable: false,
    help: 'The operation would cross the data-residency lane the credential or the data is bound to.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    title: 'Still in progress',
    retryable: true,
    help: 'The first request with this Idempotency-Key is still running. Wait for Retry-After and repeat the identical request.',
  },
  CONFLICT: {
    status: 409,
    title: 'Conflict with the current state',
    retryable: false,
    help: 'The resource is in a state that does not allow this operation. Read it again before deciding what to do.',
  },
  INVALID_REQUEST: {
    status: 400,
    title: 'Invalid request',
    retryable: false,
    help: 'The request could not be read: malformed JSON, text that is not UTF-8, nesting deeper than 32, a forbidden or repeated member name, or a bad header or query parameter.',
  },
  INVALID_CURSOR: {
    status: 400,
    title: 'Invalid cursor',
    retryable: false,
    help: 'The cursor was altered, has expired (after one hour), or belongs to another route, filter or sort order. Start again from the first page.',
  },
  INVALID_FILTER: {
    status: 400,
    title: 'Invalid filter or sort',
    retryable: false,
    help: 'The filter, operator or sort field is not one this collection offers, or its value cannot be read. The API reference lists those that are.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    title: 'Idempotency-Key required',
    retryable: false,
    help: 'Send an Idempotency-Key header of 1 to 255 visible ASCII characters, unique for each operation and unchanged on each retry.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'Payload too large',
    retryable: false,
    help: 'Bodies are limited to 256 KiB, batches to 5 MiB and 1,000 events. Send smaller batches.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    retryable: false,
    help: 'Send application/json in UTF-8, without content encoding (the token endpoint takes application/x-www-form-urlencoded).',
  },
  VALIDATION_FAILED: {
    status: 422,
    title: 'Validation failed',
    retryable: false,
    help: 'The body does not match its schema. The member errors lists each fault with an RFC 6901 pointer to it.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 422,
    title: 'Idempotency-Key already used',
    retryable: false,
    help: 'This Idempotency-Key was used within the last 24 hours with another body, path or credential. Use a new key for a new operation.',
  },
  NO_SCOPE: {
    status: 422,
    title: 'No scope',
    retryable: false,
    help: 'A key needs at least one scope: without one it could do nothing.',
  },
  WEBHOOK_URL_REJECTED: {
    status: 422,
    title: 'Webhook URL rejected',
    retryable: false,
    help: 'The URL must be https and resolve to public addresses only.',
  },
  EXPORT_TOO_LARGE: {
    status: 422,
    title: 'Export too large',
    retryable: false,
    help: 'An export covers at most 13 months and groups by at most four fields.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Rate limited',
    retryable: true,
    help: 'The bucket of this credential and route class is empty. Wait at least Retry-After seconds plus some jitter, and keep the Idempotency-Key and event_id unchanged.',
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Internal error',
    retryable: true,
    help: 'Something failed on our side. Retry with the same Idempotency-Key; if it persists, report the trace_id.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'Service unavailable',
    retryable: true,
    help: 'A dependency is down. Wait for Retry-After and repeat the identical request.',
  },
} as const satisfies Record<string, ProblemType>;

/** The closed, versioned set of error codes: it only grows within a major version. */
export type ErrorCode = keyof typeof catalogue;

export const problemTypes: Readonly<Record<ErrorCode, ProblemType>> = catalogue;

/** Every error code, in the order of the catalogue. */
export const errorCodes = Object.keys(catalogue) as [ErrorCode, ...ErrorCode[]];

/** The last path segment of a problem's `type` and of its page: `RATE_LIMITED` → `rate-limited`. */
export const problemSlug = (code: ErrorCode): string => code.toLowerCase().replaceAll('_', '-');

/** One fault of a body: where it is (RFC 6901) and what is wrong. Never the offending value. */
export const FieldError = z.object({ pointer: z.string(), detail: z.string() });
export type FieldError = z.infer<typeof FieldError>;

/** The body of every 4xx and 5xx (RFC 9457, `application/problem+json`). */
export const Problem = z
  .object({
    type: z.url(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({ description: 'Request path' }),
    error_code: z.enum(errorCodes),
    trace_id: z.string().meta({ description: '32 hexadecimal digits; quote it when reporting a fault' }),
    tenant_id: z.string().optional().meta({ description: 'Present once the caller is authenticated' }),
    docs_url: z.url(),
    errors: z.array(FieldError).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
