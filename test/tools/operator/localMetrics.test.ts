import { expect, it } from 'vitest';
import { summarizeMetrics } from '../../../tools/operator/localMetrics.ts';

const line = (values: Record<string, unknown>) =>
  JSON.stringify({ _aws: { Timestamp: 1, CloudWatchMetrics: [] }, service: 'attribution', ...values });

it('adds counts and takes percentiles of times over all lines', () => {
  const times = Array.from({ length: 99 }, (_, index) => index + 1);

  const summary = summarizeMetrics([
    line({ recorded: 2, recordLatency: times }),
    'not JSON but with "_aws" in it',
    JSON.stringify({ level: 'info', message: 'recorded', count: 5 }),
    line({ recorded: [1, 1], recordLatency: 1_000 }),
  ]);

  expect(summary).toEqual([
    { metric: 'recorded', sum: 4, p50: null, p99: null, holds: expect.any(String) },
    { metric: 'recordLatency', sum: 5_950, p50: 50, p99: 99, holds: expect.any(String) },
  ]);
});

it('ignores members of a line that are no metric', () => {
  expect(summarizeMetrics([line({ code: 'RATE_LIMITED', refused: 1 })]).map(({ metric }) => metric)).toEqual([
    'refused',
  ]);
});
