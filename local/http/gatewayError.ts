import { type GatewayStatus, gatewayProblem } from '../../schemas/gatewayProblems.ts';
import type { Problem } from '../../schemas/problems.ts';
import type { HttpReply } from './functionReply.ts';

export interface AnsweredRequest {
  readonly requestId: string;
  readonly path: string;
}

/**
 * The response of the gateway itself, as CloudFront in front of API Gateway sends it: a problem, so that whoever tries the
 * service meets one form of errors. API Gateway alone sends `{"message": …}`, which the clients are tested with too.
 */
export const gatewayError = (
  status: GatewayStatus,
  { requestId, path }: AnsweredRequest,
  baseUrl: string,
): HttpReply => {
  const { body, retryAfter } = gatewayProblem(status, baseUrl);
  const traceId = requestId.replaceAll('-', '');
  const problem: Problem = { ...body, instance: path, trace_id: traceId };
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'apigw-requestid': requestId,
      'x-trace-id': traceId,
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
    body: JSON.stringify(problem),
  };
};
