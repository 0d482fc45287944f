import fc from 'fast-check';
import { allocateRecord } from '../../../functions/attribution/allocation/allocateRecord.ts';
import { computeShares } from '../../../functions/attribution/allocation/shares.ts';
import type { EventMetadata } from '../../../functions/attribution/engine/attribute.ts';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import type { Factors } from '../../../functions/impact/factors.ts';
import { NO_PRICES, type PriceSheet } from '../../../functions/impact/price/priceSheet.ts';
import { publishedRules } from '../../../functions/impact/price/rules/publishedRules.ts';
import { withAnswers } from '../../../functions/ledger/records/answers.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { recordUlid } from '../../../functions/platform/shared/ids.ts';
import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';

const MIDDAY = '2026-10-14T12:34:56.789Z';
const TENANT = { tenant_id: 'acme', tag: 'abcdefgh' };

const sheet: PriceSheet = {
  ...NO_PRICES,
  input: '0.4',
  cached_input: '0.1',
  output: '1.6',
  source: 'catalogue',
  catalogue: 'list@1',
  match: 'exact',
  pricedModel: 'gpt-4.1-mini',
  otherModalities: false,
  aboveTokens: -1,
  tiers: {},
};

/** Half of the published price of input, and no published price of cached input. */
const contract: PriceSheet = {
  ...sheet,
  input: '0.2',
  cached_input: '0.05',
  source: 'contract',
  catalogue: 'contract@1',
};

/** One price for all models except `unpriced`. `agent` also has a fee for each request, `contracted` a contract price. */
const factors: Factors = {
  version: 'test',
  rules: publishedRules,
  aliases: new Map(),
  prices: {
    find: (_provider, model) => {
      if (model === 'unpriced') return null;
      if (model === 'contracted') return contract;
      return model === 'agent' ? { ...sheet, request: '2500' } : sheet;
    },
  },
  published: { find: () => ({ ...sheet, cached_input: null, input: '0.4' }) },
};

/** Values of a call that differ from the default record. */
export interface Call {
  readonly event?: Record<string, unknown>;
  readonly owner?: string | null;
  readonly service?: string | null;
  readonly person?: string;
  readonly at?: string;
  readonly residency?: string | null;
  readonly record?: Partial<AttributionRecord>;
}

let recordCount = 0;

/** A call attributed with high confidence. Default: 1,500 input and 400 output tokens. */
export const aRecord = ({ event, at = MIDDAY, residency = null, ...call }: Call = {}): Attribution => {
  recordCount += 1;
  const eventId = `6f1f8f2e-8c61-4a0e-9b43-${String(recordCount).padStart(12, '0')}`;
  const arrived: EventMetadata = {
    occurredAt: Date.parse(at),
    receivedAt: Date.parse(at) + 1_000,
    residency,
    // Some records have another number of shard bits, so that readers must merge shards.
    record: recordUlid(TENANT.tenant_id, eventId, Date.parse(at), recordCount % 3),
  };
  const attribution = attribute(
    InvocationEvent.parse({
      event_id: eventId,
      ingestion_layer: 'gateway',
      ingestion_timestamp: at,
      provider: 'openai',
      requested_model: 'gpt-4.1-mini',
      input_tokens: 1_500,
      output_tokens: 400,
      ...event,
      attributed_identity: 'placeholder',
    }),
    arrived,
    TENANT,
    factors,
  );
  const { attributed_identity: _placeholder, ...storedEvent } = attribution.storedEvent;
  const { owner = 'team-search', service = 'ranking', person, record } = call;
  return {
    ...attribution,
    storedEvent: { ...storedEvent, ...(person !== undefined && { attributed_identity: person }) },
    record: withAnswers({ ...attribution.record, owner, service, ...record }, attribution.explanation),
  };
};

/** The same call by each of `count` persons. */
export const byPersons = (count: number, call: Call = {}, prefix = 'person'): Attribution[] =>
  Array.from({ length: count }, (_, index) => aRecord({ ...call, person: `${prefix}-${index}` }));

