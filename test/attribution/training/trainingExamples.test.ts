import { describe, expect, it } from 'vitest';
import { gatherExamples } from '../../../functions/attribution/training/trainingExamples.ts';
import { attributionOf, type CallSpec, simulatedLedger } from '../../platform/jobs/ledgerFixtures.ts';
import { aTenant } from '../engine/events.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const AS_OF = Date.parse('2026-05-20T12:00:00Z');
const tenant = aTenant();

const gather = (made: readonly CallSpec[]) => gatherExamples(simulatedLedger(tenant, made), tenant, AS_OF);
/** The ages of the examples in hours. */
const agesOf = async (made: readonly CallSpec[]) =>
  (await gather(made)).map(({ observation }) => (AS_OF - observation.occurredAt) / HOUR);
const ago = (index: number, milliseconds: number, members: Record<string, unknown> = {}): CallSpec => ({
  index,
  occurredAt: AS_OF - milliseconds,
  members,
});

describe('gatherExamples', () => {
  it('returns all calls of four weeks across shards and months, in time order', async () => {
    const hours = Array.from({ length: 28 * 24 }, (_, hour) => hour + 1);

    const ages = await agesOf(hours.map((hour) => ago(hour, hour * HOUR)));

    expect(ages).toEqual(hours.toReversed());
  });

  it('returns calls within the window, without those whose records may still be written', async () => {
    const ages = await agesOf([
      ago(1, 28 * DAY + 1),
      ago(2, 28 * DAY),
      ago(3, 31_000),
      ago(5, 29_000),
      ago(4, -2 * HOUR),
    ]);

    expect(ages).toEqual([672, 31 / 3_600]);
  });

  it('reads all pages', async () => {
    const made = Array.from({ length: 2_500 }, (_, index) => ago(index, 30_000 + (index + 1) * 1_000));

    const found = await gather(made);

    expect(found).toHaveLength(made.length);
    expect(new Set(found.map(({ observation }) => observation.occurredAt)).size).toBe(made.length);
  });

  it('returns nothing for a tenant without calls', async () => {
    expect(await gather([])).toEqual([]);
  });

  it('labels only records that rules resolved with enough confidence', async () => {
    const named = { attributed_identity: 'team-search', attributed_service: 'ranker' };
    const infer = () => ({
      degradation: 'none' as const,
      prediction: {
        model_version: 'mdl_1',
        basis: 'model_inferred' as const,
        owner: 'team-search',
        service: 'ranker',
        confidence: 0.95,
        novel: false,
        advisory: false,
        alternatives: [],
      },
    });
    const made = [
      ago(5, 5 * HOUR, named),
      ago(4, 4 * HOUR, { ...named, attribution_confidence: 0.5 }),
      { ...ago(3, 3 * HOUR), context: { infer } },
      ago(2, 2 * HOUR),
    ];

    const states = made.map((one) => attributionOf(tenant, one).record.output_state);
    const labels = (await gather(made)).map(({ label }) => label);

    expect(states).toEqual([
      'deterministically_resolved',
      'deterministically_resolved',
      'strongly_inferred',
      'unresolved',
    ]);
    expect(labels).toEqual(['["team-search","ranker"]', null, null, null]);
  });

  it('returns the observed fields without the stated identity', async () => {
    const [example] = await gather([
      ago(1, HOUR, {
        tags: ['nightly'],
        latency_ms: 12,
        attributed_identity: 'team-search',
        k8s_namespace: 'jobs',
      }),
    ]);

    expect(example?.observation).toMatchObject({
      provider: 'openai',
      requested_model: 'gpt-4o',
      tags: ['nightly'],
      latency_ms: 12,
      k8s_namespace: 'jobs',
      input_tokens: 1_000,
    });
    expect(JSON.stringify(example?.observation)).not.toContain('team-search');
  });

  it.each<[string, readonly (string | null)[], readonly (string | undefined)[]]>([
    ['the same owner', ['a', 'a', null], ['right', 'right', 'named']],
    ['two owners', ['a', 'b'], ['wrong, wrong as a stranger', 'wrong, wrong as a stranger']],
    [
      'one owner against two calls of another',
      ['a', 'b', 'b'],
      ['wrong, wrong as a stranger', 'unnamed, wrong as a stranger', 'unnamed, wrong as a stranger'],
    ],
    ['three owners', ['a', 'b', 'c'], ['unnamed', 'unnamed', 'unnamed']],
    ['one owner', ['a', null], ['unnamed', 'named']],
    ['nobody', [null, null], ['unnamed', 'unnamed']],
  ])('compares calls with the others of their trace: %s', async (_, owners, expected) => {
    const made = owners.map((owner, at) =>
      ago(at + 1, (owners.length - at) * HOUR, {
        trace_id: 'a'.repeat(32),
        ...(owner !== null && { attributed_identity: owner }),
      }),
    );

    const traced = (await gather(made)).flatMap((example) => example.traced ?? []);

    expect(traced.map(({ isNamed }) => isNamed)).toEqual(owners.map((owner) => owner !== null));
    const told = traced.map(({ isNamed, name, stranger }) => {
      const by = name === null ? 'unnamed' : !isNamed ? 'named' : name.isRight ? 'right' : 'wrong';
      return stranger === null ? by : `${by}, wrong as a stranger`;
    });
    expect(told).toEqual(expected);
    expect(traced.every(({ name, stranger }) => (name?.confidence ?? stranger ?? 0.8) === 0.8)).toBe(true);
  });

  it('compares no call without a trace', async () => {
    expect((await gather([ago(1, HOUR, { attributed_identity: 'a' })])).map(({ traced }) => traced)).toEqual([
      undefined,
    ]);
  });
});
