import { describe, expect, it } from 'vitest';
import { dedupClaimReader } from '../../../functions/ledger/records/dedup/dedupClaimReader.store.ts';
import type { Provenance } from '../../../functions/ledger/records/provenance.ts';
import { ulidInId } from '../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { aKey } from './events.ts';
import {
  by,
  CALL,
  connectorOf,
  DAY,
  lanes,
  type Members,
  otherKey,
  ownKong,
  recordsOf,
  type Sent,
  send,
  useStatements,
} from './statementsHarness.ts';
import { MARCH } from './trace/traceFixture.ts';

useStatements();

// Each row is an attempt of one credential to change, move, blank or block the record of another.

const partner = connectorOf('cli_partner');
const authority = connectorOf('cli_authority', { fills_other_sources: true });
/** What somebody sends who knows its ids. */
const FORGED = {
  ...CALL,
  ingestion_layer: 'provider_log',
  source_system: 'kong',
  requested_model: 'gpt-4o-mini',
  attributed_identity: 'mallory',
  end_user: 'eve',
  attributed_service: 'partner-svc',
  attribution_confidence: 0.01,
  estimated_cost_usd: '0',
  input_tokens: 2,
  cached_input_tokens: 1,
  cache_write_tokens: 1,
  output_tokens: 1,
  reasoning_tokens: 1,
  api_key_name: 'stolen',
  tags: ['forged'],
};

const shownOf = async (tenant: Tenant, stated: Provenance, lane: string | null = null) =>
  (await recordsOf(tenant, lane))
    .filter(({ storedEvent }) => storedEvent.stated_by?.id === stated.id)
    .map(({ record, storedEvent }) => {
      const { owner, service, cost_usd, coper, occurred_at, residency, requested_model, input_tokens, tags } =
        record;
      const { version, end_user, energy_wh, carbon_gco2e } = record;
      return {
        ...{ owner, service, cost_usd, coper, occurred_at, residency, requested_model, input_tokens, tags },
        version,
        end_user,
        energy_wh,
        carbon_gco2e,
        // The end user that a trace names holds only where the call names none.
        trace: storedEvent.trace && {
          source: storedEvent.trace.source,
          repeatsUsage: storedEvent.trace.repeatsUsage,
        },
      };
    });

/** The attempts, and whether the record of the victim exists before. */
const ATTACKS: readonly (readonly [string, readonly Members[]])[] = [
  ['other cost, model, owner, confidence and tags', [FORGED]],
  ['the same content', [CALL]],
  ['another date', [{ ...FORGED, occurred_at: new Date(MARCH - 10 * DAY).toISOString() }]],
  [
    'a child span without cost',
    [{ ...FORGED, index: 1, span_id: 's2', parent_span_id: 's1', estimated_cost_usd: '0' }],
  ],
  ['a parent span with a name', [{ ...FORGED, index: 1, span_id: 's0', parent_span_id: undefined }]],
  ['nine layers', Array.from({ length: 9 }, (_, index) => ({ ...FORGED, ingestion_layer: `l${index}` }))],
];

const PAIRS: readonly (readonly [string, Sent[1], Sent[1]])[] = [
  ['a connector against the tenant', by(partner), by(aKey)],
  ['a connector that may fill against the tenant', by(authority), by(aKey)],
  ['a connector against another', by(partner), by(ownKong)],
  ['lane eu against lane us', by(aKey, 'eu'), by(aKey, 'us')],
  ['lane eu against the home lane', by(aKey, 'eu'), by(aKey)],
  ['lane us against lane eu', by(aKey, 'us'), by(aKey, 'eu')],
];

describe.each(PAIRS)('%s', (_, attacker, victim) => {
  it.each(ATTACKS)('changes nothing with %s, before and after', async (_attack, forged) => {
    const { statedBy = aKey } = victim;
    const [alone, attacked, late] = [lanes(), lanes(), lanes()];
    const lane = victim.residency ?? 'us';
    const attempts = forged.map((members): Sent => [members, attacker]);
    await send(alone, [CALL, victim]);
    await send(attacked, [CALL, victim], ...attempts);
    await send(late, ...attempts, [CALL, victim]);

    const expected = await shownOf(alone, statedBy, lane);

    expect(expected).toMatchObject([
      { owner: 'carol', cost_usd: '12.5', occurred_at: '2026-03-15T12:00:00.000Z' },
    ]);
    const withoutVersion = (shown: typeof expected) => shown.map(({ version: _v, ...one }) => one);
    expect(withoutVersion(await shownOf(attacked, statedBy, lane))).toEqual(withoutVersion(expected));
    expect(withoutVersion(await shownOf(late, statedBy, lane))).toEqual(withoutVersion(expected));
  });
});

