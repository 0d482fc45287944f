import { describe, expect, it } from 'vitest';
import { repetitionBy } from '../../../../functions/attribution/engine/trace/repeatedUsage.ts';
import {
  agree,
  agreedSource,
  evidenceOfEvent,
  type ResolveNames,
  spanOf,
} from '../../../../functions/attribution/engine/trace/trace.ts';
import type { Agreement } from '../../../../functions/ledger/records/trace/traceAgreement.store.ts';
import type { TraceEvidence } from '../../../../functions/ledger/records/trace/traceSpan.ts';
import { anEvent } from '../events.ts';

/** Takes the names from the identity and the service. A provider key alone gives no name. */
const resolveNames: ResolveNames = ({ evidence }) =>
  evidence.attributed_identity === undefined && evidence.attributed_service === undefined
    ? null
    : {
        owner: evidence.attributed_identity ?? null,
        service: evidence.attributed_service ?? null,
        confidence: evidence.attribution_confidence ?? 0.95,
      };

const agreed = (record: string, owner: string, attribution_confidence?: number): Agreement => ({
  state: 'agreed',
  record,
  evidence: {
    attributed_identity: owner,
    ...(attribution_confidence !== undefined && { attribution_confidence }),
  },
});
const CONFLICTING: Agreement = { state: 'conflicting' };
const UNKNOWN: Agreement = { state: 'unknown' };

describe('the agreement of a trace', () => {
  it.each<[string, Agreement | null, ['a' | 'b', string, number?], Agreement | null]>([
    ['begins with the first name', null, ['a', 'team-a'], agreed('a', 'team-a')],
    ['does not change with an equal name', agreed('a', 'team-a'), ['b', 'team-a'], null],
    ['does not change with weaker evidence', agreed('a', 'team-a'), ['b', 'team-a', 0.5], null],
    [
      'takes the better evidence',
      agreed('a', 'team-a', 0.5),
      ['b', 'team-a', 0.7],
      agreed('b', 'team-a', 0.7),
    ],
    ['ignores evidence above the limit of a trace', agreed('a', 'team-a', 0.8), ['b', 'team-a', 0.9], null],
    ['ends with another name', agreed('a', 'team-a'), ['b', 'team-b'], CONFLICTING],
    ['follows the record that began it', agreed('a', 'team-a'), ['a', 'team-b'], agreed('a', 'team-b')],
    ['stays conflicting', CONFLICTING, ['b', 'team-a'], null],
    ['stays unknown', UNKNOWN, ['b', 'team-a'], null],
  ])('%s', (_, known, [record, owner, confidence], expected) => {
    const next = agreed(record, owner, confidence);
    const evidence = next.state === 'agreed' ? next.evidence : {};

    expect(agree(known, { record, evidence }, resolveNames)).toEqual(expected);
  });
});

describe('the source of a span without a caller', () => {
  const kept: TraceEvidence = {
    source: { relation: 'trace', span_id: null, evidence: { attributed_identity: 'team-k' } },
    repeatsUsage: false,
  };

  it.each<[string, (Agreement | null)[], TraceEvidence | undefined, string | null]>([
    ['is null in a trace that names nobody', [null], undefined, null],
    ['is what all name', [agreed('a', 'team-a')], undefined, 'team-a'],
    ['is null when they differ', [CONFLICTING], kept, null],
    ['is what the record holds when nobody knows', [UNKNOWN], kept, 'team-k'],
    ['is null for a new record when nobody knows', [UNKNOWN], undefined, null],
    ['is what both parties name', [agreed('a', 'team-a'), agreed('b', 'team-a')], undefined, 'team-a'],
    ['is null when parties differ', [agreed('a', 'team-a'), agreed('b', 'team-b')], undefined, null],
    ['is null when a party conflicts', [agreed('a', 'team-a'), CONFLICTING], undefined, null],
    ['is that of the other party', [null, agreed('b', 'team-b')], undefined, 'team-b'],
  ])('%s', (_, agreements, current, owner) => {
    const source = agreedSource(agreements, current, resolveNames);

    expect(source?.evidence.attributed_identity ?? null).toBe(owner);
  });
});

