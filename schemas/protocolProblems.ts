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