/** Another call that looks like that of the victim. */
const DEARER = {
  ...CALL,
  index: 1,
  id_basis: 'request',
  occurred_at: new Date(MARCH).toISOString(),
  ingestion_layer: 'gateway',
  source_system: 'another gateway',
  attributed_identity: 'mallory',
  end_user: undefined,
  attributed_service: undefined,
  estimated_cost_usd: '99',
  span_id: 's2',
};

/** A span below the call that reports its usage, for nobody in particular, and for less than it costs. */
const CHEAPER = {
  index: 1,
  span_id: 's2',
  parent_span_id: 's1',
  ingestion_layer: 'application',
  input_tokens: CALL.input_tokens,
};

/** What a key can report, so that a call of another one emits nothing. */
const FOOTPRINTS: readonly (readonly [string, Members])[] = [
  ['no energy', { energy_wh: '0' }],
  ['nearly no energy', { energy_wh: '0.000001' }],
  ['no carbon', { carbon_gco2e: '0' }],
];

/** Tokens of which nothing is counted. */
const NO_USAGE = Object.fromEntries(
  Object.keys(FORGED)
    .filter((member) => member.endsWith('_tokens'))
    .map((member) => [member, 0]),
);

describe('a key of the tenant against another, which reported first', () => {
  it.each([
    ...ATTACKS,
    ['a plan that is paid in advance', [{ ...FORGED, billing_mode: 'subscription' }]],
    ['a cheaper tier', [{ ...FORGED, service_tier: 'batch', batch: true }]],
    ['a name that it is not sure of', [{ attributed_service: 'other', attribution_confidence: 0.01 }]],
    ['no usage', [{ ...FORGED, ...NO_USAGE, estimated_cost_usd: undefined }]],
    ...FOOTPRINTS.flatMap(([amount, footprint]): (readonly [string, readonly Members[]])[] => [
      [`${amount} for its call`, [{ ...footprint, ingestion_layer: 'proxy' }]],
      [
        `${amount} in a span below it that costs as much`,
        [{ ...CHEAPER, ...footprint, estimated_cost_usd: '12.5', cost_source: 'provider' }],
      ],
    ]),
    ['twenty tags', [{ ...FORGED, tags: Array.from({ length: 20 }, (_tag, index) => `a${index}`) }]],
    ['another value of a tag', [{ ...FORGED, tags: ['team:mallory'] }]],
    ['a dearer call at the same time for another payer', [{ ...DEARER, trace_id: undefined }]],
    ['a dearer call in the same trace for another payer', [{ ...DEARER, ingestion_layer: 'application' }]],
    ['a dearer span below it for another payer', [{ ...DEARER, parent_span_id: 's1', id_basis: undefined }]],
    ['its usage in a span below it that a plan has paid', [{ ...CHEAPER, billing_mode: 'subscription' }]],
    ['its usage in a span below it without a price', [{ ...CHEAPER, requested_model: 'nobody-knows' }]],
    ['its usage in a span below it of a cheaper model', [{ ...CHEAPER, requested_model: 'gpt-4o-mini' }]],
    ['its usage in a span below it that failed', [{ ...CHEAPER, status: 'error', estimated_cost_usd: '0' }]],
    ['its usage in a span below it of implausible cost', [{ ...CHEAPER, estimated_cost_usd: '900000000' }]],
    [
      'its usage two spans below it for nothing',
      [
        { ...CHEAPER, operation: 'invoke_agent', input_tokens: undefined, output_tokens: undefined },
        { ...CHEAPER, index: 2, span_id: 's3', parent_span_id: 's2', billing_mode: 'free' },
      ],
    ],
    [
      'a dearer span below one for another payer',
      [
        { ...DEARER, span_id: 's2', parent_span_id: 's1', operation: 'invoke_agent', id_basis: undefined },
        {
          ...DEARER,
          ...{ index: 2, span_id: 's3', parent_span_id: 's2', id_basis: undefined },
          attributed_identity: undefined,
        },
      ],
    ],
  ] as readonly (readonly [string, readonly Members[]])[])(
    'replaces nothing that was stated with %s',
    async (_attack, forged) => {
      const [priced, named] = [
        { ...CALL, tags: ['team:search'] },
        { ...CALL, estimated_cost_usd: undefined, attributed_service: undefined, tags: ['team:search'] },
      ];
      for (const call of [priced, named]) {
        const [alone, attacked] = [lanes(), lanes()];
        await send(alone, [call, by(aKey)]);
        await send(attacked, [call, by(aKey)], ...forged.map((members): Sent => [members, by(otherKey)]));

        const [expected] = await shownOf(alone, aKey);
        const [shown] = await shownOf(attacked, aKey);

        expect(expected?.cost_usd).not.toBeNull();
        expect(shown).toEqual({
          ...expected,
          version: expect.any(Number),
          cost_usd: call === priced ? expected?.cost_usd : shown?.cost_usd,
          service: expected?.service ?? shown?.service,
          tags: expect.arrayContaining(['team:search']),
        });
        expect([shown?.energy_wh, shown?.carbon_gco2e]).not.toContain('0');
        expect(shown?.tags.filter((tag) => tag.startsWith('team:'))).toEqual(['team:search']);
        expect(Number(shown?.cost_usd)).toBeGreaterThanOrEqual(Number(expected?.cost_usd));
        expect(shown?.coper).toBeGreaterThanOrEqual(expected?.coper ?? 1);
      }
    },
  );
});

