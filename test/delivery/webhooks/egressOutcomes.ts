import type { Answered, EgressOutcome, Failure } from '../../../functions/platform/egress/outcome.ts';

export const answered = (
  status: number,
  retryAfter: string | null = null,
  body = '',
): Answered & EgressOutcome => ({
  kind: 'answered',
  status,
  retryAfter,
  body: Buffer.from(body),
  truncated: false,
  latency: 5,
});

export const unanswered = (failure: Failure): EgressOutcome => ({
  kind: 'failed',
  failure,
  status: failure === 'redirect' ? 302 : null,
  latency: 5,
});
