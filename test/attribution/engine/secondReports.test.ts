import { describe, expect, it } from 'vitest';
import { aKey } from './events.ts';
import {
  by,
  CALL,
  DAY,
  lanes,
  otherKey,
  ownKong,
  recordsOf,
  type Sent,
  send,
  useStatements,
} from './statementsHarness.ts';
import { MARCH } from './trace/traceFixture.ts';

useStatements();

describe('two keys of the tenant', () => {
  it.each([
    ['the gateway first', true],
    ['the SDK first', false],
  ])('make one record with what each of them knows: %s', async (_, isGatewayFirst) => {
    const tenant = lanes();
    const sdk: Sent = [
      {
        ingestion_layer: 'application',
        attributed_identity: 'carol',
        attributed_service: 'checkout',
        input_tokens: 0,
        output_tokens: 0,
        latency_ms: 900,
      },
      by(aKey),
    ];
    const gateway: Sent = [
      { ingestion_layer: 'gateway', source_system: 'litellm', estimated_cost_usd: '0.25', latency_ms: 1_000 },
      by(otherKey),
    ];

    const outcomes = await send(tenant, ...(isGatewayFirst ? [gateway, sdk] : [sdk, gateway]));

    expect(outcomes).toEqual(['recorded', 'merged']);
    expect(await recordsOf(tenant)).toMatchObject([
      {
        record: {
          owner: 'carol',
          service: 'checkout',
          cost_usd: '0.25',
          input_tokens: 1_000,
          ingestion_layer: 'gateway',
          latency_ms: isGatewayFirst ? 1_000 : 900,
        },
      },
    ]);
  });

  it('say different things: the record keeps the first, and shows both costs and both owners', async () => {
    const tenant = lanes();
    const call = { attributed_identity: 'carol', cost_source: 'provider', estimated_cost_usd: '12.5' };
    const other = {
      ...call,
      attributed_identity: 'dave',
      estimated_cost_usd: '2.5',
      ingestion_layer: 'proxy',
    };

    const outcomes = await send(tenant, [call, by(aKey)], [other, by(otherKey)], [other, by(otherKey)]);
    const [{ record, explanation } = { record: null, explanation: null }] = await recordsOf(tenant);

    expect(outcomes).toEqual(['recorded', 'contradicted', 'same_arrival']);
    expect(record).toMatchObject({ owner: 'carol', cost_usd: '12.5' });
    expect(record?.interpretation.answers.owner.candidates).toMatchObject([{ name: 'dave' }]);
    expect(explanation?.cost).toMatchObject({
      low: '2.5',
      central: '12.5',
      high: '12.5',
      uncertain: ['contradicting_statements'],
    });
    expect(explanation?.observations).toMatchObject([
      { stated_by: aKey },
      {
        stated_by: otherKey,
        contradicts: [
          { part: 'cost', stated: { estimated_cost_usd: '2.5' } },
          { part: 'attributed_identity', stated: { attributed_identity: 'dave' } },
        ],
      },
    ]);
  });

  it('state different days: the record keeps the first, and shows the other', async () => {
    const tenant = lanes();
    const call = { attributed_identity: 'carol' };
    const earlier = { occurred_at: new Date(MARCH - 10 * DAY).toISOString(), ingestion_layer: 'proxy' };

    const outcomes = await send(tenant, [call, by(aKey)], [{ ...call, ...earlier }, by(otherKey)]);

    expect(outcomes).toEqual(['recorded', 'contradicted']);
    expect(await recordsOf(tenant)).toMatchObject([
      {
        record: { occurred_at: '2026-03-15T12:00:00.000Z' },
        explanation: {
          observations: [
            {},
            { contradicts: [{ part: 'time', stated: { occurred_at: '2026-03-05T12:00:00.000Z' } }] },
          ],
        },
      },
    ]);
  });

  it('name one person in their own ways: nothing contradicts', async () => {
    const tenant = lanes();
    const call = { attributed_identity: 'carol', requested_model: 'gpt-4o' };
    const other = { attributed_identity: 'Carol@example.org', requested_model: 'gpt-4o-2024-08-06' };

    expect(
      await send(tenant, [call, by(aKey)], [{ ...other, ingestion_layer: 'proxy' }, by(otherKey)]),
    ).toEqual(['recorded', 'merged']);
  });

  it('fill one part: that of the key which reported the call first holds, in both orders', async () => {
    const first: Sent = [
      { ingestion_layer: 'gateway', input_tokens: undefined, output_tokens: undefined },
      by(aKey),
    ];
    const filling: Sent = [{ ingestion_layer: 'proxy', attributed_identity: 'mallory' }, by(otherKey)];
    const late: Sent = [{ ingestion_layer: 'application', attributed_identity: 'carol' }, by(aKey)];
    for (const sent of [
      [first, filling, late],
      [first, late, filling],
    ]) {
      const tenant = lanes();
      await send(tenant, ...sent);

      const [{ record, explanation } = { record: null, explanation: null }] = await recordsOf(tenant);
      expect(record?.owner).toBe('carol');
      expect(
        explanation?.observations?.flatMap(({ contradicts = [] }) => contradicts.map(({ part }) => part)),
      ).toContain('attributed_identity');
    }
  });

  it('report one call: neither takes the places or the observer of the other', async () => {
    const tenant = lanes();
    const forged = Array.from(
      { length: 9 },
      (_, index): Sent => [
        { ...CALL, estimated_cost_usd: undefined, ingestion_layer: `l${index}` },
        by(otherKey),
      ],
    );

    const outcomes = await send(
      tenant,
      ...forged,
      [{ ...CALL, estimated_cost_usd: undefined, ingestion_layer: 'gateway' }, by(otherKey)],
      [CALL, by(aKey)],
    );

    expect(outcomes.at(-1)).toBe('merged');
    expect(await recordsOf(tenant)).toMatchObject([{ record: { cost_usd: '12.5' } }]);
  });
});