/** An unattributed call, allocated to two teams in the ratio 2:1, so that no amount divides evenly. */
export const anAllocatedRecord = (call: Call = {}): Attribution => {
  const unresolved = aRecord({ ...call, owner: null, service: null, record: { output_state: 'unresolved' } });
  const shares = computeShares(
    new Map([
      ['team-search', { cost_usd: 2n, energy_wh: 2n, carbon_gco2e: 2n }],
      ['team-chat', { cost_usd: 1n, energy_wh: 1n, carbon_gco2e: 1n }],
    ]),
    { method: 'proportional' },
  );
  const window = { from: '2026-10-14T00:00:00.000Z', to: '2026-10-15T00:00:00.000Z' };
  const shared = allocateRecord(unresolved, shares, window, Date.parse('2026-10-15T02:00:00Z'));
  if (shared === null) throw new Error('the record has no share to allocate');
  return shared;
};

const decimals = fc
  .tuple(fc.nat({ max: 20 }), fc.nat({ max: 999_999_999 }))
  .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(9, '0')}`);
const tokens = fc.nat({ max: 100_000 });
const hours = fc
  .nat({ max: 24 * 60 })
  .map((hour) => new Date(Date.UTC(2026, 8, 1, hour, 12, 3)).toISOString());

/** One of several values, and seldom another, which excludes a record: most must be exported to test anything. */
const oftenFrom = <Value>(often: readonly Value[], seldom: Value): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...often) },
    { weight: 1, arbitrary: fc.constant(seldom) },
  );

const events = fc.record(
  {
    provider: fc.constantFrom('openai', 'aws.bedrock', 'constructor'),
    requested_model: oftenFrom(['gpt-4.1-mini', 'agent', 'contracted'], 'unpriced'),
    region: fc.constantFrom('us-east-1', 'eu-central-1'),
    pathway_category: fc.constantFrom('unknown', 'agent_workflow'),
    input_tokens: tokens,
    output_tokens: tokens,
    reads: fc.constantFrom(0, 2, 3),
    estimated_cost_usd: decimals,
    cost_breakdown: fc.record({ input: decimals, output: decimals }, { requiredKeys: [] }),
    energy_wh: decimals,
    service_tier: fc.constantFrom('priority', 'flex'),
    operation: oftenFrom(['chat'], 'invoke_agent'),
  },
  { requiredKeys: [] },
);

const calls = fc.record({
  event: events.map(({ reads = 0, ...event }) => ({
    ...event,
    ...(event.input_tokens !== undefined &&
      reads > 0 && { cached_input_tokens: Math.floor(event.input_tokens / reads) }),
  })),
  at: hours,
  owner: fc.constantFrom('team-search', 'team-chat', 'person-3', '=team', null),
  service: fc.constantFrom('ranking', 'answers', null),
  residency: fc.constantFrom('eu', 'us'),
  /** How many persons make the call; null: a program. */
  persons: fc.option(fc.constantFrom(1, 2, 5, 7)),
  isUncertain: oftenFrom([false], true),
  isAllocated: oftenFrom([false], true),
});

/** Arbitrary ledgers of two months: known and unknown costs, high and low confidence, two lanes, groups of one to many persons. */
export const ledgers = fc.array(calls, { maxLength: 15 }).map((list) =>
  list.flatMap(({ persons, isUncertain, isAllocated, ...call }) => {
    if (isAllocated) return [anAllocatedRecord(call)];
    const records = persons === null ? [aRecord(call)] : byPersons(persons, call);
    return isUncertain ? records.map(belowTheFloor) : records;
  }),
);

const belowTheFloor = (certain: Attribution): Attribution => {
  const { interpretation } = certain.record;
  const uncertain = {
    ...certain.record,
    interpretation: { ...interpretation, confidence: 0.7, export_eligibility: 'below_floor' as const },
  };
  return { ...certain, record: withAnswers(uncertain, certain.explanation) };
};
