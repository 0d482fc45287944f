import { describe, expect, it } from 'vitest';
import { checkEvent } from '../../../functions/ingest/events/checkEvent.ts';
import { InvocationEventFields } from '../../../schemas/ingest/invocationEvent.ts';
import { TOKEN_PARTS } from '../../../schemas/ingest/tokenParts.ts';
import { someEvent } from '../../support/client.ts';
import { expectNoFaults } from '../../support/faults.ts';

const NOW = Date.now();

const isOptional = ([, schema]: [string, { safeParse: (value: unknown) => { success: boolean } }]) =>
  schema.safeParse(undefined).success;
const OPTIONAL = Object.entries(InvocationEventFields.shape)
  .filter(isOptional)
  .map(([name]) => name);
const REQUIRED = Object.keys(InvocationEventFields.shape).filter((name) => !OPTIONAL.includes(name));

const BAD_VALUES: readonly unknown[] = [
  ...[
    null,
    '',
    ' ',
    'a'.repeat(10_000),
    'ann\n',
    '\u0000',
    '\ud83d',
    `${'a'.repeat(255)}\ud83d\ude00`,
    'x\ty',
  ],
  ...[-1, 0.5, 2 ** 53, 1e300, Number.NaN, true, [], {}, [null], ['a\tb', 'c'.repeat(65)], { input: '-1' }],
  ...[Array.from({ length: 50 }, (_, index) => `tag-${index}`), '9999-12-31T00:00:00Z', '1e-7', '12'],
];

const CALL = someEvent({ output_tokens: 200 });
const ESSENTIAL = ['event_id', 'provider', 'requested_model'] as const;

describe('an optional member', () => {
  it('with a bad value is no error of an event that lacks a required member', async () => {
    await expectNoFaults(OPTIONAL, String, (name) =>
      [null, {}].flatMap((value) => {
        const { errors } = checkEvent({ ...CALL, provider: '', [name]: value }, NOW);
        return (errors ?? []).flatMap(({ pointer }) => (pointer === '/provider' ? [] : String(pointer)));
      }),
    );
  });

  it('with a bad value never refuses its call, and each loss but null is told', async () => {
    await expectNoFaults(
      OPTIONAL.flatMap((name) => BAD_VALUES.map((value) => ({ name, value }))),
      ({ name, value }) => `${name} = ${JSON.stringify(value)?.slice(0, 40)}`,
      ({ name, value }) => {
        const sent = { ...CALL, [name]: value };
        const checked = checkEvent(sent, NOW);
        if (checked.event === null) return ['refuses the call'];
        const { event } = checked;
        const isLost = JSON.stringify(Reflect.get(event, name)) !== JSON.stringify(value);
        const { warnings = [] } = checked.dropped;
        const isTold = warnings.length > 0;
        return [
          ...ESSENTIAL.filter((member) => event[member] !== CALL[member]).map(
            (member) => `changes ${member}`,
          ),
          ...(isLost && value !== null && !isTold ? ['is lost without a warning'] : []),
          ...(warnings.some(({ detail }) => /Too (?:big|small)|Invalid|expected|received|<=|>=/.test(detail))
            ? ['is told in the words of a library']
            : []),
        ];
      },
    );
  });

  it('keeps what was meant if only its form is wrong', () => {
    const sent = {
      attributed_identity: 'ann\n',
      tags: ['night\tbatch', 'c'.repeat(65), 'eu'],
      input_tokens: '120',
      estimated_cost_usd: 0.0045,
      service_tier: 'x'.repeat(40),
      latency_ms: 26 * 3_600_000,
    };
    const checked = checkEvent(someEvent(sent), NOW);

    expect(checked).toMatchObject({
      event: {
        attributed_identity: 'ann',
        tags: ['night batch', 'eu'],
        input_tokens: 120,
        estimated_cost_usd: '0.0045',
      },
      dropped: { scrubbed: ['service_tier', 'latency_ms'] },
    });
    expect(checked.event).not.toHaveProperty('service_tier');
  });

  it('takes at most as many tags as an event has', () => {
    const tags = Array.from({ length: 50 }, (_, index) => `tag-${index}`);

    expect(checkEvent(someEvent({ tags }), NOW).event?.tags).toEqual(tags.slice(0, 20));
  });
});

describe('a count that is smaller than a part of it', () => {
  it.each(TOKEN_PARTS.flatMap(({ whole, parts }) => parts.map((part) => ({ whole, part }))))(
    'leaves the tokens of the call unknown: $part above $whole',
    ({ whole, part }) => {
      const checked = checkEvent(
        someEvent({ input_tokens: 9, output_tokens: 9, [whole]: 5, [part]: 6 }),
        NOW,
      );

      expect(checked).toMatchObject({
        errors: null,
        dropped: { warnings: expect.arrayContaining([expect.objectContaining({ pointer: `/${part}` })]) },
      });
      expect(checked.event).not.toHaveProperty(part);
      if (whole !== 'cache_write_tokens') expect(checked.event).not.toHaveProperty(whole);
    },
  );
});

describe('a required member', () => {
  it.each(REQUIRED)('%s refuses the event if it is missing', (name) => {
    expect(checkEvent({ ...CALL, [name]: undefined }, NOW)).toMatchObject({
      event: null,
      errors: [{ pointer: `/${name}` }],
    });
  });
});
