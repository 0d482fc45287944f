import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseLabel, trainingLabelOf } from '../../functions/models/label.ts';
import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { anEvent } from '../attribution/events.ts';
import { attributionFor } from '../corrections/recordFixtures.ts';

const record = (members: Partial<AttributionRecord>): AttributionRecord => ({
  ...attributionFor(anEvent()).record,
  owner: 'team-search',
  service: 'ranker',
  output_state: 'deterministically_resolved',
  coper: 0.8,
  ...members,
});

it.each(['deterministically_resolved', 'manually_overridden'] as const)(
  'teaches what is %s surely enough to be charged',
  (output_state) => {
    expect(trainingLabelOf(record({ output_state }))).toBe('["team-search","ranker"]');
    expect(trainingLabelOf(record({ output_state, coper: 0.79 }))).toBeNull();
  },
);

it.each(['strongly_inferred', 'weakly_inferred', 'allocated', 'unresolved'] as const)(
  'teaches nothing that is %s, however sure',
  (output_state) => {
    expect(trainingLabelOf(record({ output_state, coper: 0.95 }))).toBeNull();
  },
);

it('names whoever was taught, whatever they are called', () => {
  const names = fc.option(fc.string({ unit: 'grapheme' }));

  fc.assert(
    fc.property(names, names, (owner, service) => {
      expect(parseLabel(trainingLabelOf(record({ owner, service })) ?? '')).toEqual({ owner, service });
    }),
  );
});

it.each(['', '[]', '["a"]', '["a",1]', '{"owner":"a"}'])('reads no label from %o', (text) => {
  expect(() => parseLabel(text)).toThrow();
});
