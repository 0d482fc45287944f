import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyOverride } from '../../../../functions/attribution/corrections/applyOverride.ts';
import { attribute } from '../../../../functions/attribution/engine/attribute.ts';
import { type Infer, noInference } from '../../../../functions/attribution/engine/inference.ts';
import { parseLabel, trainingLabelOf } from '../../../../functions/attribution/training/models/label.ts';
import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { AT, anOverride, attributionFor } from '../../corrections/recordFixtures.ts';
import { anEvent, aTenant, noFactors } from '../../engine/events.ts';
import { inferFixed } from '../../engine/inferenceStubs.ts';

const arrived = { occurredAt: AT, receivedAt: AT, residency: null };

const recordWith = (members: Record<string, unknown>, infer: Infer = noInference): AttributionRecord =>
  attribute(anEvent(members), arrived, aTenant(), noFactors, { infer }).record;

it.each([
  [
    'names owner and service',
    { attributed_identity: 'team-a', attributed_service: 'ranker' },
    'team-a',
    'ranker',
  ],
  ['names only a service', { attributed_service: 'ranker' }, null, 'ranker'],
  [
    'names an owner, and the model its service',
    { attributed_identity: 'team-inferred' },
    'team-inferred',
    null,
  ],
] as const)('returns what the rules confirmed when the evidence %s', (_, members, owner, service) => {
  expect(trainingLabelOf(recordWith(members, inferFixed()))).toBe(JSON.stringify([owner, service]));
});

it('returns what a person named', () => {
  const { record } = applyOverride(attributionFor(anEvent()), anOverride(), AT);

  expect(trainingLabelOf(record)).toBe('["team-b",null]');
});

it.each([
  ['the model decided', {}, inferFixed()],
  ['nothing is named', {}, noInference],
  ['a key name is the only evidence', { api_key_name: 'key' }, noInference],
  [
    'the producer is not sure enough',
    { attributed_identity: 'team-a', attribution_confidence: 0.79 },
    noInference,
  ],
] as const)('returns null when %s', (_, members, infer) => {
  expect(trainingLabelOf(recordWith(members, infer))).toBeNull();
});

it('decodes the owner and service of a training label, for any names', () => {
  const names = fc.string({ unit: 'grapheme', minLength: 1 });

  fc.assert(
    fc.property(names, names, (owner, service) => {
      const attribution = attributionFor(anEvent());
      const { record } = applyOverride(attribution, anOverride({ owner, service }), AT);

      expect(parseLabel(trainingLabelOf(record) ?? '')).toEqual({ owner, service });
    }),
  );
});

it.each(['', '[]', '["a"]', '["a",1]', '{"owner":"a"}'])('throws for the malformed label %o', (text) => {
  expect(() => parseLabel(text)).toThrow();
});
