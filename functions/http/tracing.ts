import type { Step } from './step.ts';

/** Every response, whatever its status, names the trace it belongs to. */
export const tracing: Step = {
  before: ({ event: exchange }) => {
    exchange.headers['x-trace-id'] = exchange.trace.traceId;
  },
};