describe('a second report', () => {
  const silent = {
    source_system: 'kong',
    ingestion_layer: 'application',
    attributed_identity: 'carol',
    input_tokens: undefined,
    output_tokens: undefined,
  };
  const empty = { ...silent, ingestion_layer: 'gateway', input_tokens: 0, output_tokens: 0 };
  const full = { ...empty, input_tokens: 1_000, output_tokens: 10 };

  it.each<readonly [string, readonly Sent[], readonly string[], number | null]>([
    [
      'of the credential that reported the call adds what it left out',
      [
        [empty, by(aKey)],
        [full, by(aKey)],
      ],
      ['recorded', 'merged'],
      1_000,
    ],
    [
      'of a credential whose first one was merged adds what it left out',
      [
        [silent, by(aKey)],
        [empty, by(otherKey)],
        [full, by(otherKey)],
      ],
      ['recorded', 'merged', 'merged'],
      1_000,
    ],
    [
      'of a connector adds what nobody had stated',
      [
        [silent, by(aKey)],
        [empty, by(ownKong)],
        [full, by(ownKong)],
      ],
      ['recorded', 'merged', 'merged'],
      1_000,
    ],
    [
      'of a connector adds nothing to what the tenant stated',
      [
        [empty, by(aKey)],
        [{ ...empty, latency_ms: 5 }, by(ownKong)],
        [full, by(ownKong)],
      ],
      ['recorded', 'rejected', 'duplicate_mismatch'],
      0,
    ],
    [
      'of the tenant replaces what a connector had added',
      [
        [silent, by(aKey)],
        [full, by(ownKong)],
        [{ ...silent, input_tokens: 2_000, output_tokens: 10 }, by(aKey)],
      ],
      ['recorded', 'merged', 'merged'],
      2_000,
    ],
    [
      'of a response that was only read makes no record beside that of a connector',
      [
        [empty, by(ownKong)],
        [{ ...full, retrieval: true }, by(aKey)],
      ],
      ['recorded', 'no_call'],
      0,
    ],
    [
      'of a response that was only read again adds its usage as soon as it has some',
      [
        [empty, by(aKey)],
        [{ ...empty, latency_ms: 5, retrieval: true }, by(aKey)],
        [{ ...full, retrieval: true }, by(aKey)],
      ],
      ['recorded', 'duplicate_mismatch', 'merged'],
      1_000,
    ],
  ])('%s', async (_, sent, outcomes, tokens) => {
    const tenant = lanes();

    expect(await send(tenant, ...sent)).toEqual(outcomes);
    expect((await recordsOf(tenant)).map(({ record }) => record.input_tokens)).toEqual([tokens]);
  });
});
