import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contest } from '../../../functions/attribution/rules/conflict.ts';
import type { Claim, EvidenceKind } from '../../../functions/attribution/rules/evidence.ts';

const aClaim = (rule: Claim['rule'], members: Partial<Claim> = {}): Claim => ({
  rule,
  basis: 'service_resolved',
  saw: {},
  confidence: 0.9,
  kinds: ['service'],
  ...members,
});

/** What a mapping says that reads one kind of evidence. */
const mapped = (kind: EvidenceKind, exact: boolean, members: Partial<Claim> = {}): Claim =>
  aClaim('mapping', {
    kinds: [kind],
    mapping: { id: 'map_1', name: 'A mapping', exact, fields: ['identity'], saw: {} },
    ...members,
  });

describe('two mappings that name different owners', () => {
  const decided = mapped('identity', true, { owner: 'team-a', confidence: 0.95 });

  it('leave the first as sure as it is where one of two witnesses must be wrong', () => {
    const other = mapped('workload', true, { owner: 'team-b', confidence: 0.9 });

    // 0.95 × 0.1 / (1 − 0.95 × 0.9)
    expect(contest(decided, [decided, other], 'owner')).toEqual({ confidence: 0.6552, against: [other] });
  });

  it('weigh more the more of them there are, in any order', () => {
    const others = [
      mapped('workload', true, { owner: 'team-b', confidence: 0.9 }),
      mapped('credential', true, { owner: 'team-c', confidence: 0.85 }),
    ];

    const sureness = [others, others.toReversed()].map((all) => contest(decided, all, 'owner').confidence);

    // Odds multiply: 19 × (1 − 0.9) × (1 − 0.85) = 0.285 to 1
    expect(sureness).toEqual([0.2218, 0.2218]);
  });

  it.each([
    ['the second is a pattern', mapped('workload', false, { owner: 'team-b' })],
    ['both read the same kind', mapped('identity', true, { owner: 'team-b' })],
    ['they agree', mapped('workload', true, { owner: 'team-a' })],
    ['the second names a service alone', mapped('workload', true, { service: 'ranking' })],
    ['the second is worth nothing', mapped('workload', true, { owner: 'team-b', confidence: 0 })],
  ])('do not contradict where %s', (_, other) => {
    expect(contest(decided, [decided, other], 'owner')).toEqual({ confidence: 0.95, against: [] });
  });

  it('speak against each other only: one that did not decide says nothing against the evidence itself', () => {
    const stated = aClaim('identity', { owner: 'team-a', kinds: ['identity'] });
    const other = mapped('workload', true, { owner: 'team-b' });

    expect(contest(stated, [stated, other], 'owner')).toEqual({ confidence: 0.9, against: [] });
  });

  it('contradict where the first is a pattern that order put before a name', () => {
    const pattern = mapped('identity', false, { owner: 'team-a', confidence: 0.95 });
    const other = mapped('workload', true, { owner: 'team-b', confidence: 0.9 });

    expect(contest(pattern, [pattern, other], 'owner')).toMatchObject({ against: [other] });
  });
});

describe('names that nobody translated', () => {
  const stated = aClaim('service', { service: 'checkout', confidence: 0.95 });
  const workload = (service: string): Claim =>
    aClaim('workload', { service, confidence: 0.85, kinds: ['workload'] });

  it('contradict weakly', () => {
    // Doubt of 0.3 × 0.85: 0.95 × 0.745 / (1 − 0.95 × 0.255)
    expect(contest(stated, [stated, workload('search/ranker')], 'service').confidence).toBe(0.934);
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
    expect(contest(stated, [stated, workload(service)], 'service')).toEqual({
      confidence: 0.95,
      against: [],
    });
  });

  it.each([
    ['a person', aClaim('identity', { owner: 'ann', kinds: ['identity'] })],
    ['a key', aClaim('credential', { owner: 'key', kinds: ['credential'] })],
    ['a span', aClaim('trace', { owner: 'team-b', service: 'other', kinds: ['trace'] })],
  ])('of %s contradict nobody', (_, other) => {
    const decided = mapped('workload', true, { owner: 'team-a', service: 'checkout' });

    const against = (['owner', 'service'] as const).flatMap(
      (member) => contest(decided, [other], member).against,
    );

    expect(against).toEqual([]);
  });
});

const kinds = ['identity', 'service', 'workload', 'credential', 'source', 'trace'] as const;
const anyClaim: fc.Arbitrary<Claim> = fc
  .record({
    rule: fc.constantFrom('mapping', 'identity', 'service', 'workload', 'trace', 'credential'),
    confidence: fc.double({ min: 0, max: 0.95, noNaN: true }),
    owner: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
    service: fc.option(fc.constantFrom('checkout', 'search/ranker', 'other'), { nil: undefined }),
    kinds: fc.subarray([...kinds], { minLength: 1 }),
    exact: fc.boolean(),
  })
  .map(({ exact, owner, service, rule, ...members }) =>
    aClaim(rule, {
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
    fc.property(anyClaim, fc.array(anyClaim, { maxLength: 5 }), members, (decided, others, member) => {
      const { confidence, against } = contest(decided, others, member);

      const fewer = contest(decided, others.slice(1), member);
      // Confidences are told to four digits.
      expect(confidence).toBeLessThanOrEqual(decided.confidence + 0.000_05);
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(fewer.confidence).toBeGreaterThanOrEqual(confidence - 0.000_05);
      if (against.length === 0) expect(confidence).toBe(decided.confidence);
      for (const other of against) expect(other[member]).not.toBe(decided[member]);
    }),
  );
});
