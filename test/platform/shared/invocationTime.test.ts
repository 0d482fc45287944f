import { expect, it } from 'vitest';
import {
  hasTimeLeft,
  remainingTimeMs,
  withinInvocation,
} from '../../../functions/platform/shared/time/invocationTime.ts';

const withTime = (ms: number) => ({ getRemainingTimeInMillis: () => ms });
const clock = () => 1_000;

it('an invocation has the time of its context, also after a pause', async () => {
  const left = await withinInvocation(
    withTime(500),
    async () => {
      await Promise.resolve();
      return [remainingTimeMs(1_200), hasTimeLeft(100, () => 1_200), hasTimeLeft(300, () => 1_200)];
    },
    clock,
  );

  expect(left).toEqual([300, true, false]);
});

it('has no time left after its end', () => {
  expect(withinInvocation(withTime(500), () => remainingTimeMs(2_000), clock)).toBe(0);
});

it('limits no other invocation, nothing after it, and no call without a context', () => {
  const inner = withinInvocation(
    withTime(500),
    () => withinInvocation(withTime(9_000), () => remainingTimeMs(1_000), clock),
    clock,
  );

  expect([inner, remainingTimeMs(1_000), withinInvocation(undefined, () => remainingTimeMs(1_000))]).toEqual([
    9_000,
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ]);
});
