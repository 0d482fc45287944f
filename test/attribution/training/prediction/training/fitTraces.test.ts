import { expect, it } from 'vitest';
import { fitTraces } from '../../../../../functions/attribution/training/prediction/training/fitTraces.ts';
import {
  emptyTrainingState,
  type LearnedTrace,
} from '../../../../../functions/attribution/training/prediction/training/trainingState.ts';

interface Calls {
  readonly count: number;
  readonly isNamed: boolean;
  /** One call in this many has it. */
  readonly told: number;
  readonly wrong?: number;
  readonly score?: number;
}

const tracedCalls = ({ count, isNamed, told, wrong = Number.POSITIVE_INFINITY, score = 0.8 }: Calls) =>
  Array.from({ length: count }, (_, at): LearnedTrace => {
    const isTold = (at + 1) % told === 0;
    const isRight = isNamed && isTold && (at + 1) % wrong !== 0;
    return {
      at: 0,
      isNamed,
      score: isTold ? score : null,
      isRight,
      stranger: isNamed && (at + 1) % wrong === 0 ? score : null,
    };
  });

const fitted = (...calls: readonly Calls[]) =>
  fitTraces({ ...emptyTrainingState(0), tracedCalls: calls.flatMap(tracedCalls) });

/** Traces name every second call that names itself, and one in twenty of those wrongly. */
const NAMED = { count: 2_000, isNamed: true, told: 2, wrong: 40 };

it('knows nothing before twenty outcomes', () => {
  expect(fitted({ ...NAMED, count: 39 })).toBeNull();
  expect(fitted({ ...NAMED, count: 40 })).not.toBeNull();
});

it('measures traces where no call is open', () => {
  expect(fitted(NAMED)?.calibration.shares[0]).toBeCloseTo(0.95, 2);
});

it('counts the names of calls that name their owner as they are, where traces name as many open calls', () => {
  const rule = fitted(NAMED, { count: 2_000, isNamed: false, told: 2 });

  expect(rule?.threshold).toBe(0);
  expect(rule?.calibration.shares[0]).toBeCloseTo(0.95, 2);
});

it('adds the wrong names of services that never label, where traces name fewer open calls', () => {
  // Half of the open calls are of such services: of these a trace names one in forty, and so .525 of .5 as many in all.
  const members = { count: 2_000, isNamed: false, told: 2 };
  const strangers = { count: 2_000, isNamed: false, told: 40 };

  const rule = fitted(NAMED, members, strangers);

  expect(rule?.threshold).toBe(1);
  // 1,050 names, of which 50 of members and 50 of strangers are wrong.
  expect(rule?.calibration.shares[0]).toBeCloseTo(950 / 1_050, 2);
});

it('charges where no trace of several services was seen, however many services never label', () => {
  const rule = fitted(
    { ...NAMED, wrong: Number.POSITIVE_INFINITY },
    { count: 2_000, isNamed: false, told: 40 },
  );

  expect(rule?.threshold).toBe(0);
});

it('charges the owner of the span that called, where only other traces name services that never label', () => {
  const ancestors = { count: 2_000, isNamed: true, told: 2, score: 0.9 };

  const rule = fitted(NAMED, ancestors, { count: 4_000, isNamed: false, told: 5 });

  expect(rule?.threshold).toBe(0.9);
});
