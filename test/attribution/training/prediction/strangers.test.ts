import { describe, expect, it } from 'vitest';
import { featuresOf } from '../../../../functions/attribution/training/prediction/features.ts';
import {
  isNovelCaller,
  isNovelWithout,
  knownHashesByField,
  recordIdentities,
} from '../../../../functions/attribution/training/prediction/novelty.ts';
import {
  confidentShare,
  strangerOdds,
  withoutLabel,
} from '../../../../functions/attribution/training/prediction/strangers.ts';

const exactly = (value: number) => ({ value, variance: 0 });
const shares = (members: number, open: number, strangers: number) => ({
  members: exactly(members),
  open: exactly(open),
  strangers: exactly(strangers),
});

/** The share of a mixture with these odds. */
const shareOf = (odds: number): number => odds / (1 + odds);

describe('the share of open calls whose services never label', () => {
  it.each([
    ['0 when open calls are like labelled ones', shares(0.8, 0.8, 0.1), 0],
    ['the part of the mixture', shares(0.8, 0.45, 0.1), 0.5],
    ['nearly all when open calls are like strangers', shares(0.8, 0.1, 0.1), 0.99],
    [
      'nearly all when strangers look like labelled calls, and open calls do not',
      shares(0.3, 0.2, 0.4),
      0.99,
    ],
    ['0 when the model is more confident about open calls', shares(0.4, 0.5, 0.4), 0],
  ])('is %s', (_, given, expected) => {
    expect(shareOf(strangerOdds(given, true).measured)).toBeCloseTo(expected, 10);
  });

  it('is assumed to be at least a fifth while services may label differently', () => {
    const assumed = (given: ReturnType<typeof shares>) => strangerOdds(given, false);

    expect(shareOf(assumed(shares(0.8, 0.8, 0.1)).assumed)).toBeCloseTo(0.2, 10);
    expect(assumed(shares(0.8, 0.8, 0.1)).measured).toBe(0);
    expect(shareOf(assumed(shares(0.8, 0.45, 0.1)).assumed)).toBeCloseTo(0.5, 10);
  });

  it('is 0 for a difference that chance explains', () => {
    const few = (value: number) =>
      confidentShare(
        Array.from({ length: 50 }, (_, at) => ({ weight: 1, at })),
        ({ at }) => at < value * 50,
      );

    expect(strangerOdds({ members: few(0.8), open: few(0.74), strangers: exactly(0.1) }, true).measured).toBe(
      0,
    );
  });
});

it('predicts a held-out call from the shares of the other labels', () => {
  const posteriors = [
    { label: 1, share: 0.8 },
    { label: 2, share: 0.15 },
    { label: 0, share: 0.05 },
  ];

  expect(withoutLabel(posteriors, 1)?.label).toBe(2);
  expect(withoutLabel(posteriors, 1)?.share).toBeCloseTo(0.75, 10);
  expect(withoutLabel(posteriors, 7)).toEqual({ label: 1, share: 0.8 });
  expect(withoutLabel([{ label: 1, share: 1 }], 1)).toBeNull();
});

it('takes a caller as novel without a label if only calls of that label have its name', () => {
  const withKey = (api_key_name: string) =>
    featuresOf({
      occurredAt: 0,
      provider: 'p',
      requested_model: 'm',
      ingestion_layer: 'gateway',
      api_key_name,
    });
  const identities = new Map();
  for (const [key, label] of [
    ['own', 1],
    ['own', 1],
    ['shared', 1],
    ['shared', 2],
  ] as const)
    recordIdentities(identities, withKey(key), label);
  const known = knownHashesByField(identities);

  expect(isNovelCaller(known, withKey('own'))).toBe(false);
  expect(isNovelWithout(1, known, withKey('own'))).toBe(true);
  expect(isNovelWithout(2, known, withKey('own'))).toBe(false);
  expect(isNovelWithout(1, known, withKey('shared'))).toBe(false);
});
