import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { uncountedCalls } from '../../../functions/attribution/engine/sameCall/uncountedCalls.ts';
import type { ObservedUse } from '../../../functions/ledger/records/sameCall/observedUse.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { newTenant } from '../../ledger/records/ledgerFixture.ts';
import { startTables } from '../../support/tables.ts';
import { byAgent, byGateway, bySdk, countedOf, permutations, recordAll, recordsOf } from './observers.ts';
import { joins } from './trace/traceFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

type Members = Record<string, unknown>;

const NO_COUNTS = { input_tokens: undefined, output_tokens: undefined };
const TRACE = { trace_id: 'one trace' };
/** Spans of a framework, of an SDK, and of an SDK that read no counts, as names of the span and of its parent. */
const spanned = (span: string, parent?: string): Members => ({
  ...TRACE,
  span_id: span,
  parent_span_id: parent,
});
const framework = (began: number, members: Members) => byAgent(began, members);
const sdk = (began: number, members: Members) => bySdk(began, members);
const uncounted = (began: number, members: Members) => bySdk(began, { ...members, ...NO_COUNTS });

const statesByCounts = async (events: readonly InvocationEvent[]) => {
  const tenant = newTenant();
  await recordAll(tenant, events);
  const states = (await recordsOf(tenant)).map(
    ({ record, explanation }) =>
      `${record.input_tokens === null ? 'without' : 'with'} counts: ${
        record.interpretation.same_call?.state ??
        (explanation.cost?.source === 'structure' ? 'structure' : 'alone')
      }`,
  );
  return { states: states.toSorted(), tenant };
};

describe('a call without counts', () => {
  it.each([
    ['above it', () => [framework(0, spanned('f')), uncounted(20, spanned('s', 'f'))]],
    [
      'above it, beyond a span without a record',
      () => [framework(0, spanned('f')), uncounted(20, { ...spanned('s', 'h'), caller_span_id: 'f' })],
    ],
    [
      'above it, which ended first',
      () => [framework(0, { ...spanned('f'), latency_ms: 5 }), uncounted(20, spanned('s', 'f'))],
    ],
    ['beside it, around its time', () => [framework(0, spanned('f', 'p')), uncounted(20, spanned('s', 'p'))]],
    [
      'beside it, within its time',
      () => [framework(20, { ...spanned('f', 'p'), latency_ms: 500 }), uncounted(0, spanned('s', 'p'))],
    ],
    [
      'of a gateway below it, whose clock differs',
      () => [byGateway(120, { ...spanned('g'), id_basis: 'observation' }), uncounted(20, spanned('s'))],
    ],
  ] as const)('repeats the one with counts %s, in any order', async (_, seen) => {
    for (const order of permutations(seen())) {
      const { states, tenant } = await statesByCounts(order);
      expect(states).toEqual(['with counts: alone', 'without counts: repeat']);

      const [counted, ...others] = await countedOf(tenant);
      expect(others).toEqual([]);
      const repeat = (await recordsOf(tenant)).find(({ record }) => record.input_tokens === null);
      expect(repeat?.record.interpretation.same_call).toEqual({
        state: 'repeat',
        basis: 'trace',
        confidence: 0.9,
        records: [counted?.record.id],
      });
      expect(joins.get(tenant.tenant_id)).toEqual(['joined_calls']);
    }
  });

  it('repeats one of each pair of a fan-out, if their spans tell which', async () => {
    const pairs = ['1', '2', '3'].flatMap((name) => [
      framework(0, spanned(`f${name}`, 'p')),
      uncounted(20, spanned(`s${name}`, `f${name}`)),
    ]);
    for (const order of [pairs, pairs.toReversed()]) {
      const { states } = await statesByCounts(order);
      expect(states).toEqual([
        ...Array(3).fill('with counts: alone'),
        ...Array(3).fill('without counts: repeat'),
      ]);
    }
  });

  it('repeats a call that two others counted, and leaves them joined', async () => {
    const seen = [
      framework(0, spanned('f')),
      byGateway(50, { id_basis: 'response.msg' }),
      uncounted(20, spanned('s', 'f')),
    ];
    for (const order of permutations(seen)) {
      const { states } = await statesByCounts(order);
      expect(states).toEqual(['with counts: counted', 'with counts: repeat', 'without counts: repeat']);
    }
  });

  it('repeats a call without counts below it', async () => {
    const seen = [byAgent(0, { ...spanned('f'), ...NO_COUNTS }), uncounted(20, spanned('s', 'f'))];
    for (const order of permutations(seen)) {
      const { states } = await statesByCounts(order);
      expect(states).toEqual(['without counts: alone', 'without counts: repeat']);
    }
  });
});

