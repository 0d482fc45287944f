import { randomBytes } from 'node:crypto';
import { securityHeaders } from '../../schemas/platform/securityHeaders.ts';
import { type ErrorCode, type Problem, problemSlug, problemTypes } from '../../schemas/problems.ts';
import type { HttpReply } from './functionReply.ts';

/** Error codes of responses that the gateway sends itself. */
export type GatewayFault = Extract<
  ErrorCode,
  | 'INVALID_REQUEST'
  | 'NOT_FOUND'
  | 'PAYLOAD_TOO_LARGE'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'
>;

const details: Readonly<Record<GatewayFault, string>> = {
  INVALID_REQUEST: 'The request line, a header or the percent-encoding of the path is not valid.',
  NOT_FOUND: 'No route matches this path.',
  PAYLOAD_TOO_LARGE: 'The request exceeds the size limit of the gateway. Send a smaller request.',
  HEADERS_TOO_LARGE: 'The request line and the headers together exceed 10,240 bytes.',
  INTERNAL_ERROR:
    'The service failed. Repeat the identical request with the same Idempotency-Key. If the error persists, report the trace_id.',
  SERVICE_UNAVAILABLE: 'The operation timed out. Retry after the time in Retry-After.',
};

/**
 * The gateway's own error response as a problem document. An HTTP API of API Gateway uses fixed bodies for these cases.
 * Here they follow the contract, in which every error is a problem document.
 */
export const gatewayProblem = (fault: GatewayFault, path: string, baseUrl: string): HttpReply => {
  const { status, title } = problemTypes[fault];
  const page = `${baseUrl}/errors/${problemSlug(fault)}`;
  const traceId = randomBytes(16).toString('hex');
  const body: Problem = {
    type: page,
    title,
    status,
    detail: details[fault],
    instance: path,
    error_code: fault,
    trace_id: traceId,
    docs_url: page,
    ...(status === 400 && { errors: [{ detail: details[fault] }] }),
  };
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...securityHeaders(baseUrl),
      'x-trace-id': traceId,
      ...(status === 503 && { 'retry-after': '1' }),
    },
    body: JSON.stringify(body),
  };
};
