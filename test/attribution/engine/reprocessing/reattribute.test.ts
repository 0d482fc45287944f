import { beforeAll, describe, expect, it } from 'vitest';
import { applyOverride } from '../../../../functions/attribution/corrections/applyOverride.ts';
import { openDispute } from '../../../../functions/attribution/corrections/openDispute.ts';
import { type AttributionContext, attribute } from '../../../../functions/attribution/engine/attribute.ts';
import { reattribute } from '../../../../functions/attribution/engine/reprocessing/reattribute.ts';
import { compileMappings } from '../../../../functions/attribution/mappings/mappingRules.ts';
import { type Factors, loadFactors } from '../../../../functions/impact/factors.ts';
import { contractPriceSource } from '../../../../functions/impact/price/contractPrices.ts';
import type { Attribution } from '../../../../functions/ledger/records/attribution.ts';
import { fromLedgerItem, toLedgerItem } from '../../../../functions/ledger/records/ledgerItem.ts';
import { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { Explanation } from '../../../../schemas/attribution/explanation.ts';
import { anOverride } from '../../corrections/recordFixtures.ts';
import { aMapping, condition } from '../../mappings/mappings.ts';
import { anEvent, aTenant, noFactors } from '../events.ts';
import { inferFixed } from '../inferenceStubs.ts';

const arrived = {
  occurredAt: Date.parse('2026-07-15T12:00:00Z'),
  receivedAt: Date.parse('2026-07-15T12:00:01Z'),
  residency: 'eu',
};
const AT = Date.parse('2026-07-20T08:00:00.123Z');
const mappings = compileMappings([aMapping(1, { conditions: [condition('identity', 'ann')] })]);

let factors: Factors;
/** The same factors with half the price for the model of these events. */
let cheaper: Factors;

beforeAll(async () => {
  factors = await loadFactors();
  const prices = contractPriceSource([
    { provider: 'openai', model: 'gpt-4o', from: '2026-01-01T00:00:00.000Z', input: '1.25', output: '5' },
  ]);
  cheaper = await loadFactors({ contract: { version: 'contract-2', prices } });
});

const ann = anEvent({ attributed_identity: 'ann' });
const unidentified = anEvent();

const attributed = (event = ann, context: AttributionContext = {}): Attribution =>
  fromLedgerItem(toLedgerItem(attribute(event, arrived, aTenant(), factors, context)), 'acme');
const reattributed = (
  current: Attribution,
  context: Parameters<typeof reattribute>[3] = {},
  using = factors,
) => reattribute(current, aTenant(), using, context, AT);
const expectValid = ({ record, explanation }: Attribution) => {
  expect(AttributionRecord.strict().parse(record)).toEqual(record);
  expect(Explanation.strict().parse(explanation)).toEqual(explanation);
};

describe('reattribute', () => {
  it.each([
    ['mappings', ann, { mappings }, { owner: 'owner-1' }],
    [
      'model',
      unidentified,
      { infer: inferFixed() },
      { owner: 'team-inferred', output_state: 'strongly_inferred' },
    ],
    [
      'trace',
      unidentified,
      {
        trace: {
          source: { relation: 'trace', span_id: null, evidence: { attributed_identity: 'bob' } },
          repeatsUsage: false,
        },
      },
      { owner: 'bob', coper: 0.8 },
    ],
  ] as const)(
    'returns the next version, valid from the given time, when the %s changes',
    (_, event, context, members) => {
      const current = attributed(event);

      const next = reattributed(current, context);

      expect(next?.record).toMatchObject({
        ...members,
        version: 2,
        as_of: '2026-07-20T08:00:00.123Z',
        created_at: current.record.created_at,
        occurred_at: current.record.occurred_at,
        residency: 'eu',
        id: current.record.id,
      });
      if (next !== null) {
        expectValid(next);
        expect(reattributed(fromLedgerItem(toLedgerItem(next), 'acme'), context)).toBeNull();
      }
    },
  );

  it('updates the cost and keeps the owner when prices change', () => {
    const current = attributed();

    const next = reattributed(current, {}, cheaper);

    expect([current.record.cost_usd, next?.record.cost_usd]).toEqual(['0.0045', '0.00225']);
    expect(next?.record).toMatchObject({ version: 2, owner: 'ann', coper: 0.95 });
    expect(next?.explanation.cost?.source).toBe('contract');
  });

  it.each([
    ['amount', { estimated_cost_usd: '123456' }, { estimated_cost_usd: '123457' }],
    ['usage', { web_searches: 900_000_000 }, { web_searches: 900_000_001 }],
  ])(
    'keeps a cost that a person confirmed, whatever is decided again, and forgets it with another %s',
    (_, claim, otherClaim) => {
      const reported = anEvent({ attributed_identity: 'ann', ...claim });
      const waiting = attributed(reported);
      const usd = waiting.storedEvent.cost_to_confirm?.central ?? '';
      const confirmedCost = { usd, by: 'usr_1', at: '2026-07-16T00:00:00.000Z' };
      expect(waiting.explanation.reported_cost?.usd).toBe(usd);
      const confirmed = attribute(reported, { ...arrived, confirmedCost }, aTenant(), factors);
      const limited = { ...factors, largestCostUsd: '1' };
      const observed = (event: typeof reported) => ({
        event,
        observations: undefined,
        isContradicted: false,
      });
      const trace = { source: null, repeatsUsage: false };

      expect(waiting.record.interpretation.unknown).toMatchObject({ cost: 'implausible_cost' });
      // Other prices give the usage another cost.
      for (const using of 'estimated_cost_usd' in claim ? [factors, cheaper, limited] : [factors, limited]) {
        for (const context of [{}, { mappings }, { trace }, { mappings, observed: observed(reported) }]) {
          const next =
            reattributed(fromLedgerItem(toLedgerItem(confirmed), 'acme'), context, using) ?? confirmed;

          expect(next.record.cost_usd).toBe(usd);
          expect(next.explanation.reported_cost).toMatchObject({ confirmed_by: 'usr_1' });
          expect(next.storedEvent.confirmed_cost).toEqual(confirmedCost);
        }
      }
      const other = anEvent({ attributed_identity: 'ann', ...otherClaim });

      expect(reattributed(confirmed, { observed: observed(other) })?.record.cost_usd).toBeNull();
    },
  );

  it('restores the original owner when a mapping is removed', () => {
    const mapped = attributed(ann, { mappings });

    expect(reattributed(mapped)?.record).toMatchObject({ version: 2, owner: 'ann' });
  });

  it('returns null when other rules give the same result', () => {
    const others = compileMappings([aMapping(1, { conditions: [condition('identity', 'bob')] })]);

    expect(reattributed(attributed(), { mappings: others })).toBeNull();
  });

  it('stores the new rules version when the result changes', () => {
    const next = reattributed(attributed(), { mappings });

    expect(next?.explanation.rules_version).toMatch(/^deterministic-\d+\+mappings-[0-9a-f]{12}$/);
    expect(next?.record.interpretation.model_version).toBe(next?.explanation.rules_version);
  });

  it.each([
    ['a new version for another model with the same result', { model_version: 'mdl_2' }, 'mdl_2'],
    ['null for the same model', {}, undefined],
  ])('returns %s', (_, members, version) => {
    const current = attributed(unidentified, { infer: inferFixed() });

    const next = reattributed(current, { infer: inferFixed(members) });

    expect(next?.record.interpretation.model_version).toBe(version);
  });

  it('returns null when only the measured probability of a trace changed', () => {
    const measured = (probability: number) =>
      Object.assign(inferFixed(), { traced: () => ({ probability, advisory: false }) });
    const evidence = { attributed_identity: 'ann', attributed_service: 'search' };
    const trace = { source: { relation: 'trace' as const, span_id: null, evidence }, repeatsUsage: false };
    const current = attributed(unidentified, { trace, infer: measured(0.98) });

    expect(current.record.interpretation.answers.owner.probability).toBe(0.98);
    expect(reattributed(current, { infer: measured(0.97) })).toBeNull();
  });

  it.each([
    ['alone', {}],
    ['beside a service that the call names', { attributed_service: 'search' }],
  ])(
    'returns a version that charges nobody when the owner of a trace is measured to be often wrong: %s',
    (_, members) => {
      const measured = (probability: number) =>
        Object.assign(inferFixed(), { traced: () => ({ probability, advisory: false }) });
      const evidence = { attributed_identity: 'ann' };
      const trace = { source: { relation: 'trace' as const, span_id: null, evidence }, repeatsUsage: false };
      const current = attributed(anEvent(members), { trace, infer: measured(0.98) });

      const next = reattributed(current, { infer: measured(0.6) });

      expect(current.record.interpretation.answers.owner.confidence).toBe(0.8);
      expect(next?.record.interpretation.answers.owner).toMatchObject({
        state: 'provisional',
        confidence: 0.6,
      });
    },
  );

  it('uses the stored trace evidence when the context has none', () => {
    const trace = {
      source: { relation: 'ancestor', span_id: 's', evidence: { attributed_identity: 'ann' } },
      repeatsUsage: true,
    } as const;
    const current = attributed(unidentified, { trace });

    const next = reattributed(current, { mappings });

    expect(next?.record).toMatchObject({ owner: 'owner-1', cost_usd: '0' });
    expect(next?.storedEvent.trace).toEqual(trace);
  });
});

describe('reattribute, for an overridden record', () => {
  const overriddenOnce = () => applyOverride(attributed(), anOverride(), AT - 1_000);

  it('keeps what the override named when mappings change', () => {
    const current = overriddenOnce();

    const next = reattributed(current, { mappings });

    const { answers, ...card } = current.record.interpretation;
    expect(next?.record).toMatchObject({
      version: 3,
      owner: 'team-b',
      output_state: 'manually_overridden',
      coper: 0.95,
      interpretation: card,
    });
    expect(next?.record.interpretation.answers.owner).toMatchObject({
      state: answers.owner.state,
      evidence_basis: 'manual_override',
      candidates: [{ name: 'owner-1' }, { name: 'ann' }],
    });
    expect(next?.explanation.overrides).toEqual(current.explanation.overrides);
    expect(next?.explanation.rules[0]).toMatchObject({ rule: 'mapping', owner: 'owner-1' });
    if (next !== null) expectValid(next);
  });

  it('updates the cost when prices change', () => {
    const next = reattributed(overriddenOnce(), {}, cheaper);

    expect(next?.record).toMatchObject({ version: 3, owner: 'team-b', cost_usd: '0.00225' });
  });

  it('becomes eligible for export when a price is known', () => {
    const unpriced = attribute(ann, arrived, aTenant(), noFactors);
    const current = applyOverride(unpriced, anOverride(), AT - 1_000);

    const next = reattributed(current);

    expect(current.record.interpretation).toMatchObject({ export_eligibility: 'unpriced' });
    expect(next?.record.interpretation).toMatchObject({ export_eligibility: 'eligible' });
    expect(next?.record.interpretation.unknown?.cost).toBeUndefined();
    if (next !== null) expectValid(next);
  });

  it('keeps the reason while its cost is unknown', () => {
    const unpriced = attribute(ann, arrived, aTenant(), noFactors);
    const current = applyOverride(unpriced, anOverride(), AT - 1_000);

    const next = reattributed(current, { mappings }, noFactors);

    expect(next?.record).toMatchObject({ version: 3, cost_usd: null });
    const { answers: _answers, ...card } = current.record.interpretation;
    expect(next?.record.interpretation).toMatchObject(card);
    expect(next?.record.interpretation.unknown?.cost).toBe('price_not_found');
  });

  it('returns null when nothing changes', () => {
    expect(reattributed(fromLedgerItem(toLedgerItem(overriddenOnce()), 'acme'))).toBeNull();
  });
});

describe('reattribute, for a disputed record', () => {
  const dispute = { id: 'dsp_1', by: 'key_1', reason: 'Not ours', owner: undefined, service: undefined };

  it('keeps the dispute open in the new version', () => {
    const current = openDispute(attributed(), dispute, AT - 1_000);

    const next = reattributed(current, { mappings });

    expect(next?.record).toMatchObject({ version: 3, owner: 'owner-1', dispute: current.record.dispute });
    expect(next?.record.dispute?.status).toBe('open');
  });

  it('returns null when nothing else changes', () => {
    expect(
      reattributed(fromLedgerItem(toLedgerItem(openDispute(attributed(), dispute, AT - 1_000)), 'acme')),
    ).toBeNull();
  });
});
