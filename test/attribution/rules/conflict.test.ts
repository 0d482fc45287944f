import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessConflict } from '../../../functions/attribution/rules/conflict.ts';
import type { Assertion, EvidenceKind } from '../../../functions/attribution/rules/evidence.ts';

const anAssertion = (rule: Assertion['rule'], members: Partial<Assertion> = {}): Assertion => ({
  rule,
  basis: 'service_resolved',
  saw: {},
  confidence: 0.9,
  kinds: ['service'],
  ...members,
});

/** What a mapping says that reads one kind of evidence. */
const aMappingAssertion = (kind: EvidenceKind, exact: boolean, members: Partial<Assertion> = {}): Assertion =>
  anAssertion('mapping', {
    kinds: [kind],
    mapping: { id: 'map_1', name: 'A mapping', exact, fields: ['identity'], saw: {} },
    ...members,
  });

describe('two mappings that name different owners', () => {
  const decided = aMappingAssertion('identity', true, { owner: 'team-a', confidence: 0.95 });

  it('leave the first as sure as it is where one of two witnesses must be wrong', () => {
    const other = aMappingAssertion('workload', true, { owner: 'team-b', confidence: 0.9 });

    // 0.95 × 0.1 / (1 − 0.95 × 0.9)
    expect(assessConflict(decided, [decided, other], 'owner')).toEqual({
      confidence: 0.6552,
      against: [other],
    });
  });

  it('weigh more the more of them there are, in any order', () => {
    const others = [
      aMappingAssertion('workload', true, { owner: 'team-b', confidence: 0.9 }),
      aMappingAssertion('credential', true, { owner: 'team-c', confidence: 0.85 }),
    ];

    const sureness = [others, others.toReversed()].map(
      (all) => assessConflict(decided, all, 'owner').confidence,
    );

    // Odds multiply: 19 × (1 − 0.9) × (1 − 0.85) = 0.285 to 1
    expect(sureness).toEqual([0.2218, 0.2218]);
  });

  it.each([
    ['the second is a pattern', aMappingAssertion('workload', false, { owner: 'team-b' })],
    ['both read the same kind', aMappingAssertion('identity', true, { owner: 'team-b' })],
    ['they agree', aMappingAssertion('workload', true, { owner: 'team-a' })],
    ['the second names a service alone', aMappingAssertion('workload', true, { service: 'ranking' })],
    ['the second is worth nothing', aMappingAssertion('workload', true, { owner: 'team-b', confidence: 0 })],
  ])('do not contradict where %s', (_, other) => {
    expect(assessConflict(decided, [decided, other], 'owner')).toEqual({ confidence: 0.95, against: [] });
  });

  it('speak against each other only: one that did not decide says nothing against the evidence itself', () => {
    const stated = anAssertion('identity', { owner: 'team-a', kinds: ['identity'] });
    const other = aMappingAssertion('workload', true, { owner: 'team-b' });

    expect(assessConflict(stated, [stated, other], 'owner')).toEqual({ confidence: 0.9, against: [] });
  });

  it('contradict where the first is a pattern that order put before a name', () => {
    const pattern = aMappingAssertion('identity', false, { owner: 'team-a', confidence: 0.95 });
    const other = aMappingAssertion('workload', true, { owner: 'team-b', confidence: 0.9 });

    expect(assessConflict(pattern, [pattern, other], 'owner')).toMatchObject({ against: [other] });
  });
});

describe('names that nobody translated', () => {
  const stated = anAssertion('service', { service: 'checkout', confidence: 0.95 });
  const workload = (service: string): Assertion =>
    anAssertion('workload', { service, confidence: 0.85, kinds: ['workload'] });

  it('contradict weakly', () => {
    // Doubt of 0.3 × 0.85: 0.95 × 0.745 / (1 − 0.95 × 0.255)
    expect(assessConflict(stated, [stated, workload('search/ranker')], 'service').confidence).toBe(0.934);
  });

  it.each([
    'checkout',
    'shop/checkout',
    'shop/checkout-7f9',
    'shop/Check_Out',
    'check',
    // Nothing but punctuation tells nothing.
    '--',
  ])('do not contradict where they may be one service: %s', (service) => {
    expect(assessConflict(stated, [stated, workload(service)], 'service')).toEqual({
      confidence: 0.95,
      against: [],
    });
  });

  it.each([
    ['a person', anAssertion('identity', { owner: 'ann', kinds: ['identity'] })],
    ['a key', anAssertion('credential', { owner: 'key', kinds: ['credential'] })],
    ['a span', anAssertion('trace', { owner: 'team-b', service: 'other', kinds: ['trace'] })],
  ])('of %s contradict nobody', (_, other) => {
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

it('never makes anything surer, nor less sure the less speaks against it, nor doubts without telling why', () => {
  const members = fc.constantFrom('owner' as const, 'service' as const);

  fc.assert(
    fc.property(
      anyAssertion,
      fc.array(anyAssertion, { maxLength: 5 }),
      members,
      (decided, others, member) => {
        const { confidence, against } = assessConflict(decided, others, member);

        const fewer = assessConflict(decided, others.slice(1), member);
        // Confidences are told to four digits.
        expect(confidence).toBeLessThanOrEqual(decided.confidence + 0.000_05);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(fewer.confidence).toBeGreaterThanOrEqual(confidence - 0.000_05);
        if (against.length === 0) expect(confidence).toBe(decided.confidence);
        for (const other of against) expect(other[member]).not.toBe(decided[member]);
      },
    ),
  );
});
