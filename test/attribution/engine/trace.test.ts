import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlate, spanOf } from '../../../functions/attribution/engine/trace.ts';
import type { Span } from '../../../functions/ledger/records/trace/traceSpan.ts';
import { anEvent } from './events.ts';
import { anySpans, anyTree, resolveName } from './spans.ts';

/** A span whose span id is its record id. `calledBy` is its parent span, `by` is the identity in its evidence. */
const aSpan = (
  record: string,
  { calledBy, by, ...members }: Partial<Span> & { calledBy?: string; by?: string } = {},
): Span => ({
  record,
  span_id: record,
  parent_span_id: calledBy ?? null,
  reportsUsage: false,
  propagated: true,
  evidence: by === undefined ? {} : { attributed_identity: by },
  ...members,
});

const evidenceOf = (record: string, spans: readonly Span[]) => correlate(spans, resolveName).get(record);
const repeatingRecords = (spans: readonly Span[]): string[] =>
  [...correlate(spans, resolveName)].filter(([, { repeatsUsage }]) => repeatsUsage).map(([record]) => record);

describe('the end user of a trace', () => {
  it('is that of the nearest ancestor, or else the only one of the trace, and never an owner', () => {
    const spans = [
      aSpan('root', { evidence: { end_user: 'ann' } }),
      aSpan('agent', { calledBy: 'root' }),
      aSpan('leaf', { calledBy: 'agent' }),
      aSpan('elsewhere'),
    ];
    const other = aSpan('other', { evidence: { end_user: 'bob' } });

    expect(evidenceOf('leaf', spans)).toEqual({ source: null, repeatsUsage: false, end_user: 'ann' });
    expect(evidenceOf('elsewhere', spans)?.end_user).toBe('ann');
    expect(evidenceOf('leaf', [...spans, other])?.end_user).toBe('ann');
    expect(evidenceOf('elsewhere', [...spans, other])?.end_user).toBeUndefined();
  });
});

describe('the evidence source of a span', () => {
  it('is the nearest ancestor whose evidence names an owner', () => {
    const spans = [
      aSpan('root', { by: 'team-root' }),
      aSpan('agent', { calledBy: 'root', by: 'team-agent' }),
      aSpan('silent', { calledBy: 'agent', evidence: { api_key_name: 'shared' } }),
      aSpan('leaf', { calledBy: 'silent' }),
    ];

    expect(evidenceOf('leaf', spans)).toEqual({
      source: {
        relation: 'ancestor',
        span_id: 'agent',
        evidence: { attributed_identity: 'team-agent' },
      },
      repeatsUsage: false,
    });
  });

  it('is another span of the trace when no ancestor has evidence and all others agree', () => {
    const spans = [
      aSpan('a'),
      aSpan('b', { by: 'team-a' }),
      aSpan('c', { by: 'team-a', calledBy: 'b' }),
      aSpan('d', { calledBy: 'a' }),
    ];

    expect(evidenceOf('d', spans)?.source).toMatchObject({ relation: 'trace', span_id: 'b' });
    expect(evidenceOf('b', spans)?.source).toMatchObject({ relation: 'trace', span_id: 'c' });
  });

  it.each([
    ['owner', { attributed_identity: 'team-b' }],
    ['service', { attributed_identity: 'team-a', attributed_service: 'other' }],
  ])('is null when spans of the trace disagree about the %s, including the span itself', (_, evidence) => {
    const own = aSpan('own', { evidence });

    expect(evidenceOf('own', [own, aSpan('b', { by: 'team-a' })])?.source).toBeNull();
    expect(evidenceOf('c', [own, aSpan('b', { by: 'team-a' }), aSpan('c')])?.source).toBeNull();
  });

  it('is the ancestor even when other spans of the trace disagree', () => {
    const spans = [aSpan('a', { by: 'x' }), aSpan('b', { by: 'y' }), aSpan('leaf', { calledBy: 'b' })];

    expect(evidenceOf('leaf', spans)?.source).toMatchObject({ relation: 'ancestor', span_id: 'b' });
  });

  it('is never the span itself', () => {
    expect(evidenceOf('alone', [aSpan('alone', { by: 'team-a', calledBy: 'alone' })])).toEqual({
      source: null,
      repeatsUsage: false,
    });
  });

  it('is the span with own evidence, not one that only received evidence', () => {
    const spans = [
      aSpan('root', { by: 'team-root' }),
      aSpan('middle', { calledBy: 'root' }),
      aSpan('leaf', { calledBy: 'middle' }),
    ];

    const sources = ['middle', 'leaf'].map((record) => evidenceOf(record, spans)?.source?.span_id);

    expect(sources).toEqual(['root', 'root']);
  });

  it('is null when the parent span never arrived and the others disagree', () => {
    const spans = [
      aSpan('leaf', { calledBy: 'lost' }),
      aSpan('other', { by: 'x' }),
      aSpan('one', { by: 'y' }),
    ];

    expect(evidenceOf('leaf', spans)?.source).toBeNull();
  });
});

