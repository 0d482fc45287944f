import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { type Infer, noInference } from '../../../functions/attribution/engine/inference.ts';
import { operationalConfidence } from '../../../functions/ledger/records/answers.ts';
import type { PredictionTrace } from '../../../schemas/attribution/explanation.ts';
import { CHARGEBACK_FLOOR, CONFIDENCE_CEILING } from '../../../schemas/values.ts';
import { anEvent, anyEvent, aTenant, noFactors } from './events.ts';
import { aPrediction, inferFixed } from './inferenceStubs.ts';

const occurredAt = Date.parse('2026-07-15T12:00:00Z');
const arrived = { occurredAt, receivedAt: occurredAt, residency: null };

const attributeWith = (members: Record<string, unknown>, infer: Infer) =>
  attribute(anEvent(members), arrived, aTenant(), noFactors, { infer });
const key = { api_key_name: 'key of search' };

describe('stage B', () => {
  it.each([
    ['without evidence', {}],
    ['with only the name of a provider key', key],
    ['with evidence that names no owner or service', { k8s_namespace: 'search', trace_id: 'a trace' }],
  ])('is called for an event %s', (_, members) => {
    const infer = vi.fn(inferFixed());

    const { explanation } = attributeWith(members, infer);

    expect(infer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(members), arrived, false);
    expect(explanation.prediction).toEqual(aPrediction());
  });

  it('is not called when the rules name owner and service', () => {
    const infer = vi.fn<Infer>(() => ({ degradation: 'model_recalled', prediction: aPrediction() }));

    const { record, explanation } = attributeWith(
      { attributed_identity: 'team-a', attributed_service: 'checkout', attribution_confidence: 0 },
      infer,
    );

    expect(infer).not.toHaveBeenCalled();
    expect(record).toMatchObject({
      output_state: 'deterministically_resolved',
      interpretation: { stage_origin: 'stage_a', degradation_state: 'none' },
    });
    expect(explanation).not.toHaveProperty('prediction');
  });

  it.each([
    ['names what the rules left open', {}, {}, 'team-inferred', 'service-inferred'],
    ['at the floor', {}, { confidence: 0.8 }, 'team-inferred', 'service-inferred'],
    ['below the floor', {}, { confidence: 0.799_9 }, null, null],
    ['that is a guess', {}, { confidence: 0.12 }, null, null],
    ['that is advisory', {}, { advisory: true }, null, null],
    ['of the heuristic', {}, { advisory: true, basis: 'heuristic_baseline' }, null, null],
    [
      'fills the owner of a service',
      { attributed_service: 'service-inferred' },
      {},
      'team-inferred',
      'service-inferred',
    ],
    ['about another service', { attributed_service: 'checkout' }, {}, null, 'checkout'],
    [
      'fills the service of an owner',
      { attributed_identity: 'team-inferred' },
      {},
      'team-inferred',
      'service-inferred',
    ],
    ['about another owner', { attributed_identity: 'team-a' }, {}, 'team-a', null],
    ['beside the name of a key', key, {}, 'team-inferred', 'service-inferred'],
    ['that is advisory, beside the name of a key', key, { advisory: true }, null, null],
  ] as const)('with a prediction %s, never replaces a name', (_, members, prediction, owner, service) => {
    const sent = { estimated_cost_usd: '1', ...members };
    const [alone, asked] = [noInference, inferFixed({ confidence: 0.9, ...prediction })].map((infer) =>
      attributeWith(sent, infer),
    );

    expect(asked?.record).toMatchObject({ owner, service });
    // The members of the record as a whole describe the evidence of its strongest answer.
    if (alone?.record.output_state !== 'unresolved') {
      expect(asked?.record).toMatchObject({
        output_state: 'deterministically_resolved',
        coper: alone?.record.coper,
        interpretation: {
          stage_origin: 'stage_a',
          export_eligibility: alone?.record.interpretation.export_eligibility,
        },
      });
    }
    const { answers } = asked?.record.interpretation ?? {};
    const suggested = answers?.owner.candidates.map(({ name }) => name) ?? [];
    expect([owner, ...suggested]).toContain('team-inferred');
  });

  it.each([
    [0.800_1, 'strongly_inferred', 'eligible', 'stage_b'],
    [0.8, 'strongly_inferred', 'eligible', 'stage_b'],
    [0.799_9, 'unresolved', 'below_floor', 'stage_a'],
    [0.01, 'unresolved', 'below_floor', 'stage_a'],
  ])(
    'with confidence %d gives the state %s and the export eligibility %s',
    (confidence, state, eligibility, stage) => {
      const { record } = attributeWith({ estimated_cost_usd: '1' }, inferFixed({ confidence }));

      expect(record).toMatchObject({
        output_state: state,
        coper: state === 'unresolved' ? 0 : confidence,
        interpretation: { stage_origin: stage, export_eligibility: eligibility },
      });
    },
  );

  it('leaves the record unresolved when it has no prediction or confidence 0', () => {
    const noPrediction = attributeWith({}, () => ({ degradation: 'none', prediction: null }));
    const zeroConfidence = attributeWith({}, inferFixed({ confidence: 0 }));

    expect([noPrediction, zeroConfidence].map(({ record }) => record.output_state)).toEqual([
      'unresolved',
      'unresolved',
    ]);
    expect(zeroConfidence.record).toMatchObject({ owner: null, service: null, coper: 0 });
  });

  it('is limited to the confidence ceiling', () => {
    const { record, explanation } = attributeWith({}, inferFixed({ confidence: 1 }));

    expect(record.coper).toBe(CONFIDENCE_CEILING);
    expect(explanation.prediction?.confidence).toBe(1);
  });

  it('states the measured probability of a predicted name without the ceiling, and none of other names', () => {
    const probabilities = [
      attributeWith({}, inferFixed({ confidence: 0.987 })),
      attributeWith({ attributed_service: 'search' }, inferFixed({ confidence: 0.987, service: 'search' })),
      attributeWith({}, inferFixed({ confidence: 0.987, advisory: true })),
    ].map(({ record: { interpretation } }) => {
      const { owner, service } = interpretation.answers;
      return [owner.confidence, owner.probability, service.probability];
    });

    expect(probabilities).toEqual([
      [CONFIDENCE_CEILING, 0.987, 0.987],
      [CONFIDENCE_CEILING, 0.987, null],
      [0, null, null],
    ]);
  });

  it.each([
    ['the trace', { relation: 'trace' }, {}, 0.97],
    ['the caller', { relation: 'ancestor' }, {}, 0.97],
    ['another record of the call', { relation: 'same_call' }, {}, null],
    ['the call itself', { relation: 'ancestor' }, { attributed_identity: 'bob' }, null],
  ] as const)(
    'states how often traces are right only of an owner from a trace: %s',
    (_, source, members, expected) => {
      const infer: Infer = Object.assign(inferFixed(), {
        traced: () => ({ probability: 0.97, advisory: false }),
      });
      const evidence = { attributed_identity: 'ann', attributed_service: 'search' };
      const trace = { source: { ...source, span_id: null, evidence }, repeatsUsage: false };

      const { record } = attribute(anEvent(members), arrived, aTenant(), noFactors, { infer, trace });

      const { owner, service } = record.interpretation.answers;
      expect([owner.probability, service.probability]).toEqual([expected, null]);
    },
  );

  it.each([
    ['often wrong', 0.6, false, 0.6, 'below_floor'],
    ['right more often than its rule estimates', 0.97, false, 0.8, 'ready'],
    ['also about services that never label', 0.97, true, 0.79, 'below_floor'],
  ] as const)(
    'charges the owner of a trace as measured where traces are %s',
    (_, measured, advisory, confidence, chargeback) => {
      const infer: Infer = Object.assign(inferFixed(), {
        traced: () => ({ probability: measured, advisory }),
      });
      const evidence = { attributed_identity: 'ann' };
      const trace = { source: { relation: 'trace' as const, span_id: null, evidence }, repeatsUsage: false };

      const { record } = attribute(anEvent({ estimated_cost_usd: '0.01' }), arrived, aTenant(), noFactors, {
        infer,
        trace,
      });

      expect(record.interpretation.answers.owner).toMatchObject({ confidence, chargeback });
      expect([record.owner, record.coper]).toEqual(['ann', confidence]);
      const priced = { estimated_cost_usd: '0.01', attributed_service: 'search' };
      const beside = attribute(anEvent(priced), arrived, aTenant(), noFactors, { infer, trace });
      expect(beside.record.interpretation.answers.owner).toMatchObject({ confidence, chargeback });
    },
  );

  it('reports its degradation state whenever it is called, whether or not its result is used', () => {
    const degraded =
      (prediction: PredictionTrace | null): Infer =>
      () => ({ degradation: 'degraded_serving', prediction });

    const cards = [
      attributeWith({}, degraded(null)),
      attributeWith(key, degraded(aPrediction({ confidence: 0.1 }))),
      attributeWith({}, degraded(aPrediction())),
    ].map(({ record }) => record.interpretation);

    expect(cards.map(({ degradation_state }) => degradation_state)).toEqual(
      Array.from({ length: 3 }, () => 'degraded_serving'),
    );
    expect(cards.map(({ stage_origin }) => stage_origin)).toEqual(['stage_a', 'stage_a', 'stage_b']);
  });
});

