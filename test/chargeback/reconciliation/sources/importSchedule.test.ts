import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  newBillSource,
  type StoredBillSource,
} from '../../../../functions/chargeback/reconciliation/sources/billSource.ts';
import {
  isDue,
  LEASE_MS,
  withInterruption,
} from '../../../../functions/chargeback/reconciliation/sources/importSchedule.ts';

const STARTED = Date.parse('2026-05-10T12:00:00Z');
const MINUTE_MS = 60_000;
const EXPIRED = STARTED + LEASE_MS;

/** A source whose run began and never ended, after a number of failures. */
const interrupted = (holder: string, failures = 0): StoredBillSource => {
  const source = newBillSource({ provider: 'aws', name: 'AWS' }, { id: 'bls_1', sealed: '', at: STARTED });
  return { ...source, imports: { ...source.imports, failures, lease: { holder, until: EXPIRED } } };
};
const pauseOf = (source: StoredBillSource): number => {
  const { due_at } = withInterruption(source, EXPIRED).imports;
  return (due_at - STARTED) / MINUTE_MS;
};

it('counts a run as interrupted when its lease has expired, and not before', () => {
  const source = interrupted('run');

  expect(withInterruption(source, EXPIRED - 1)).toBe(source);
  expect(isDue(source, EXPIRED - 1)).toBe(false);
  expect(withInterruption(source, EXPIRED).imports).toMatchObject({
    failures: 1,
    last_error: 'interrupted',
    lease: null,
  });
  expect(isDue(source, EXPIRED)).toBe(false);
  expect(isDue(source, STARTED + 20 * MINUTE_MS)).toBe(true);
});

it('waits 10 to 20 minutes after the first interruption, and at most six hours', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(12), (holder, failures) => {
      const shortest = Math.min(360, 10 * 2 ** failures);
      expect(pauseOf(interrupted(holder, failures))).toBeGreaterThanOrEqual(shortest);
      expect(pauseOf(interrupted(holder, failures))).toBeLessThanOrEqual(Math.min(360, 2 * shortest));
    }),
  );
});

it('imports a source soon after the clock was set back, whatever its lease and its pause say', () => {
  const ahead = interrupted('run');
  const pausing = { ...ahead, imports: { ...ahead.imports, lease: null, due_at: STARTED } };
  const earlier = STARTED - 3 * 24 * 60 * MINUTE_MS;

  expect(isDue(pausing, earlier)).toBe(true);
  expect(isDue(ahead, earlier + 20 * MINUTE_MS)).toBe(true);
});

it('gives sources that one crash has interrupted different pauses', () => {
  const pauses = Array.from({ length: 20 }, (_, index) => pauseOf(interrupted(`run ${index}`)));

  expect(new Set(pauses).size).toBe(20);
});
