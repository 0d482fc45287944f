import { describe, expect, it } from 'vitest';
import {
  buildInterpretation,
  confidenceBandOf,
  exportEligibilityOf,
  type StageResult,
} from '../../../functions/attribution/engine/interpretation.ts';
import { withFreshness } from '../../../functions/attribution/engine/queries/recordFreshness.ts';
import { Interpretation } from '../../../schemas/attribution/attributionRecord.ts';

const DAY = 24 * 60 * 60 * 1_000;
const stageResult: StageResult = {
  stage_origin: 'stage_b',
  confidence: 0.95,
  evidence_basis: 'model_inferred',
  model_version: 'mdl_1',
  degradation_state: 'model_recalled',
};
const answer = {
  state: 'unassigned',
  confidence: 0,
  probability: null,
  evidence_basis: 'none',
  chargeback: 'unassigned',
  candidates: [],
} satisfies Interpretation['answers']['owner'];
const answers = { owner: answer, service: answer };
const facts = { cost: '0.01', unknown: undefined, occurredAt: 0, receivedAt: 0 };

it.each([
  [0.95, 'chargeback_ready'],
  [0.8, 'chargeback_ready'],
  [0.799_999, 'provisional'],
  [0.5, 'provisional'],
  [0.499_999, 'estimated'],
  [0, 'estimated'],
])('puts a confidence of %d in the band %s', (confidence, band) => {
  expect(confidenceBandOf(confidence)).toBe(band);
});

it.each([
  [0.8, '1', 'eligible'],
  [0.8, '0', 'eligible'],
  [0.8, null, 'unpriced'],
  [0.79, '1', 'below_floor'],
  // Below the floor, the missing price is not reported.
  [0.79, null, 'below_floor'],
])('returns for confidence %d and cost %s: %s', (confidence, cost, eligibility) => {
  expect(exportEligibilityOf(confidence, cost)).toBe(eligibility);
});

describe('freshness', () => {
  it.each([
    [0, 'fresh'],
    [DAY, 'fresh'],
    [DAY + 1, 'source_stale'],
    // A producer's clock ahead of ours is not a late source.
    [-10 * 60 * 1_000, 'fresh'],
  ])('of a call reported %d ms later is %s', (delay, freshness) => {
    const card = buildInterpretation(stageResult, { ...facts, receivedAt: delay });

    expect(card.freshness).toBe(freshness);
  });
});

it.each([
  ['fresh', true, 'index_stale'],
  ['fresh', false, 'fresh'],
  ['source_stale', true, 'source_stale'],
] as const)(
  'shows a record that is %s as such while its tenant lags (%s): %s',
  (freshness, isStale, shown) => {
    const card = { ...buildInterpretation(stageResult, facts), freshness };
    const record = { id: 'att_1', interpretation: { ...card, answers } };

    expect(withFreshness(record, isStale)).toEqual({
      ...record,
      interpretation: { ...record.interpretation, freshness: shown },
    });
  },
);

describe('buildInterpretation', () => {
  it('matches the schema and contains the stage result', () => {
    const card = buildInterpretation(stageResult, facts);

    expect(Interpretation.omit({ answers: true }).parse(card)).toEqual(card);
    expect(card).toMatchObject(stageResult);
  });

  it('limits the confidence to the ceiling', () => {
    const card = buildInterpretation({ ...stageResult, confidence: 1 }, facts);

    expect(card.confidence).toBe(0.95);
  });

  it('has a reason for each unknown quantity, and no empty list of reasons', () => {
    const unknown = { cost: 'price_not_found' };

    const cards = [
      buildInterpretation(stageResult, { ...facts, cost: null, unknown }),
      buildInterpretation(stageResult, facts),
    ];

    expect(cards[0]).toMatchObject({ unknown, export_eligibility: 'unpriced' });
    expect(cards[1]).not.toHaveProperty('unknown');
  });
});