describe('an invalid trace', () => {
  it('gives spans in a parent cycle no ancestors', () => {
    const spans = [
      aSpan('a', { calledBy: 'c', by: 'team-a', reportsUsage: true }),
      aSpan('b', { calledBy: 'a', by: 'team-b', reportsUsage: true }),
      aSpan('c', { calledBy: 'b', reportsUsage: true }),
      aSpan('leaf', { calledBy: 'c', reportsUsage: true }),
    ];

    expect(evidenceOf('leaf', spans)?.source).toMatchObject({ relation: 'ancestor', span_id: 'b' });
    expect(['a', 'b', 'c'].map((record) => evidenceOf(record, spans)?.source)).toEqual([null, null, null]);
    expect(repeatingRecords(spans)).toEqual(['a', 'b', 'c']);
    expect(repeatingRecords(spans.slice(0, 3))).toEqual([]);
  });

  it('uses the first of two events about one span as its evidence, and correlates both', () => {
    const spans = [
      aSpan('root', { by: 'team-root' }),
      aSpan('gateway', { span_id: 'call', calledBy: 'root' }),
      aSpan('application', { span_id: 'call', by: 'team-app' }),
      aSpan('leaf', { calledBy: 'call' }),
    ];

    expect(evidenceOf('leaf', spans)?.source).toMatchObject({ span_id: 'call', relation: 'ancestor' });
    expect(evidenceOf('leaf', spans)?.source?.evidence).toEqual({ attributed_identity: 'team-app' });
    expect(evidenceOf('gateway', spans)?.source).toMatchObject({ span_id: 'root' });
  });

  it('correlates spans without an id only through their trace', () => {
    const spans = [
      aSpan('a', { span_id: null, by: 'team-a' }),
      aSpan('b', { span_id: null, reportsUsage: true }),
    ];

    expect(evidenceOf('b', spans)?.source).toMatchObject({ relation: 'trace', span_id: null });
    expect(repeatingRecords(spans)).toEqual([]);
  });
});

describe('repeatsUsage', () => {
  it('is true when a model call below the span reports usage', () => {
    const spans = [
      aSpan('root', { reportsUsage: true }),
      aSpan('agent', { calledBy: 'root' }),
      aSpan('tool', { calledBy: 'agent' }),
      aSpan('leaf', { calledBy: 'tool', reportsUsage: true }),
      aSpan('sibling', { calledBy: 'root', reportsUsage: true }),
    ];

    expect(repeatingRecords(spans).toSorted()).toEqual(['agent', 'root', 'tool']);
  });

  it('is false when the spans below report no usage', () => {
    expect(
      repeatingRecords([aSpan('root', { reportsUsage: true }), aSpan('leaf', { calledBy: 'root' })]),
    ).toEqual([]);
  });

  it('is true for both of two events about one span with a call below it', () => {
    const spans = [
      aSpan('application', { span_id: 'call', reportsUsage: true }),
      aSpan('gateway', { span_id: 'call', reportsUsage: true }),
      aSpan('leaf', { calledBy: 'call', reportsUsage: true }),
    ];

    expect(repeatingRecords(spans).toSorted()).toEqual(['application', 'gateway']);
  });
});

