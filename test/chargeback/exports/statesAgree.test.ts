import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { verdictOf } from '../../../console/src/pages/records/answerVerdict.ts';
import { allocateRecord } from '../../../functions/attribution/allocation/allocateRecord.ts';
import { applyOverride } from '../../../functions/attribution/corrections/applyOverride.ts';
import { openDispute } from '../../../functions/attribution/corrections/openDispute.ts';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { type Infer, noInference } from '../../../functions/attribution/engine/inference.ts';
import { compileMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import { spendOfRecords, spendWithin } from '../../../functions/insight/budgets/spend/spend.ts';
import { sumUsage } from '../../../functions/insight/reports/reportTotals.ts';
import { cohortsOf } from '../../../functions/ledger/cohorts/cohorts.ts';
import { PersonIndex } from '../../../functions/ledger/cohorts/persons.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { fromLedgerItem, toLedgerItem } from '../../../functions/ledger/records/ledgerItem.ts';
import { hashOfPerson, personOf } from '../../../functions/ledger/records/person.ts';
import { groupOf } from '../../../functions/ledger/rollups/rollup.ts';
import type { Answer } from '../../../schemas/attribution/attributionRecord.ts';
import { Dimensions } from '../../../schemas/ledger/rollup.ts';
import { anOverride } from '../../attribution/corrections/recordFixtures.ts';
import { anEvent, aTenant, noFactors } from '../../attribution/engine/events.ts';
import { inferFixed } from '../../attribution/engine/inferenceStubs.ts';
import { aMapping, condition } from '../../attribution/mappings/mappings.ts';
import { exportInMemory } from './inMemoryExport.ts';

const AT = Date.parse('2026-10-15T12:00:00Z');
const DAY = { from: Date.parse('2026-10-15'), to: Date.parse('2026-10-16') };
/** Names an owner and a service without a person, so that suppression hides nothing. */
const mappings = compileMappings([
  aMapping(1, { owner: 'team-a', conditions: [condition('tag', 'owned')] }),
  aMapping(2, { owner: 'team-inferred', conditions: [condition('tag', 'inferred')] }),
]);

const shares = {
  method: 'fixed' as const,
  version: 'allocation-1',
  entries: [{ owner: 'team-b', share: '1' }],
};
const window = { from: '2026-10-15T00:00:00.000Z', to: '2026-10-16T00:00:00.000Z' };
const allocated = (current: Attribution): Attribution =>
  allocateRecord(current, shares, window, AT) ?? current;
const overridden =
  (members: Parameters<typeof anOverride>[0]) =>
  (current: Attribution): Attribution =>
    applyOverride(current, anOverride({ owner: undefined, service: undefined, ...members }), AT);

const disputed = (current: Attribution): Attribution =>
  openDispute(
    current,
    { id: 'dsp_1', by: 'key_1', reason: 'Not ours', owner: 'team-b', service: undefined },
    AT,
  );

type State = Answer['state'];
type Row = readonly [
  call: string,
  members: Record<string, unknown>,
  infer: Infer,
  then: (current: Attribution) => Attribution,
  owner: State,
  service: State,
];

const service = { attributed_service: 'checkout' };
const owned = { tags: ['owned'] };
const key = { api_key_name: 'shared' };
const asIs = (current: Attribution): Attribution => current;

const GRID: readonly Row[] = [
  ['owner and service', { ...owned, ...service }, noInference, asIs, 'confirmed', 'confirmed'],
  ['owner only', owned, noInference, asIs, 'confirmed', 'unassigned'],
  ['service only', service, noInference, asIs, 'unassigned', 'confirmed'],
  ['service only, with a key', { ...service, ...key }, noInference, asIs, 'unassigned', 'confirmed'],
  ['key name only', key, noInference, asIs, 'unassigned', 'unassigned'],
  [
    'an unsure service',
    { ...owned, ...service, attribution_confidence: 0.6 },
    noInference,
    asIs,
    'provisional',
    'provisional',
  ],
  ['an end user only', { end_user: 'customer-1' }, noInference, asIs, 'unassigned', 'unassigned'],
  [
    'a service and its end user',
    { ...service, end_user: 'ann' },
    noInference,
    asIs,
    'unassigned',
    'confirmed',
  ],
  ['a team and its end user', { ...owned, end_user: 'ann' }, noInference, asIs, 'confirmed', 'unassigned'],
  ['nothing', {}, noInference, asIs, 'unassigned', 'unassigned'],
  ['a guess', {}, inferFixed({ confidence: 0.12 }), asIs, 'unassigned', 'unassigned'],
  ['advice', {}, inferFixed({ confidence: 0.95, advisory: true }), asIs, 'unassigned', 'unassigned'],
  [
    'advice about a key',
    key,
    inferFixed({ confidence: 0.95, advisory: true }),
    asIs,
    'unassigned',
    'unassigned',
  ],
  [
    'the heuristic',
    {},
    inferFixed({ confidence: 0.95, basis: 'heuristic_baseline', advisory: true }),
    asIs,
    'unassigned',
    'unassigned',
  ],
  [
    'the heuristic, against a rule',
    owned,
    inferFixed({ confidence: 0.95, basis: 'heuristic_baseline', advisory: true }),
    asIs,
    'confirmed',
    'unassigned',
  ],
  ['a sure model, against a rule', owned, inferFixed(), asIs, 'confirmed', 'unassigned'],
  ['an unknown caller', {}, inferFixed({ confidence: 0.5, novel: true }), asIs, 'unassigned', 'unassigned'],
  ['a sure model', {}, inferFixed(), asIs, 'confirmed', 'confirmed'],
  ['a sure model, with a key', key, inferFixed(), asIs, 'confirmed', 'confirmed'],
  [
    'a service whose owner the model knows',
    { attributed_service: 'service-inferred' },
    inferFixed(),
    asIs,
    'confirmed',
    'confirmed',
  ],
  [
    'an owner whose service the model knows',
    { tags: ['inferred'] },
    inferFixed(),
    asIs,
    'confirmed',
    'confirmed',
  ],
  ['a person as the owner', { attributed_identity: 'ann' }, noInference, asIs, 'confirmed', 'unassigned'],
  [
    'a person as the owner, and a service',
    { attributed_identity: 'ann', ...service },
    noInference,
    asIs,
    'confirmed',
    'confirmed',
  ],
  ['disputed', { ...owned, ...service }, noInference, disputed, 'confirmed', 'confirmed'],
  ['a guess, allocated', {}, inferFixed({ confidence: 0.12 }), allocated, 'allocated', 'unassigned'],
  [
    'a rule that a person corrected',
    { ...owned, ...service },
    noInference,
    overridden({ owner: 'team-b' }),
    'confirmed',
    'confirmed',
  ],
  [
    'a model that a person corrected',
    {},
    inferFixed(),
    overridden({ owner: 'team-b' }),
    'confirmed',
    'confirmed',
  ],
  [
    'allocated, before a person named the owner',
    {},
    noInference,
    (current) => overridden({ owner: 'team-b' })(allocated(current)),
    'confirmed',
    'unassigned',
  ],
  [
    'an unsure service whose owner a person named',
    { ...service, attribution_confidence: 0.6 },
    noInference,
    overridden({ owner: 'team-b' }),
    'confirmed',
    'provisional',
  ],
  ['nothing, allocated', {}, noInference, allocated, 'allocated', 'unassigned'],
  ['service only, allocated', service, noInference, allocated, 'allocated', 'confirmed'],
  [
    'a person named the owner',
    service,
    noInference,
    overridden({ owner: 'team-b' }),
    'confirmed',
    'confirmed',
  ],
  [
    'a person named only the service',
    {},
    noInference,
    overridden({ service: 'portal' }),
    'unassigned',
    'confirmed',
  ],
  [
    'a person named the service of a key',
    key,
    noInference,
    overridden({ service: 'portal' }),
    'unassigned',
    'confirmed',
  ],
];

const recordOf = ([, members, infer, then]: Row, cost: string | null): Attribution => {
  const priced = cost === null ? {} : { estimated_cost_usd: cost };
  const times = { occurredAt: AT, receivedAt: AT, residency: null };
  const event = anEvent({ provider: 'nobody', requested_model: 'none', ...members, ...priced });
  return then(attribute(event, times, aTenant(), noFactors, { mappings, infer }));
};

const PERSONS = ['ann', 'bob', 'cy', 'dee', 'eve'].map((name) => hashOfPerson('acme', name)).sort();
const noTags = { watched: new Set<string>(), costAllocation: [] };

it.each(
  GRID.flatMap((row) =>
    ['2.5', null].map((cost) => [row[0], cost === null ? 'unknown' : 'known', row, cost] as const),
  ),
)('card, pill, report, budget and export agree: %s, price %s', async (_name, _price, row, cost) => {
  const attribution = recordOf(row, cost);
  const { record } = attribution;
  const { answers, export_eligibility } = record.interpretation;

  // The card says what the evidence is worth, for each answer, also after storage.
  expect([answers.owner.state, answers.service.state]).toEqual(row.slice(4));
  expect(fromLedgerItem(toLedgerItem(attribution), record.tenant_id)).toEqual(attribution);
  for (const who of ['owner', 'service'] as const) {
    const { state, chargeback } = answers[who];
    const isReady = state === 'confirmed' && cost !== null;
    expect(chargeback === 'ready').toBe(isReady);
    expect(state === 'confirmed' || state === 'provisional').toBe(record[who] !== null);
    // The pill of the console promises no more.
    const { tone, text } = verdictOf(answers[who], who);
    expect(tone === 'good').toBe(isReady);
    expect(/ready/i.test(text)).toBe(isReady);
    // Whoever may be charged is part of the export.
    if (isReady) expect(export_eligibility).toBe('eligible');
  }

  // The totals count the call under these states.
  const { dimensions, figures } = groupOf(attribution, noTags);
  // Five persons, so that no state is hidden.
  const group = { dimensions, figures: { ...figures, persons: PERSONS } };
  const rollup = { start: DAY.from, grain: 'day' as const, asOf: AT, groups: [group] };
  const totals = { invocations: 1, cost_usd: cost ?? '0', unpriced_invocations: cost === null ? 1 : 0 };
  const cohorts = cohortsOf(new PersonIndex(record.tenant_id, []), [{ start: DAY.from, rollups: [rollup] }]);
  expect(sumUsage(cohorts, 0)).toMatchObject({
    owner_states: { [answers.owner.state]: totals },
    service_states: { [answers.service.state]: totals },
  });
  // With fewer persons the states are hidden, and hidden is none of them.
  const few = { dimensions, figures: { ...figures, persons: PERSONS.slice(0, 4) } };
  const hidden = cohortsOf(new PersonIndex(record.tenant_id, []), [
    { start: DAY.from, rollups: [{ ...rollup, groups: [few] }] },
  ]);
  expect(sumUsage(hidden, 0)).toMatchObject({
    owner_states: { mixed: totals },
    service_states: { mixed: totals },
  });
  const spend = spendWithin(spendOfRecords({ scope: {}, residency: null }, [rollup]), DAY);
  expect(spend.byState).toEqual({ [answers.owner.state]: cost ?? '0' });

  // The bill has the call if its record is eligible, and charges it only to a name that is ready.
  const { manifest, contents } = await exportInMemory([attribution], { group_by: ['owner', 'service'] });
  const isBilled = export_eligibility === 'eligible';
  const rows = [...contents.values()].flatMap((file) =>
    parse<Record<string, string>>(file, { columns: true }),
  );
  // The row of one person names nobody.
  const isHidden = personOf(attribution) !== null;
  const nameInBill = isHidden ? '' : answers.owner.chargeback === 'ready' ? record.owner : '(unassigned)';
  expect(manifest.totals.records).toBe(isBilled ? 1 : 0);
  expect(new Set(rows.map((cells) => cells['SubAccountId']))).toEqual(new Set(isBilled ? [nameInBill] : []));
  for (const who of ['owner', 'service'] as const) {
    const isUnassigned = isBilled && !isHidden && answers[who].chargeback !== 'ready';
    expect(manifest.unassigned[who]?.records).toBe(isUnassigned ? 1 : 0);
    expect(manifest.unassigned[who]?.cost_usd).toBe(isUnassigned ? cost : '0');
  }
  // An unknown cost is not 0.
  const unpriced = manifest.excluded.filter(({ reason }) => reason === 'unpriced');
  expect(unpriced.map(({ cost_usd }) => cost_usd)).toEqual(export_eligibility === 'unpriced' ? [null] : []);
});

it('reads the states of sums that were stored without them', () => {
  const stored = (members: Record<string, unknown>) => {
    const { owner_state, service_state } = Dimensions.parse({
      owner: 'team-a',
      service: null,
      provider: 'openai',
      served_model: 'gpt-4o',
      pathway_category: 'unknown',
      residency: null,
      tags: [],
      output_state: 'deterministically_resolved',
      confidence_band: 'chargeback_ready',
      ...members,
    });
    return [owner_state, service_state];
  };

  expect(stored({})).toEqual(['confirmed', 'unassigned']);
  expect(stored({ confidence_band: 'estimated' })).toEqual(['provisional', 'unassigned']);
  expect(
    stored({ owner: null, service: 'a', output_state: 'allocated', confidence_band: 'estimated' }),
  ).toEqual(['allocated', 'provisional']);
});
