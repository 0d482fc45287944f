import * as z from 'zod';
import { FieldError } from './fieldError.ts';
import { ReadinessChecks } from './platform/readiness.ts';

interface ProblemType {
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  /** Cause and remedy. Published at `{errors_url}/<slug>`. */
  readonly help: string;
}

/**
 * Version of the catalogue. A new code raises the minor version, a new text the patch version. Within a major version no
 * code is removed, and no status changes.
 */
export const CATALOGUE_VERSION = '1.1.1';

const catalogue = {
  INVALID_CREDENTIALS: {
    status: 401,
    title: 'Invalid credentials',
    retryable: false,
    help: 'The API key or access token is missing, malformed, unknown, revoked, belongs to another environment, or is an access token that has expired. The member reason tells which: request a new token only for expired_token. Otherwise check that you copied the whole secret, and use sandbox credentials only in the sandbox.',
  },
  EXPIRED: {
    status: 401,
    title: 'API key expired',
    retryable: false,
    help: 'The API key is genuine but has expired. Create a new key. Next time, rotate the key before it expires.',
  },
  STEP_UP_REQUIRED: {
    status: 401,
    title: 'Stronger authentication required',
    retryable: false,
    help: 'This operation requires a recent sign-in. Sign in again and repeat the request with the new token.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    title: 'Insufficient scope',
    retryable: false,
    help: 'The credential is valid but lacks a required scope. The operation itself requires a scope. Creating, rotating, revoking or deleting an API key or OAuth client also requires the scopes of that key or client. Use a credential that has the scope: the scopes of a credential never change.',
  },
  TENANT_MISMATCH: {
    status: 403,
    title: 'Tenant mismatch',
    retryable: false,
    help: 'The request names a resource, cursor or tenant that belongs to another tenant. The credential alone determines the tenant.',
  },
  CROSS_SITE_REQUEST: {
    status: 403,
    title: 'Request of another site',
    retryable: false,
    help: 'The session of the web console takes requests of its own pages only. Programs call the API with an API key or an access token.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    retryable: false,
    help: 'The route or resource does not exist. An accepted event becomes readable within about 30 seconds.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    retryable: false,
    help: 'The path does not support this method. The Allow header lists the supported methods.',
  },
  RESIDENCY_BLOCKED: {
    status: 409,
    title: 'Blocked by data residency',
    retryable: false,
    help: 'The operation would cross the data-residency lane of the credential or of the data. Use a credential of that lane, or one without a lane.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    title: 'Request still in progress',
    retryable: true,
    help: 'The first request with this Idempotency-Key is still running. Wait for the number of seconds in Retry-After, then repeat the identical request.',
  },
  CONFLICT: {
    status: 409,
    title: 'Conflict with the current state',
    retryable: false,
    help: 'The current state of the resource does not allow this operation. Read the resource again, then decide whether to repeat the request.',
  },
  INVALID_REQUEST: {
    status: 400,
    title: 'Invalid request',
    retryable: false,
    help: 'The request cannot be parsed. Possible causes: malformed JSON, text that is not UTF-8, more than 32 levels of nesting, a forbidden or repeated member name, or an invalid header or query parameter.',
  },
  INVALID_CURSOR: {
    status: 400,
    title: 'Invalid cursor',
    retryable: false,
    help: 'The cursor was modified, is older than one hour, or belongs to another route, filter or sort order. Start again from the first page.',
  },
  INVALID_FILTER: {
    status: 400,
    title: 'Invalid filter or sort',
    retryable: false,
    help: 'The route does not support the parameter, operator or sort field, or the value cannot be parsed. The errors member names the parameter, the field, the operator, the reason and the allowed values.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    title: 'Idempotency-Key required',
    retryable: false,
    help: 'Send an Idempotency-Key header of 1 to 255 visible ASCII characters. Use a new key for each operation and the same key for each retry.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'Payload too large',
    retryable: false,
    help: 'A request body is limited to 256 KiB, a batch to 5 MiB and 1,000 events, telemetry and logs to 16 MiB after decompression and 32,768 records. A body may have one JSON value or name for every 8 bytes of its limit. Send smaller batches.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'Request header fields too large',
    retryable: false,
    help: 'The request line and the headers together are limited to 10,240 bytes. Send fewer or shorter headers, or a shorter query.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    retryable: false,
    help: 'Send application/json in UTF-8 without content encoding. The OAuth endpoints take application/x-www-form-urlencoded.',
  },
  VALIDATION_FAILED: {
    status: 422,
    title: 'Validation failed',
    retryable: false,
    help: 'The body does not match its schema. The errors member lists each invalid field with its JSON Pointer (RFC 6901), the reason and the allowed values.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 422,
    title: 'Idempotency-Key already used',
    retryable: false,
    help: 'This Idempotency-Key was used in the last 24 hours with another body, path or query. Use a new key for a new operation. A retry must send the same bytes; a retry of a mutation may use another credential of the tenant, and events are sent again with any.',
  },
  NO_SCOPE: {
    status: 422,
    title: 'No scope',
    retryable: false,
    help: 'An API key or OAuth client needs at least one scope. Add a scope to the request.',
  },
  WEBHOOK_URL_REJECTED: {
    status: 422,
    title: 'Webhook URL rejected',
    retryable: false,
    help: 'The URL must use https, and its host name must resolve to public IP addresses only. Register a public URL.',
  },
  EXPORT_TOO_LARGE: {
    status: 422,
    title: 'Export too large',
    retryable: false,
    help: 'An export covers at most 13 months and at most four group_by fields. Request a shorter period or fewer fields.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Rate limited',
    retryable: true,
    help: 'The rate limit of this credential or of its tenant for this class of routes is exhausted, or too many authentications from this network address have failed. Wait at least Retry-After seconds plus jitter. Keep the Idempotency-Key and event_id unchanged.',
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Internal error',
    retryable: true,
    help: 'The service failed. Repeat the identical request with the same Idempotency-Key. If the error persists, report the trace_id.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'Service unavailable',
    retryable: true,
    help: 'A dependency is unavailable. Wait for the number of seconds in Retry-After, then repeat the identical request.',
  },
} as const satisfies Record<string, ProblemType>;

