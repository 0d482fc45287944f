import type { Middleware } from './middleware.ts';

/** Every response, whatever its status, names the trace it belongs to. */
export const traceMiddleware: Middleware = {
  before: ({ event: exchange }) => {
    exchange.headers['x-trace-id'] = exchange.trace.traceId;
  },
};