describe('repetitionBy spans of another credential below', () => {
  const root = { credential: 'one', payer: 'ann', tokens: 1_000, cost_usd: '2' };
  const leaf = { credential: 'two', credentials: ['two'], tokens: 500, cost_usd: '1', isLeaf: true };
  const whole = { ...leaf, tokens: 1_000, cost_usd: '2' };
  const other = { ...leaf, payer: 'bo' };
  it.each([
    ['less', [{ ...leaf, tokens: 899 }], 'no'],
    ['the same in one span', [whole], 'yes'],
    ['the same in several spans', [leaf, leaf], 'yes'],
    ['the same tokens for nine tenths of the money', [{ ...whole, cost_usd: '1.8' }], 'yes'],
    ['the same tokens for less money', [{ ...whole, cost_usd: '1.79' }], 'no'],
    ['the same tokens for nothing', [{ ...whole, cost_usd: '0' }], 'no'],
    ['the same tokens for an unknown cost', [{ ...whole, cost_usd: undefined }], 'unknown'],
    [
      'the same tokens, half of them for an unknown cost',
      [leaf, { ...leaf, cost_usd: undefined }],
      'unknown',
    ],
    ['the same, counted twice on its way', [leaf, { ...leaf, isLeaf: false }], 'no'],
    ['nothing', [{ ...leaf, tokens: undefined }], 'no'],
    ['something, and so does the same credential', [leaf, { ...leaf, credentials: ['two', 'one'] }], 'yes'],
    ['none', [], 'no'],
    ['the same, for its payer', [{ ...whole, payer: 'ann' }], 'yes'],
    ['the same, for another payer', [{ ...other, tokens: 1_000, cost_usd: '9' }], 'unknown'],
    ['the same, half of it for another payer', [leaf, other], 'unknown'],
    ['less, for another payer', [other], 'no'],
  ] as const)('is told by whether they report as much, and for whom: %s', (_, below, expected) => {
    expect(repetitionBy(root, below)).toBe(expected);
  });

  it.each([
    ['an unknown cost', undefined, 'yes'],
    ['a cost', '1', 'yes'],
    ['nothing', '0', 'no'],
  ] as const)('takes a span of unknown cost for repeated by one of %s', (_, cost_usd, expected) => {
    expect(repetitionBy({ ...root, cost_usd: undefined }, [{ ...whole, cost_usd }])).toBe(expected);
  });
});

describe('spanOf', () => {
  it.each([
    [{}, true],
    [{ operation: 'chat' }, true],
    [{ operation: 'invoke_agent' }, false],
    [{ input_tokens: undefined }, true],
    [{ output_tokens: undefined }, true],
    [{ input_tokens: undefined, output_tokens: undefined }, false],
    [{ input_tokens: 0, output_tokens: undefined }, true],
    // A call with only a cost still reports usage.
    [{ input_tokens: undefined, output_tokens: undefined, estimated_cost_usd: '0.1' }, true],
    [{ input_tokens: undefined, output_tokens: undefined, cost_breakdown: { input: '0.1' } }, true],
  ])('sets reportsUsage for an event with %o to %s', (members, reportsUsage) => {
    expect(spanOf(anEvent(members), 'record').reportsUsage).toBe(reportsUsage);
  });

  it('contains only the place of the call in its trace, and evidenceOfEvent only who called', () => {
    const evidence = { attributed_identity: 'team-a', api_key_name: 'key', tags: ['blue'] };
    const event = anEvent({ ...evidence, span_id: 's', parent_span_id: 'p', region: 'us-east-1' });

    expect(spanOf(event, 'record')).toEqual({
      record: 'record',
      nearness: 2,
      span_id: 's',
      parent_span_id: 'p',
      reportsUsage: true,
      tokens: 1_200,
    });
    expect(evidenceOfEvent(event)).toEqual(evidence);
  });
});
