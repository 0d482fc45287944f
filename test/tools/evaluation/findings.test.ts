import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../tools/evaluation/backtest.ts';
import { findingsOf } from '../../../tools/evaluation/findings.ts';
import { PROTOCOLS, type Protocol } from '../../../tools/evaluation/protocols.ts';

const protocolOf = (name: string): Protocol => {
  const protocol = PROTOCOLS.find((one) => one.name === name);
  if (protocol === undefined) throw new Error(name);
  return protocol;
};

const outcome = (owner: string | null, members: Partial<Outcome> = {}): Outcome => ({
  truth: 'a',
  cost: 1,
  isSilent: false,
  owner,
  probability: owner === null ? 0 : 0.9,
  isCharged: owner !== null,
  isRetried: false,
  ...members,
});

const findings = (name: string, outcomes: readonly Outcome[]) =>
  findingsOf(protocolOf(name), { outcomes, trainings: [] });

it('counts calls and money apart', () => {
  const found = findings('half', [
    outcome('a', { cost: 6 }),
    outcome('b', { cost: 2 }),
    outcome(null),
    outcome(null),
  ]);

  expect(found).toMatchObject({
    open_calls: 4,
    coverage: { calls: 0.5, money: 0.8 },
    precision: { calls: 0.5, money: 0.75 },
    wrong_shown: { calls: 0.25, money: 0.2 },
  });
  expect(found.calibration_error).toBeCloseTo(0.4, 10);
  expect(found.over_confidence).toBeCloseTo(0.4, 10);
});

it('counts what a record showed at once apart from what it showed after a day', () => {
  const { coverage, covered_at_once } = findings('half', [
    outcome('a'),
    outcome('a', { isRetried: true }),
    outcome(null),
    outcome(null, { isRetried: true }),
  ]);

  expect([coverage.calls, covered_at_once.calls]).toEqual([0.5, 0.25]);
});

it('judges wrong owners of the services that never label', () => {
  const silent = (owner: string | null) => outcome(owner, { truth: 'silent', isSilent: true });

  const { wrong_shown, goals } = findings('whole-half', [
    outcome('b'),
    ...Array.from({ length: 19 }, () => silent(null)),
    silent('a'),
  ]);

  expect(wrong_shown.calls).toBe(0.05);
  expect(goals.map(({ goal, met }) => [goal, met])).toEqual([
    ['calls shown under a wrong owner', true],
    ['money charged to a wrong owner', false],
    ['calibration error as shown', false],
  ]);
});

describe('a goal without a figure', () => {
  it('is missed', () => {
    const { precision, goals } = findings('key-4', [outcome(null)]);

    expect(precision.money).toBeNull();
    expect(goals.map(({ met }) => met)).toEqual([false, false]);
  });
});
