import { type ErrorCode, type Problem, problemSlug, problemTypes } from './problems.ts';

/** Statuses of responses that an HTTP API sends itself: no function ran, or its result was lost. */
export const gatewayStatuses = [400, 404, 413, 429, 431, 500, 503] as const;
export type GatewayStatus = (typeof gatewayStatuses)[number];

const answers: Readonly<Record<GatewayStatus, readonly [code: ErrorCode, detail: string]>> = {
  400: ['INVALID_REQUEST', 'The gateway cannot read the request.'],
  404: ['NOT_FOUND', 'No route matches this path.'],
  413: ['PAYLOAD_TOO_LARGE', 'The gateway takes no body of this size.'],
  429: ['RATE_LIMITED', 'All callers together send too many requests. Repeat the identical request.'],
  431: ['HEADERS_TOO_LARGE', 'The gateway takes no headers of this size.'],
  500: ['INTERNAL_ERROR', 'No answer of the service arrived. Repeat the identical request.'],
  503: ['SERVICE_UNAVAILABLE', 'The service did not answer in time. Repeat the identical request.'],
};

const RETRY_AFTER_SECONDS = '1';

/**
 * What a response of the gateway itself becomes: the problem of its status, without what differs by request. `baseUrl` is that
 * of the service. An HTTP API sends `{"message": …}` and cannot be configured to send anything else, so whoever stands for it or
 * in front of it adds the rest: the local runtime, and CloudFront.
 */
export const gatewayProblem = (status: GatewayStatus, baseUrl: string) => {
  const [code, detail] = answers[status];
  const { title, retryable } = problemTypes[code];
  const page = `${baseUrl}/errors/${problemSlug(code)}`;
  const body: Omit<Problem, 'instance' | 'trace_id'> = {
    type: page,
    title,
    status,
    detail,
    error_code: code,
    docs_url: page,
    ...(status === 400 && { errors: [{ detail }] }),
  };
  return { body, retryAfter: retryable && status !== 500 ? RETRY_AFTER_SECONDS : undefined };
};
