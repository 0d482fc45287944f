import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseLabel, trainingLabelOf } from '../../../../functions/attribution/training/models/label.ts';
import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { attributionFor } from '../../corrections/recordFixtures.ts';
import { anEvent } from '../../engine/events.ts';

const record = (members: Partial<AttributionRecord>): AttributionRecord => ({
  ...attributionFor(anEvent()).record,
  owner: 'team-search',
  service: 'ranker',
  output_state: 'deterministically_resolved',
  coper: 0.8,
  ...members,
});

it.each(['deterministically_resolved', 'manually_overridden'] as const)(
  'returns a label for a record that is %s with enough confidence for chargeback',
  (output_state) => {
    expect(trainingLabelOf(record({ output_state }))).toBe('["team-search","ranker"]');
    expect(trainingLabelOf(record({ output_state, coper: 0.79 }))).toBeNull();
  },
);

it.each(['strongly_inferred', 'weakly_inferred', 'allocated', 'unresolved'] as const)(
  'returns null for a record that is %s, at any confidence',
  (output_state) => {
    expect(trainingLabelOf(record({ output_state, coper: 0.95 }))).toBeNull();
  },
);

it('decodes the owner and service of a training label, for any names', () => {
  const names = fc.option(fc.string({ unit: 'grapheme' }));

  fc.assert(
    fc.property(names, names, (owner, service) => {
      expect(parseLabel(trainingLabelOf(record({ owner, service })) ?? '')).toEqual({ owner, service });
    }),
  );
});

it.each(['', '[]', '["a"]', '["a",1]', '{"owner":"a"}'])('throws for the malformed label %o', (text) => {
  expect(() => parseLabel(text)).toThrow();
});