it('keeps advisory predictions below the chargeback floor', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (confidence, isKey) => {
      const infer = inferFixed({ confidence, advisory: true, basis: 'heuristic_baseline' });

      const { record } = attributeWith({ estimated_cost_usd: '1', ...(isKey && key) }, infer);

      expect(record.coper).toBeLessThan(CHARGEBACK_FLOOR);
      expect(record.output_state).not.toBe('strongly_inferred');
      expect(record.interpretation.export_eligibility).toBe('below_floor');
    }),
  );
});

it('never lowers the confidence by calling stage B, and never exceeds the prediction or the ceiling', () => {
  const predictions = fc.record({
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    advisory: fc.boolean(),
  });

  fc.assert(
    fc.property(anyEvent, predictions, (event, members) => {
      const [alone, asked] = [{}, { infer: inferFixed(members) }].map(
        (context) => attribute(event, arrived, aTenant(), noFactors, context).record,
      );

      const said = operationalConfidence(aPrediction(members));
      expect([alone?.coper, Math.max(alone?.coper ?? 0, said)]).toContain(asked?.coper);
      expect(asked?.coper).toBeGreaterThanOrEqual(alone?.coper ?? 1);
      expect(asked?.coper).toBeLessThanOrEqual(CONFIDENCE_CEILING);
    }),
  );
});
