import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findContentPaths, scrubEvent } from '../../functions/ingestion/contentScrubber.ts';
import { INVOCATION_EVENT_FIELDS, InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { someEvent } from '../support/client.ts';
import { contentNames } from './contentNames.ts';

const CANARY = 'canary-5f0c';

/** Any JSON value with the canary somewhere in it. */
const hiding: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(CANARY),
    fc.string().map((text) => `${text}${CANARY}`),
    tie('value').map((value) => [1, value]),
    fc
      .tuple(fc.constantFrom(...contentNames), tie('value'))
      .map(([name, value]) => ({ kind: 'a', [name]: value })),
  ),
})).value;

const unknownName = fc
  .oneof(fc.constantFrom(...contentNames), fc.string({ minLength: 1 }))
  .filter((name) => !INVOCATION_EVENT_FIELDS.has(name) && name !== '__proto__');

const unknownMembers = fc.dictionary(unknownName, hiding, { minKeys: 1, maxKeys: 5 });

describe('content', () => {
  it('never passes the schema of an event, whatever it is called', () => {
    fc.assert(
      fc.property(unknownMembers, (members) => {
        const event = InvocationEvent.parse(someEvent(members));
        expect(JSON.stringify(event)).not.toContain(CANARY);
      }),
    );
  });

  it('is not among what is kept of an event that failed', () => {
    fc.assert(
      fc.property(unknownMembers, (members) => {
        const kept = scrubEvent({ ...someEvent(members), input_tokens: -1 });
        expect(JSON.stringify(kept)).not.toContain(CANARY);
      }),
    );
  });

  it('is not kept inside a member of the schema that holds no object', () => {
    const name = fc.constantFrom(...INVOCATION_EVENT_FIELDS);
    const object = fc
      .tuple(fc.constantFrom(...contentNames), hiding)
      .map(([inner, value]) => ({ [inner]: value }));
    // A breakdown's own members are called input and output, and are amounts.
    const nested = fc.tuple(name, object).filter(([outer]) => outer !== 'cost_breakdown');

    fc.assert(
      fc.property(nested, fc.boolean(), ([outer, value], inArray) => {
        const kept = scrubEvent({ [outer]: inArray ? [value] : value });
        expect(JSON.stringify(kept)).not.toContain(CANARY);
      }),
    );
  });

  it('is not kept where an amount should be', () => {
    const breakdown = { input: { text: CANARY }, output: [CANARY], prompt: CANARY, cached_input: '0.5' };

    expect(scrubEvent({ cost_breakdown: breakdown })).toEqual({ cost_breakdown: { cached_input: '0.5' } });
  });

  it('is not kept where a name should be, when it is long', () => {
    expect(scrubEvent({ requested_model: CANARY.repeat(100), provider: 'openai' })).toEqual({
      provider: 'openai',
    });
  });

  it.each([null, 7, 'text', [CANARY], [[CANARY]]])('is not kept of %j, which is no event', (sent) => {
    expect(scrubEvent(sent)).toEqual({});
  });
});

describe('what is left of an event that failed', () => {
  it('is all that a valid event has', () => {
    const event = someEvent({ tags: ['a', 'b'], batch: true, cost_breakdown: { input: '0.1' } });

    expect(scrubEvent(event)).toEqual(event);
  });
});

describe('the names of what was dropped', () => {
  it.each(contentNames)('hold %s, at the top and nested', (name) => {
    const sent = someEvent({ [name]: CANARY, metadata: { list: [{ [name]: CANARY }, { [name]: CANARY }] } });

    expect(findContentPaths(sent)).toEqual([name, `metadata.list.${name}`].sort());
  });

  it('hold what was sent beside the amounts of a cost', () => {
    const sent = someEvent({ cost_breakdown: { input: '1', prompt: CANARY, detail: { messages: [] } } });

    expect(findContentPaths(sent)).toEqual(['cost_breakdown.detail.messages', 'cost_breakdown.prompt']);
  });

  it.each([
    'prompt_tokens',
    'input_cost',
    'contentful',
    'textile',
    'team',
    'completion_tokens',
    'max_output_tokens',
  ])('do not hold %s, which is no content', (name) => {
    expect(findContentPaths(someEvent({ [name]: 1 }))).toEqual([]);
  });

  it('hold no member of the schema', () => {
    const sent = Object.fromEntries([...INVOCATION_EVENT_FIELDS].map((name) => [name, 'x']));

    expect(findContentPaths(sent)).toEqual([]);
  });

  it('never hold a value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...contentNames, 'metadata', 'list'), hiding), (members) => {
        expect(JSON.stringify(findContentPaths(someEvent(members)))).not.toContain(CANARY);
      }),
    );
  });

  it('stay few and short, however many and long the sender makes them', () => {
    const long = 'n'.repeat(100_000);
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`"${index}" prompt`, 1]));

    const paths = findContentPaths(someEvent({ [long]: many, [`${long} prompt`]: 1, nested: many, ...many }));

    expect(paths.length).toBeGreaterThan(10);
    expect(paths.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(paths).length).toBeLessThan(2_500);
  });

  it('count once what an array repeats', () => {
    const messages = Array.from({ length: 200 }, () => ({ content: CANARY }));

    expect(findContentPaths(someEvent({ chat: messages, zz: { text: CANARY } }))).toEqual([
      'chat.content',
      'zz.text',
    ]);
  });
});
