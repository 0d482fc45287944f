import { describe, expect, it } from 'vitest';
import { featuresOf } from '../../../../../functions/attribution/training/prediction/likelihood/features.ts';
import {
  isNovelCaller,
  isNovelWithout,
  knownHashesByField,
  recordIdentities,
} from '../../../../../functions/attribution/training/prediction/likelihood/novelty.ts';
import {
  type MixtureShares,
  mostStrangerOdds,
  sharesByConfidence,
  withoutLabel,
} from '../../../../../functions/attribution/training/prediction/openSet/strangers.ts';

/** Many calls, of which a share has a confidence of .9. */
const calls = (sureShare: number, count = 20_000) =>
  Array.from({ length: count }, (_, at) => ({ weight: 1, confidence: at < sureShare * count ? 0.9 : 0.3 }));
const oddsOf = (members: number, open: number, strangers: number, labelAlike = true) =>
  mostStrangerOdds(
    {
      byConfidence: sharesByConfidence({
        members: calls(members),
        open: calls(open),
        strangers: calls(strangers),
      }),
      byTypicality: [],
    },
    labelAlike,
  );
const oddsByTypicality = (shares: MixtureShares) =>
  mostStrangerOdds(
    {
      byConfidence: sharesByConfidence({ members: calls(0.4), open: calls(0.5), strangers: calls(0.1) }),
      byTypicality: [shares],
    },
    true,
  );

/** The share of a mixture with these odds. */
const shareOf = (odds: number): number => odds / (1 + odds);

describe('the share of open calls whose services never label', () => {
  it.each([
    ['0 when open calls are like labelled ones', oddsOf(0.8, 0.8, 0.1), 0],
    ['the part of the mixture', oddsOf(0.8, 0.45, 0.1), 0.5],
    ['nearly all when open calls are like strangers', oddsOf(0.8, 0.1, 0.1), 0.99],
    [
      'nearly all when strangers look like labelled calls, and open calls do not',
      oddsOf(0.3, 0.2, 0.4),
      0.99,
    ],
    ['0 when the model is more confident about open calls', oddsOf(0.4, 0.5, 0.4), 0],
  ])('is %s', (_, odds, expected) => {
    expect(shareOf(odds.measured)).toBeCloseTo(expected, 1);
  });

  it('is assumed to be at least a fifth while services may label differently', () => {
    expect(shareOf(oddsOf(0.8, 0.8, 0.1, false).assumed)).toBeCloseTo(0.2, 10);
    expect(oddsOf(0.8, 0.8, 0.1, false).measured).toBe(0);
    expect(shareOf(oddsOf(0.8, 0.45, 0.1, false).assumed)).toBeCloseTo(0.5, 1);
  });

  it('shows in typicality while a silent service that resembles a label makes open calls confident', () => {
    const shares = {
      members: { value: 0.75, variance: 0 },
      open: { value: 0.4, variance: 0 },
      strangers: { value: 0.05, variance: 0 },
    };
    expect(shareOf(oddsByTypicality(shares).measured)).toBeCloseTo(0.5, 10);
  });

  it('is 0 for a difference that chance explains', () => {
    const given = { members: calls(0.8, 50), open: calls(0.74, 50), strangers: calls(0.1) };

    expect(
      mostStrangerOdds({ byConfidence: sharesByConfidence(given), byTypicality: [] }, true).measured,
    ).toBe(0);
  });

  it('is found at a higher confidence if all predictions reach the chargeback floor', () => {
    const sure = (share: number) =>
      calls(share).map(({ confidence, ...call }) => ({
        ...call,
        confidence: confidence > 0.5 ? 0.99 : 0.85,
      }));
    const given = { members: sure(0.9), open: sure(0.5), strangers: sure(0.1) };

    expect(
      shareOf(mostStrangerOdds({ byConfidence: sharesByConfidence(given), byTypicality: [] }, true).measured),
    ).toBeCloseTo(0.5, 1);
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
