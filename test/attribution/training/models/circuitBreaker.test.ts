import fc from 'fast-check';
import { expect, it } from 'vitest';
import { circuitBreaker } from '../../../../functions/attribution/training/models/circuitBreaker.ts';

const SECOND = 1_000;
const WINDOW = 30 * SECOND;
const PAUSE = 30 * SECOND;

const breachedAt = (...instants: readonly number[]) => {
  const guard = circuitBreaker();
  for (const at of instants) guard.recordTimeout(at);
  return guard;
};

it('allows calls while no failure is recorded', () => {
  const guard = circuitBreaker();

  guard.recordSuccess();

  expect([guard.isOpen(), guard.canCall(0)]).toEqual([false, true]);
});

it.each([
  ['two at once', [0, 0], false],
  ['three at once', [0, 0, 0], true],
  ['three just within the window', [0, 1, WINDOW - 1], true],
  ['three, the first just past the window', [0, 1, WINDOW], false],
  ['many, each alone', [0, WINDOW, 2 * WINDOW, 3 * WINDOW], false],
  ['two distant pairs', [0, 1, 2 * WINDOW, 2 * WINDOW + 1], false],
])('opens only after three timeouts within the window: %s', (_, instants, isOpen) => {
  expect(breachedAt(...instants).isOpen()).toBe(isOpen);
});

it('blocks calls until the reset timeout, then allows a probe', () => {
  const guard = breachedAt(0, 0, 0);

  expect([0, PAUSE - 1, PAUSE].map(guard.canCall)).toEqual([false, false, true]);
  expect(guard.isOpen()).toBe(true);
});

it.each(['breached', 'failed'] as const)(
  'blocks calls for another reset timeout when the probe %s',
  (end) => {
    const guard = breachedAt(0, 0, 0);

    (end === 'breached' ? guard.recordTimeout : guard.recordFailure)(PAUSE);

    expect([guard.isOpen(), guard.canCall(2 * PAUSE - 1), guard.canCall(2 * PAUSE)]).toEqual([
      true,
      false,
      true,
    ]);
  },
);

it('closes after a successful probe and forgets earlier timeouts', () => {
  const guard = breachedAt(0, 0, 0);
  guard.recordSuccess();
  const isClosed = !guard.isOpen();

  guard.recordTimeout(1);
  guard.recordTimeout(2);

  expect([isClosed, guard.isOpen()]).toEqual([true, false]);
});

it('opens at once when the model cannot be loaded', () => {
  const guard = circuitBreaker();

  guard.recordFailure(0);

  expect([guard.isOpen(), guard.canCall(0)]).toEqual([true, false]);
});

it('is open from a failure, or the third timeout within the window, until the next success', () => {
  const ends = fc.constantFrom('succeeded', 'breached', 'failed');
  const steps = fc.array(fc.tuple(ends, fc.constantFrom(0, SECOND, 14 * SECOND, WINDOW)), { maxLength: 30 });

  fc.assert(
    fc.property(steps, (history) => {
      const guard = circuitBreaker();
      let now = 0;
      let isOpen = false;
      let breaches: number[] = [];
      for (const [end, wait] of history) {
        now += wait;
        if (end === 'succeeded') {
          guard.recordSuccess();
          isOpen = false;
        } else {
          (end === 'breached' ? guard.recordTimeout : guard.recordFailure)(now);
          breaches = end === 'breached' ? [...breaches, now] : [];
          const near = breaches.filter((at) => now - at < WINDOW);
          isOpen ||= end === 'failed' || near.length >= 3;
          if (isOpen) breaches = [];
        }
        expect(guard.isOpen()).toBe(isOpen);
        expect(guard.canCall(now)).toBe(!isOpen || end === 'succeeded');
      }
    }),
  );
});
