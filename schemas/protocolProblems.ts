import * as z from 'zod';
import { Problem } from './problems.ts';

/**
 * The body of every 4xx and 5xx response of an OpenTelemetry endpoint in JSON. Loose: it has the members of a problem too,
 * which the protocol's receivers ignore.
 */
export const OtlpProblem = z
  .looseObject({
    code: z.int().meta({ description: 'Code of google.rpc.Code' }),
    message: z.string(),
  })
  .meta({ id: 'OtlpProblem', description: 'google.rpc.Status, with the members of Problem' });

/** The body of every 4xx and 5xx response of an OAuth endpoint: a problem with the members of RFC 6749 §5.2. */
export const OAuthProblem = Problem.extend({
  error: z
    .string()
    .meta({ description: 'Error code of RFC 6749, for example invalid_client', example: 'invalid_client' }),
  error_description: z.string().optional(),
}).meta({ id: 'OAuthProblem' });

/** The body of a response that API Gateway sends itself, without CloudFront: no function ran, or its result was lost. */
export const GatewayError = z
  .object({
    message: z.string().meta({
      description: 'The reason phrase of the status',
      example: 'Service Unavailable',
    }),
  })
  .meta({
    id: 'GatewayError',
    description:
      'Sent by the gateway in front of the service, which knows no error codes: the throttle of all callers together (429), a request it cannot pass on (400, 413, 431), or a failed or late function (500, 503). With CloudFront in front of it, and on one machine, it is a Problem on all endpoints. OAuth and OpenTelemetry endpoints have it too, in application/json. Repeat 429, 500 and 503 with the same Idempotency-Key',
  });