it.each([
  ...FOOTPRINTS.map(([amount, stated]) => [amount, {}, stated] as const),
  ['less than was measured', { energy_wh: '50', carbon_gco2e: '20' }, {}] as const,
  ['less than was measured, and no model', { energy_wh: '50' }, { requested_model: 'unknown' }] as const,
])(
  'keeps the energy and carbon of a call that a dearer copy of another key counts with %s',
  async (_, known, stated) => {
    const [alone, copied] = [lanes(), lanes()];
    const call: Sent = [{ ...CALL, ...known }, by(aKey)];
    const copy = { ...DEARER, ...stated, attributed_identity: 'carol', ingestion_layer: 'application' };
    await send(alone, call);
    await send(copied, call, [copy, by(otherKey)]);

    const [{ record } = { record: null }] = await recordsOf(alone);
    const records = (await recordsOf(copied)).map((one) => one.record);

    expect(records.map(({ interpretation }) => interpretation.same_call?.state).toSorted()).toEqual(
      'requested_model' in stated ? [undefined, undefined] : ['counted', 'repeat'],
    );
    const sumOf = (name: 'energy_wh' | 'carbon_gco2e') =>
      records.reduce((sum, one) => sum + Number(one[name]), 0);
    expect(sumOf('energy_wh')).toBeGreaterThanOrEqual(Number(record?.energy_wh));
    expect(sumOf('carbon_gco2e')).toBeGreaterThanOrEqual(Number(record?.carbon_gco2e));
  },
);

it.each<readonly [string, Members]>([
  ['says that a plan has paid it', { billing_mode: 'subscription' }],
  ['says that it cost nothing', { estimated_cost_usd: '0', cost_source: 'provider', status: 'error' }],
  ['has a span below it that a plan has paid', { ...CHEAPER, billing_mode: 'subscription' }],
  [
    'has a free call at the same time',
    { index: 1, id_basis: 'request', source_system: 'another', trace_id: undefined, billing_mode: 'free' },
  ],
])('keeps the cost of a call unknown if another key %s', async (_, stated) => {
  const tenant = lanes();
  const call = { ...CALL, requested_model: 'nobody-knows', estimated_cost_usd: undefined };
  const named = { attributed_identity: undefined, attributed_service: undefined, end_user: undefined };
  const seen = {
    ...{ ...call, ...named, ingestion_layer: 'application', tags: undefined },
    occurred_at: new Date(MARCH).toISOString(),
  };

  await send(tenant, [call, by(aKey)], [{ ...seen, ...stated }, by(otherKey)]);

  expect(await shownOf(tenant, aKey)).toMatchObject([{ owner: 'carol', cost_usd: null }]);
});

