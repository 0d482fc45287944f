import { expect, it } from 'vitest';
import { rollupQueue } from '../../../../functions/ledger/rollups/marks/queue.aws.ts';

const { delayOf } = rollupQueue('http://localhost/queue');
const MAXIMUM = 32_000;

it.each([
  { messages: 0, calls: 1, delay: 1_000 },
  { messages: 1, calls: 90, delay: 1_000 },
  { messages: 2, calls: 90, delay: 2_000 },
  { messages: 3, calls: 90, delay: 4_000 },
  { messages: 4, calls: 90, delay: 8_000 },
  { messages: 50, calls: 90, delay: 8_000 },
  { messages: 0, calls: 150, delay: 2_000 },
  { messages: 4, calls: 1_000, delay: 16_000 },
  { messages: 4, calls: 100_000, delay: MAXIMUM },
])('on one machine, $calls calls in a minute with $messages messages wait for $delay ms', (given) => {
  expect(delayOf(given)).toBe(given.delay);
});

it('delays are fractions of the longest, so that time slots of any two end together', () => {
  for (let calls = 1; calls < 10_000; calls += 7) {
    expect(MAXIMUM % delayOf({ messages: 0, calls })).toBe(0);
  }
});
