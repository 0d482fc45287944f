import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findContentPaths, scrubEvent } from '../../../functions/ingest/events/contentScrubber.ts';
import { INVOCATION_EVENT_FIELDS, InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { someEvent } from '../../support/client.ts';
import { contentNames } from './contentNames.ts';

const CANARY = 'canary-5f0c';

/** Any JSON value that contains the canary. */
const valueWithCanary: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
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

const unknownMembers = fc.dictionary(unknownName, valueWithCanary, { minKeys: 1, maxKeys: 5 });

describe('prompt and completion content', () => {
  it('is dropped by the event schema under any member name', () => {
    fc.assert(
      fc.property(unknownMembers, (members) => {
        const event = InvocationEvent.parse(someEvent(members));
        expect(JSON.stringify(event)).not.toContain(CANARY);
      }),
    );
  });

  it('is not stored with an event that failed', () => {
    fc.assert(
      fc.property(unknownMembers, (members) => {
        const scrubbed = scrubEvent({ ...someEvent(members), input_tokens: -1 });
        expect(JSON.stringify(scrubbed)).not.toContain(CANARY);
      }),
    );
  });

  it('is not stored in a schema member that must not be an object', () => {
    const name = fc.constantFrom(...INVOCATION_EVENT_FIELDS);
    const object = fc
      .tuple(fc.constantFrom(...contentNames), valueWithCanary)
      .map(([inner, value]) => ({ [inner]: value }));
    // cost_breakdown has members named input and output, which are amounts.
    const nested = fc.tuple(name, object).filter(([outer]) => outer !== 'cost_breakdown');

    fc.assert(
      fc.property(nested, fc.boolean(), ([outer, value], inArray) => {
        const scrubbed = scrubEvent({ [outer]: inArray ? [value] : value });
        expect(JSON.stringify(scrubbed)).not.toContain(CANARY);
      }),
    );
  });

  it('is not stored instead of an amount', () => {
    const breakdown = { input: { text: CANARY }, output: [CANARY], prompt: CANARY, cached_input: '0.5' };

    expect(scrubEvent({ cost_breakdown: breakdown })).toEqual({ cost_breakdown: { cached_input: '0.5' } });
  });

  it('is not stored instead of a name when it is too long', () => {
    expect(scrubEvent({ requested_model: CANARY.repeat(100), provider: 'openai' })).toEqual({
      provider: 'openai',
    });
  });

  it.each([null, 7, 'text', [CANARY], [[CANARY]]])('is not stored from %j, which is not an event', (sent) => {
    expect(scrubEvent(sent)).toEqual({});
  });
});

describe('scrubEvent', () => {
  it('keeps all members of a valid event', () => {
    const event = someEvent({ tags: ['a', 'b'], batch: true, cost_breakdown: { input: '0.1' } });

    expect(scrubEvent(event)).toEqual(event);
  });
});

describe('findContentPaths', () => {
  it.each(contentNames)('finds %s at the top level and nested', (name) => {
    const sent = someEvent({ [name]: CANARY, metadata: { list: [{ [name]: CANARY }, { [name]: CANARY }] } });

    expect(findContentPaths(sent)).toEqual([name, `metadata.list.${name}`].sort());
  });

  it('finds content beside the amounts of cost_breakdown', () => {
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
  ])('does not return %s, which is not content', (name) => {
    expect(findContentPaths(someEvent({ [name]: 1 }))).toEqual([]);
  });

  it('does not return schema members', () => {
    const sent = Object.fromEntries([...INVOCATION_EVENT_FIELDS].map((name) => [name, 'x']));

    expect(findContentPaths(sent)).toEqual([]);
  });

  it('does not return values', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...contentNames, 'metadata', 'list'), valueWithCanary),
        (members) => {
          expect(JSON.stringify(findContentPaths(someEvent(members)))).not.toContain(CANARY);
        },
      ),
    );
  });

  it('limits the number and length of paths', () => {
    const long = 'n'.repeat(100_000);
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`"${index}" prompt`, 1]));

    const paths = findContentPaths(someEvent({ [long]: many, [`${long} prompt`]: 1, nested: many, ...many }));

    expect(paths.length).toBeGreaterThan(10);
    expect(paths.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(paths).length).toBeLessThan(2_500);
  });

  it('returns a path once when array elements repeat it', () => {
    const messages = Array.from({ length: 200 }, () => ({ content: CANARY }));

    expect(findContentPaths(someEvent({ chat: messages, zz: { text: CANARY } }))).toEqual([
      'chat.content',
      'zz.text',
    ]);
  });
});
