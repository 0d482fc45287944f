import type { Answered, Failure, Outcome } from '../../functions/egress/outcome.ts';

export const answered = (
  status: number,
  retryAfter: string | null = null,
  body = '',
): Answered & Outcome => ({
  kind: 'answered',
  status,
  retryAfter,
  body: Buffer.from(body),
  truncated: false,
  latency: 5,
});

export const unanswered = (failure: Failure): Outcome => ({
  kind: 'failed',
  failure,
  status: failure === 'redirect' ? 302 : null,
  latency: 5,
});
