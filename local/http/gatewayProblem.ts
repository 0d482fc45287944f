import { randomBytes } from 'node:crypto';
import { type ErrorCode, type Problem, problemSlug, problemTypes } from '../../schemas/problems.ts';
import type { HttpReply } from './functionReply.ts';

/** What the gateway answers by itself, when no function could. */
export type GatewayFault = Extract<
  ErrorCode,
  'INVALID_REQUEST' | 'NOT_FOUND' | 'PAYLOAD_TOO_LARGE' | 'INTERNAL_ERROR' | 'SERVICE_UNAVAILABLE'
>;

const details: Readonly<Record<GatewayFault, string>> = {
  INVALID_REQUEST: 'The path cannot be read.',
  NOT_FOUND: 'There is no such route.',
  PAYLOAD_TOO_LARGE: 'The request is larger than the gateway takes.',
  INTERNAL_ERROR: 'Something failed on our side.',
  SERVICE_UNAVAILABLE: 'The operation took too long.',
};

/**
 * The gateway's own answer as a problem. API Gateway has fixed words of its own for these few cases, which an HTTP API
 * cannot change; here the contract's promise that every refusal is a problem is kept to the end.
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
  };
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-trace-id': traceId,
      ...(status === 503 && { 'retry-after': '1' }),
    },
    body: JSON.stringify(body),
  };
};