/** Every error code. Within a major version codes are only added. */
export type ErrorCode = keyof typeof catalogue;

export const problemTypes: Readonly<Record<ErrorCode, ProblemType>> = catalogue;

/** Every error code, in the order of the catalogue. */
export const errorCodes = Object.keys(catalogue) as [ErrorCode, ...ErrorCode[]];

/** The last path segment of the problem's `type` URL, for example `rate-limited` for `RATE_LIMITED`. */
export const problemSlug = (code: ErrorCode): string => code.toLowerCase().replaceAll('_', '-');

/** One of the error codes, as one component of the OpenAPI document. */
export const ErrorCodeName = z.enum(errorCodes).meta({ id: 'ErrorCode' });

/** The body of every 4xx and 5xx response (RFC 9457, `application/problem+json`). */
export const Problem = z
  .object({
    type: z.url(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({ description: 'Request path' }),
    error_code: ErrorCodeName,
    trace_id: z.string().meta({ description: '32 hexadecimal digits. Quote it when you report an error' }),
    tenant_id: z.string().optional().meta({ description: 'Present when the caller is authenticated' }),
    docs_url: z.url(),
    reason: z
      .enum(['no_credential', 'two_credentials', 'invalid_credential', 'expired_token', 'expired_key'])
      .optional()
      .meta({
        description:
          'Present with INVALID_CREDENTIALS and EXPIRED of all routes except the OAuth endpoints. expired_token: request a new token. All others: another credential is needed',
      }),
    www_authenticate: z.string().optional().meta({
      description:
        'Present with every challenge: the value of the header WWW-Authenticate, which API Gateway renames to x-amzn-remapped-www-authenticate',
      example: 'Bearer error="insufficient_user_authentication", max_age=900',
    }),
    errors: z
      .array(FieldError)
      .optional()
      .meta({ description: 'Present with status 400 and 422: every invalid part of the request' }),
    checks: ReadinessChecks.optional().meta({ description: 'Present with 503 of GET /readyz' }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