describe('calls that may be others', () => {
  const twin = uncounted(20, spanned('s', 'p'));
  it.each([
    ['a failed attempt', () => uncounted(20, { ...spanned('s', 'f'), status: 'error' })],
    ['another model', () => uncounted(20, { ...spanned('s', 'f'), requested_model: 'gpt-4o-mini' })],
    ['another trace', () => uncounted(20, { ...spanned('s', 'f'), trace_id: 'another trace' })],
    ['one that began later', () => uncounted(2_000, spanned('s', 'p'))],
    ['one of the same observer', () => byAgent(20, { ...spanned('s', 'p'), ...NO_COUNTS })],
    ['another id of one form', () => uncounted(20, { ...spanned('s', 'f'), id_basis: 'response.msg' })],
  ] as const)('each count: %s', async (_, other) => {
    const { states } = await statesByCounts([
      framework(0, { ...spanned('f', 'p'), call_ids: ['msg_0123456789abcdef'] }),
      other(),
    ]);
    expect(states).toEqual(['with counts: alone', 'without counts: alone']);
  });

  it.each([
    [
      'two attempts of one call, both without counts',
      () => [
        framework(0, spanned('f')),
        uncounted(20, spanned('s', 'f')),
        uncounted(500, spanned('s2', 'f')),
      ],
    ],
    [
      'equal prompts in parallel',
      () => [
        framework(0, spanned('f', 'p')),
        framework(5, spanned('f2', 'p')),
        uncounted(20, spanned('s', 'p')),
        uncounted(25, spanned('s2', 'p')),
      ],
    ],
    [
      'one that can be of two',
      () => [framework(0, spanned('f', 'p')), framework(5, spanned('f2', 'p')), twin],
    ],
  ] as const)('each count, and those without counts say that they may be others: %s', async (_, seen) => {
    for (const order of permutations(seen()).slice(0, 6)) {
      const { states, tenant } = await statesByCounts(order);
      expect(await countedOf(tenant)).toHaveLength(seen().length);
      expect(states.filter((state) => state.startsWith('without'))).toContain('without counts: ambiguous');
      expect(states.filter((state) => state.endsWith('repeat'))).toEqual([]);
    }
  });

  it('each count below a call of which the same observer counted another part', async () => {
    const seen = [
      framework(0, spanned('f')),
      sdk(10, { ...spanned('s1', 'f'), output_tokens: 7 }),
      uncounted(20, spanned('s2', 'f')),
    ];
    for (const order of permutations(seen)) {
      const { states } = await statesByCounts(order);
      expect(states.filter((state) => state.endsWith('repeat'))).toEqual([]);
      expect(states).toContain('with counts: structure');
    }
  });

  it('count again when a second candidate turns up', async () => {
    const seen = [framework(0, spanned('f', 'p')), twin];
    const { states, tenant } = await statesByCounts(seen);
    expect(states).toEqual(['with counts: alone', 'without counts: repeat']);

    await recordAll(tenant, [framework(5, spanned('f2', 'p'))]);
    expect(await countedOf(tenant)).toHaveLength(3);
  });
});

it('joins a call with at most one other, the same in any order of the observations', () => {
  const use = fc.record({
    kind: fc.constantFrom('framework', 'sdk', 'gateway'),
    isCounted: fc.boolean(),
    from: fc.nat({ max: 60 }),
    latency: fc.constantFrom(0, 30, 300),
    caller: fc.option(fc.nat({ max: 8 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(use, { maxLength: 9 }), (seen) => {
      const uses = seen.map(
        ({ kind, isCounted, from, latency, caller }, index): ObservedUse => ({
          record: String(index).padStart(26, '0'),
          kind,
          nearness: kind === 'gateway' ? 2 : 0,
          from,
          to: from + latency,
          models: ['m'],
          trace: 't',
          spans: [String(index)],
          ...(caller !== undefined && { caller: String(caller) }),
          ...(isCounted && { counts: [String(index % 2)] }),
        }),
      );
      const byRecord = new Map(uses.map((one) => [one.record, one]));
      const calls = uncountedCalls(uses);
      const taken = calls
        .filter(({ partners }) => partners.length === 1)
        .map(({ record, partners }) => `${byRecord.get(record)?.kind} ${partners[0]}`);
      expect(new Set(taken).size).toBe(taken.length);
      const sorted = (found: typeof calls) =>
        found
          .map(({ record, partners }) => [record, partners.length === 1 ? partners : partners.toSorted()])
          .toSorted();
      expect(sorted(uncountedCalls(uses.toReversed()))).toEqual(sorted(calls));
    }),
  );
});
