/** The error of a call that AWS did not answer, as the SDK throws it. */
export const outage = (message = 'connect ECONNREFUSED'): Error =>
  Object.assign(new Error(message), { $metadata: { attempts: 3, totalRetryDelay: 0 } });
