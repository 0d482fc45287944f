import { expect, it } from 'vitest';
import { messagesPerReceive } from '../../../bench/cost/trafficMix.ts';

it.each([
  [0, 1],
  [1, 1.2],
  [10, 3],
  [45, 10],
  [5_000, 10],
])(
  'fills a receive with what arrives in the batching window: %s messages a second, %s a receive',
  (rate, messages) => {
    expect(messagesPerReceive(rate)).toBe(messages);
  },
);
