import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessConflict } from '../../../../functions/attribution/engine/rules/conflict.ts';
import type { Assertion, EvidenceKind } from '../../../../functions/attribution/engine/rules/evidence.ts';

const anAssertion = (rule: Assertion['rule'], members: Partial<Assertion> = {}): Assertion => ({
  rule,
  basis: 'service_resolved',
  saw: {},
  confidence: 0.9,
  kinds: ['service'],
  ...members,
});

/** The assertion of a mapping that reads one kind of evidence. */
const aMappingAssertion = (kind: EvidenceKind, exact: boolean, members: Partial<Assertion> = {}): Assertion =>
  anAssertion('mapping', {
    kinds: [kind],
    mapping: { id: 'map_1', name: 'A mapping', exact, fields: ['identity'], saw: {} },
    ...members,
  });

describe('assessConflict, for two mappings with different owners', () => {
  const decided = aMappingAssertion('identity', true, { owner: 'team-a', confidence: 0.95 });

  it('lowers the confidence of the first by Bayes, given that not both are right', () => {
    const other = aMappingAssertion('workload', true, { owner: 'team-b', confidence: 0.9 });

    // 0.95 × 0.1 / (1 − 0.95 × 0.9)
    expect(assessConflict(decided, [decided, other], 'owner')).toEqual({
      confidence: 0.6552,
      against: [other],
    });
  });

  it('lowers the confidence with each contradiction, in any order', () => {
    const others = [
      aMappingAssertion('workload', true, { owner: 'team-b', confidence: 0.9 }),
      aMappingAssertion('credential', true, { owner: 'team-c', confidence: 0.85 }),
    ];

    const confidences = [others, others.toReversed()].map(
      (all) => assessConflict(decided, all, 'owner').confidence,
    );

    // Odds multiply: 19 × (1 − 0.9) × (1 − 0.85) = 0.285 to 1
    expect(confidences).toEqual([0.2218, 0.2218]);
  });

  it.each([
    ['the second is a pattern', aMappingAssertion('workload', false, { owner: 'team-b' })],
    ['both read the same kind', aMappingAssertion('identity', true, { owner: 'team-b' })],
    ['they agree', aMappingAssertion('workload', true, { owner: 'team-a' })],
    ['the second names a service alone', aMappingAssertion('workload', true, { service: 'ranking' })],
    ['the second has confidence 0', aMappingAssertion('workload', true, { owner: 'team-b', confidence: 0 })],
  ])('finds no contradiction when %s', (_, other) => {
    expect(assessConflict(decided, [decided, other], 'owner')).toEqual({ confidence: 0.95, against: [] });
  });

  it('finds no contradiction between untranslated evidence and a mapping that did not decide', () => {
    const stated = anAssertion('identity', { owner: 'team-a', kinds: ['identity'] });
    const other = aMappingAssertion('workload', true, { owner: 'team-b' });

    expect(assessConflict(stated, [stated, other], 'owner')).toEqual({ confidence: 0.9, against: [] });
  });

  it('finds a contradiction when the first is a pattern and the second is exact', () => {
    const pattern = aMappingAssertion('identity', false, { owner: 'team-a', confidence: 0.95 });
    const other = aMappingAssertion('workload', true, { owner: 'team-b', confidence: 0.9 });

    expect(assessConflict(pattern, [pattern, other], 'owner')).toMatchObject({ against: [other] });
  });
});

describe('assessConflict, for names without a mapping', () => {
  const stated = anAssertion('service', { service: 'checkout', confidence: 0.95 });
  const workload = (service: string): Assertion =>
    anAssertion('workload', { service, confidence: 0.85, kinds: ['workload'] });

  it('applies a weak contradiction', () => {
    // Weight 0.3 × 0.85: 0.95 × 0.745 / (1 − 0.95 × 0.255)
    expect(assessConflict(stated, [stated, workload('search/ranker')], 'service').confidence).toBe(0.934);
  });

  it.each([
    'checkout',
    'shop/checkout',
    'shop/checkout-7f9',
    'shop/Check_Out',
    'check',
    // Punctuation alone identifies nothing.
    '--',
  ])('finds no contradiction for a similar name: %s', (service) => {
    expect(assessConflict(stated, [stated, workload(service)], 'service')).toEqual({
      confidence: 0.95,
      against: [],
    });
  });

  it.each([
    ['a person', anAssertion('identity', { owner: 'ann', kinds: ['identity'] })],
    ['a key', anAssertion('credential', { owner: 'key', kinds: ['credential'] })],
    ['a span', anAssertion('trace', { owner: 'team-b', service: 'other', kinds: ['trace'] })],
  ])('finds no contradiction by the name of %s', (_, other) => {
    const decided = aMappingAssertion('workload', true, { owner: 'team-a', service: 'checkout' });

    const against = (['owner', 'service'] as const).flatMap(
      (member) => assessConflict(decided, [other], member).against,
    );

    expect(against).toEqual([]);
  });
});

const kinds = ['identity', 'service', 'workload', 'credential', 'source', 'trace'] as const;
const anyAssertion: fc.Arbitrary<Assertion> = fc
  .record({
    rule: fc.constantFrom('mapping', 'identity', 'service', 'workload', 'trace', 'credential'),
    confidence: fc.double({ min: 0, max: 0.95, noNaN: true }),
    owner: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
    service: fc.option(fc.constantFrom('checkout', 'search/ranker', 'other'), { nil: undefined }),
    kinds: fc.subarray([...kinds], { minLength: 1 }),
    exact: fc.boolean(),
  })
  .map(({ exact, owner, service, rule, ...members }) =>
    anAssertion(rule, {
      ...members,
      ...(owner !== undefined && { owner }),
      ...(service !== undefined && { service }),
      ...(rule === 'mapping' && {
        mapping: { id: 'map_1', name: 'A mapping', exact, fields: ['identity'], saw: {} },
      }),
    }),
  );

it('never raises the confidence, is monotonic in contradictions, and lists every contradiction', () => {
  const members = fc.constantFrom('owner' as const, 'service' as const);

  fc.assert(
    fc.property(
      anyAssertion,
      fc.array(anyAssertion, { maxLength: 5 }),
      members,
      (decided, others, member) => {
        const { confidence, against } = assessConflict(decided, others, member);

        const fewer = assessConflict(decided, others.slice(1), member);
        // Confidences are rounded to four digits.
        expect(confidence).toBeLessThanOrEqual(decided.confidence + 0.000_05);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(fewer.confidence).toBeGreaterThanOrEqual(confidence - 0.000_05);
        if (against.length === 0) expect(confidence).toBe(decided.confidence);
        for (const other of against) expect(other[member]).not.toBe(decided[member]);
      },
    ),
  );
});