describe('a connector', () => {
  it('fills empty parts of records of its source systems, in both orders', async () => {
    const own = { source_system: 'kong', ingestion_layer: 'application', attributed_identity: 'carol' };
    const gateway = { source_system: 'kong', ingestion_layer: 'gateway', estimated_cost_usd: '0.25' };
    for (const sent of [
      [[own, by(aKey)] as const, [gateway, by(ownKong)] as const],
      [[gateway, by(ownKong)] as const, [own, by(aKey)] as const],
    ]) {
      const tenant = lanes();
      await send(tenant, ...sent);

      expect(await shownOf(tenant, aKey)).toMatchObject([{ owner: 'carol', cost_usd: '0.25' }]);
      expect((await shownOf(tenant, ownKong)).map(({ cost_usd }) => cost_usd)).toEqual(
        sent[0]?.[1].statedBy?.id === ownKong.id ? ['0'] : [],
      );
    }
  });

  it('fills empty parts of other records only if it is registered for that', async () => {
    const own = { source_system: 'litellm', ingestion_layer: 'application', attributed_identity: 'carol' };
    const gateway = { source_system: 'kong', ingestion_layer: 'gateway', estimated_cost_usd: '0.25' };
    const costs: unknown[] = [];
    for (const statedBy of [partner, authority]) {
      const tenant = lanes();
      await send(tenant, [own, by(aKey)], [gateway, by(statedBy)]);
      costs.push((await shownOf(tenant, aKey)).map(({ cost_usd }) => cost_usd === '0.25'));
    }

    expect(costs).toEqual([[false], [true]]);
  });

  it.each([
    [
      'that comes last',
      (gateway: Sent, agent: Sent, tool: Sent, filled: Sent) => [gateway, agent, tool, filled],
    ],
    [
      'before its spans',
      (gateway: Sent, agent: Sent, tool: Sent, filled: Sent) => [gateway, filled, agent, tool],
    ],
    [
      'that comes first',
      (gateway: Sent, agent: Sent, tool: Sent, filled: Sent) => [filled, gateway, agent, tool],
    ],
  ] as const)('names nobody in other records of a trace by a part that it fills, %s', async (_, arrive) => {
    const tenant = lanes();
    const own = { source_system: 'litellm', trace_id: 'a trace', attributed_identity: undefined };
    const gateway = { ...own, source_system: 'kong', ingestion_layer: 'gateway', span_id: 's1' };
    const agent = { ...own, index: 1, span_id: 's2', parent_span_id: 's1' };
    const tool = { ...own, index: 2, span_id: 's3' };
    const filled = {
      source_system: 'kong',
      ingestion_layer: 'provider_log',
      trace_id: undefined,
      span_id: undefined,
      attributed_identity: 'mallory',
      end_user: 'eve',
    };
    await send(
      tenant,
      ...arrive([gateway, by(aKey)], [agent, by(aKey)], [tool, by(aKey)], [filled, by(ownKong)]),
    );

    expect((await shownOf(tenant, aKey)).map(({ owner, end_user }) => [owner, end_user])).toEqual([
      ['mallory', 'eve'],
      [null, null],
      [null, null],
    ]);
  });

  it('is named in the explanation of a record for a statement that was rejected', async () => {
    const tenant = lanes();
    const outcomes = await send(tenant, [CALL, by(aKey)], [FORGED, by(partner)], [FORGED, by(partner)]);
    const [{ record } = { record: null }] = await recordsOf(tenant);

    expect(outcomes).toEqual(['recorded', 'rejected', 'rejected']);
    expect(record?.version).toBe(1);
    expect(
      await dedupClaimReader('claims').rejectedStatements(
        tenant.tenant_id,
        ulidInId(record?.invocation_id ?? ''),
      ),
    ).toEqual([
      {
        stated_by: { kind: 'oauth_client', id: 'cli_partner', connector: 'cli_partner' },
        ingestion_layer: 'provider_log',
        source_system: 'kong',
      },
    ]);
  });
});