describe('repeatsUsage of a span above those of another credential', () => {
  const root = { credential: 'one', reportsUsage: true, tokens: 1_000, cost_usd: '2' };
  const leaf = { credential: 'two', reportsUsage: true, tokens: 500 };
  it.each([
    ['less', [{ ...leaf, tokens: 899 }], []],
    ['the same in one span', [{ ...leaf, tokens: 1_000 }], ['root']],
    ['the same in several spans', [leaf, leaf], ['root']],
    ['the same tokens for less money', [{ ...leaf, tokens: 1_000, cost_usd: '0.01' }], []],
    ['the same cost', [{ ...leaf, tokens: 1_000, cost_usd: '2' }], ['root']],
    ['nothing', [{ ...leaf, tokens: undefined }], []],
  ])('is true if they report as much: %s', (_, leaves, expected) => {
    const spans = [
      aSpan('root', root),
      ...leaves.map((members, index) => aSpan(`leaf-${index}`, { calledBy: 'root', ...members })),
    ];

    expect(repeatingRecords(spans)).toEqual(expected);
  });

  it('counts a span that repeats another once', () => {
    const spans = [
      aSpan('root', root),
      aSpan('middle', { calledBy: 'root', ...leaf }),
      aSpan('leaf', { calledBy: 'middle', ...leaf }),
    ];

    expect(repeatingRecords(spans)).toEqual(['middle']);
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

  it('contains only the evidence of the event', () => {
    const evidence = { attributed_identity: 'team-a', api_key_name: 'key', tags: ['blue'] };
    const event = anEvent({ ...evidence, span_id: 's', parent_span_id: 'p', region: 'us-east-1' });

    expect(spanOf(event, 'record')).toEqual({
      record: 'record',
      nearness: 2,
      span_id: 's',
      parent_span_id: 'p',
      reportsUsage: true,
      tokens: 1_200,
      propagated: false,
      evidence,
    });
  });
});

describe('correlate, for any trace', () => {
  it('gives the same result for any order of spans', () => {
    const shuffles = anySpans().chain((spans) =>
      fc.tuple(
        fc.constant(spans),
        fc.shuffledSubarray(spans, { minLength: spans.length, maxLength: spans.length }),
      ),
    );

    fc.assert(
      fc.property(shuffles, ([spans, shuffled]) => {
        expect([...correlate(shuffled, resolveName)]).toEqual([...correlate(spans, resolveName)]);
      }),
    );
  });

  it('returns evidence for every span, and only own evidence of other spans', () => {
    fc.assert(
      fc.property(anySpans(), (spans) => {
        const evidenceByRecord = correlate(spans, resolveName);

        expect([...evidenceByRecord.keys()].toSorted()).toEqual(spans.map(({ record }) => record).toSorted());
        for (const [record, { source }] of evidenceByRecord) {
          if (source === null) continue;
          const others = spans.filter((span) => span.record !== record && resolveName(span) !== null);
          expect(others).toContainEqual(
            expect.objectContaining({ span_id: source.span_id, evidence: source.evidence }),
          );
        }
      }),
    );
  });

  it('leaves at least one billed span when any span reports usage', () => {
    fc.assert(
      fc.property(anyTree(), (spans) => {
        fc.pre(spans.some(({ reportsUsage }) => reportsUsage));
        const evidenceByRecord = correlate(spans, resolveName);

        const billed = spans.filter(
          ({ reportsUsage, record }) => reportsUsage && evidenceByRecord.get(record)?.repeatsUsage === false,
        );

        expect(billed).not.toEqual([]);
      }),
    );
  });
});

describe('spans of one call in several exports', () => {
  const sdk = aSpan('1 sdk', { calledBy: 'http', reportsUsage: true });

  it('are charged once if the caller that the lower one names is known, or lies below the upper one', () => {
    const framework = aSpan('2 framework', { covered: ['chain', 'http'], reportsUsage: true });

    expect(repeatingRecords([sdk, framework])).toEqual(['2 framework']);
    expect(repeatingRecords([framework, sdk])).toEqual(['2 framework']);
    expect(repeatingRecords([sdk, aSpan('http', { reportsUsage: true })])).toEqual(['http']);
  });

  it('are charged apart if nothing links them, or if the link leads to the span itself', () => {
    expect(repeatingRecords([sdk, aSpan('2 framework', { reportsUsage: true })])).toEqual([]);
    expect(repeatingRecords([{ ...sdk, covered: ['http'] }])).toEqual([]);
  });
});
