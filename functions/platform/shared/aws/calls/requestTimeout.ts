import * as z from 'zod';

const DEFAULT_MS = 3_000;

/**
 * The time limit of one attempt of an AWS call, in milliseconds. The stack sets it from the timeout of the function. A fixed
 * limit is wrong for both ends: on a slow machine a call of a long-running worker can wait for seconds for its thread.
 */
export const requestTimeoutMs: number = z.coerce
  .number()
  .positive()
  .default(DEFAULT_MS)
  .parse(process.env['REQUEST_TIMEOUT_MS']);
