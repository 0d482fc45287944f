import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlate, spanOf } from '../../functions/attribution/trace.ts';
import type { Span } from '../../functions/ledger/traceSpan.ts';
import { anEvent } from './events.ts';
import { anySpans, anyTree, resolveName } from './spans.ts';

/** A span called as its record is; `calls` is the span above it, `by` whom its own evidence names. */
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
const repeating = (spans: readonly Span[]): string[] =>
  [...correlate(spans, resolveName)].filter(([, { repeatsUsage }]) => repeatsUsage).map(([record]) => record);

describe('what a span learns', () => {
  it('is what the nearest span above it that names anybody says', () => {
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

  it('is what the trace says with one voice where nobody above it speaks', () => {
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
  ])('is nothing where the trace disagrees about the %s, its own evidence counted', (_, evidence) => {
    const own = aSpan('own', { evidence });

    expect(evidenceOf('own', [own, aSpan('b', { by: 'team-a' })])?.source).toBeNull();
    expect(evidenceOf('c', [own, aSpan('b', { by: 'team-a' }), aSpan('c')])?.source).toBeNull();
  });

  it('is what the span above it says, however much the rest of the trace disagrees', () => {
    const spans = [aSpan('a', { by: 'x' }), aSpan('b', { by: 'y' }), aSpan('leaf', { calledBy: 'b' })];

    expect(evidenceOf('leaf', spans)?.source).toMatchObject({ relation: 'ancestor', span_id: 'b' });
  });

  it('is never learnt from itself', () => {
    expect(evidenceOf('alone', [aSpan('alone', { by: 'team-a', calledBy: 'alone' })])).toEqual({
      source: null,
      repeatsUsage: false,
    });
  });

  it('is never something that was learnt: spans hand on the evidence of their own events', () => {
    const spans = [
      aSpan('root', { by: 'team-root' }),
      aSpan('middle', { calledBy: 'root' }),
      aSpan('leaf', { calledBy: 'middle' }),
    ];

    const learnt = ['middle', 'leaf'].map((record) => evidenceOf(record, spans)?.source?.span_id);

    expect(learnt).toEqual(['root', 'root']);
  });

  it('is nothing from above where the span above never came', () => {
    const spans = [
      aSpan('leaf', { calledBy: 'lost' }),
      aSpan('other', { by: 'x' }),
      aSpan('one', { by: 'y' }),
    ];

    expect(evidenceOf('leaf', spans)?.source).toBeNull();
  });
});

describe('a trace put together wrongly', () => {
  it('ends where it goes in circles, and what is above itself is above nobody', () => {
    const spans = [
      aSpan('a', { calledBy: 'c', by: 'team-a', reportsUsage: true }),
      aSpan('b', { calledBy: 'a', by: 'team-b', reportsUsage: true }),
      aSpan('c', { calledBy: 'b', reportsUsage: true }),
      aSpan('leaf', { calledBy: 'c', reportsUsage: true }),
    ];

    expect(evidenceOf('leaf', spans)?.source).toMatchObject({ relation: 'ancestor', span_id: 'b' });
    expect(['a', 'b', 'c'].map((record) => evidenceOf(record, spans)?.source)).toEqual([null, null, null]);
    expect(repeating(spans)).toEqual(['a', 'b', 'c']);
    expect(repeating(spans.slice(0, 3))).toEqual([]);
  });

  it('lets the first of two events about one span stand for it, and both learn', () => {
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

  it('knows spans without an id only by their trace', () => {
    const spans = [
      aSpan('a', { span_id: null, by: 'team-a' }),
      aSpan('b', { span_id: null, reportsUsage: true }),
    ];

    expect(evidenceOf('b', spans)?.source).toMatchObject({ relation: 'trace', span_id: null });
    expect(repeating(spans)).toEqual([]);
  });
});

describe('a span repeats usage', () => {
  it('where a model call anywhere below it tells what it used', () => {
    const spans = [
      aSpan('root', { reportsUsage: true }),
      aSpan('agent', { calledBy: 'root' }),
      aSpan('tool', { calledBy: 'agent' }),
      aSpan('leaf', { calledBy: 'tool', reportsUsage: true }),
      aSpan('sibling', { calledBy: 'root', reportsUsage: true }),
    ];

    expect(repeating(spans).toSorted()).toEqual(['agent', 'root', 'tool']);
  });

  it('not where those below it tell nothing', () => {
    expect(repeating([aSpan('root', { reportsUsage: true }), aSpan('leaf', { calledBy: 'root' })])).toEqual(
      [],
    );
  });

  it('in either of two events about it that has the call below it', () => {
    const spans = [
      aSpan('application', { span_id: 'call', reportsUsage: true }),
      aSpan('gateway', { span_id: 'call', reportsUsage: true }),
      aSpan('leaf', { calledBy: 'call', reportsUsage: true }),
    ];

    expect(repeating(spans).toSorted()).toEqual(['application', 'gateway']);
  });
});

describe('the span of an event', () => {
  it.each([
    [{}, true],
    [{ operation: 'chat' }, true],
    [{ operation: 'invoke_agent' }, false],
    [{ input_tokens: undefined }, true],
    [{ output_tokens: undefined }, true],
    [{ input_tokens: undefined, output_tokens: undefined }, false],
    [{ input_tokens: 0, output_tokens: undefined }, true],
    // What only its cost is known of costs something all the same.
    [{ input_tokens: undefined, output_tokens: undefined, estimated_cost_usd: '0.1' }, true],
    [{ input_tokens: undefined, output_tokens: undefined, cost_breakdown: { input: '0.1' } }, true],
  ])('%o reportsUsage a model: %s', (members, reportsUsage) => {
    expect(spanOf(anEvent(members), 'record').reportsUsage).toBe(reportsUsage);
  });

  it('holds what names its caller and nothing else of the event', () => {
    const told = { attributed_identity: 'team-a', api_key_name: 'key', tags: ['blue'] };
    const event = anEvent({ ...told, span_id: 's', parent_span_id: 'p', region: 'us-east-1' });

    expect(spanOf(event, 'record')).toEqual({
      record: 'record',
      span_id: 's',
      parent_span_id: 'p',
      reportsUsage: true,
      propagated: false,
      evidence: told,
    });
  });
});

describe('any trace', () => {
  it('teaches the same whatever the order of its spans', () => {
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

  it('tells every span, and teaches only what a span of it says itself', () => {
    fc.assert(
      fc.property(anySpans(), (spans) => {
        const learnt = correlate(spans, resolveName);

        expect([...learnt.keys()].toSorted()).toEqual(spans.map(({ record }) => record).toSorted());
        for (const [record, { source }] of learnt) {
          if (source === null) continue;
          const others = spans.filter((span) => span.record !== record && resolveName(span) !== null);
          expect(others).toContainEqual(
            expect.objectContaining({ span_id: source.span_id, evidence: source.evidence }),
          );
        }
      }),
    );
  });

  it('always bills somebody where anybody tells usage', () => {
    fc.assert(
      fc.property(anyTree(), (spans) => {
        fc.pre(spans.some(({ reportsUsage }) => reportsUsage));
        const learnt = correlate(spans, resolveName);

        const billed = spans.filter(
          ({ reportsUsage, record }) => reportsUsage && learnt.get(record)?.repeatsUsage === false,
        );

        expect(billed).not.toEqual([]);
      }),
    );
  });
});
