import type { Middleware } from './middleware.ts';

/** Adds the trace id to every response, regardless of its status. */
export const traceMiddleware: Middleware = {
  before: ({ event: exchange }) => {
    exchange.headers['x-trace-id'] = exchange.trace.traceId;
  },
};
