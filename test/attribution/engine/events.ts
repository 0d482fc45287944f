import fc from 'fast-check';
import type { Factors } from '../../../functions/impact/factors.ts';
import { publishedRules } from '../../../functions/impact/price/rules/publishedRules.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { InvocationEvent, PathwayCategory } from '../../../schemas/ingest/invocationEvent.ts';
import { canonicalText } from '../../../schemas/labels/canonicalText.ts';

const NOON = Date.parse('2026-07-15T12:00:00Z');

/** A call after ingestion, without evidence of its caller. */
export const anEvent = (members: Record<string, unknown> = {}): InvocationEvent =>
  InvocationEvent.parse({
    event_id: '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11',
    ingestion_layer: 'gateway',
    ingestion_timestamp: new Date(NOON).toISOString(),
    provider: 'openai',
    requested_model: 'gpt-4o',
    input_tokens: 1_000,
    output_tokens: 200,
    ...members,
  });

export const aTenant = (members: Partial<Tenant> = {}): Tenant => ({
  tenant_id: 'acme',
  name: 'Acme',
  tag: 'abcdefgh',
  plan: 'enterprise',
  limits: {},
  residency: [],
  key_lifetime_days: 365,
  stage_b: 'enabled',
  allocation: { method: 'proportional' },
  cost_allocation_tags: [],
  created_at: '2026-01-01T00:00:00.000Z',
  ...members,
});

/** The provenance of what an API key of the tenant states. */
export const aKey = { kind: 'api_key', id: 'key_abcdefgh01KA3Z5V7JQ2M6X9R8T4B1C0DE' } as const;

/** Factors without prices, for tests that do not check costs. */
export const noFactors: Factors = {
  version: 'none',
  prices: { find: () => null },
  rules: publishedRules,
  aliases: new Map(),
};

/** Any text that is valid as a label, including other scripts, emoji and names of inherited object properties. */
const labels = (maxLength: number) =>
  fc.oneof(
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: Math.min(maxLength, 12) })
      .filter((text) => /^[^\p{Cc}\p{Cs}]+$/u.test(text))
      .map(canonicalText)
      .filter((text) => text !== '' && text.length <= maxLength),
    fc.constantFrom('constructor', '__proto__', 'toString', 'null', '-0'),
  );

const decimals = fc
  .tuple(fc.nat(), fc.bigInt({ min: 0n, max: 999_999_999_999n }), fc.nat({ max: 12 }))
  .map(([whole, fraction, digits]) =>
    digits === 0 ? String(whole) : `${whole}.${String(fraction).padStart(12, '0').slice(0, digits)}`,
  );

const stamps = fc
  .date({ min: new Date('2025-07-01'), max: new Date('2027-06-30'), noInvalidDate: true })
  .map((date) => date.toISOString());

const tokens = fc.nat({ max: 1_000_000 });

/** Any valid event, with any subset of the optional members. */
export const anyEvent: fc.Arbitrary<InvocationEvent> = fc
  .record(
    {
      event_id: fc.uuid(),
      ingestion_layer: fc.oneof(fc.constantFrom('application', 'gateway', 'proxy', 'batch'), labels(64)),
      ingestion_timestamp: stamps,
      provider: fc.oneof(fc.constantFrom('openai', 'anthropic', 'aws'), labels(64)),
      requested_model: fc.oneof(fc.constantFrom('gpt-4o', 'claude-sonnet-4-5', 'nothing'), labels(256)),
      served_model: labels(256),
      operation: labels(64),
      occurred_at: stamps,
      region: fc.oneof(fc.constantFrom('us-east-1', 'eu-central-1'), labels(64)),
      uncachedTokens: tokens,
      cached_input_tokens: tokens,
      cache_write_tokens: tokens,
      visibleTokens: tokens,
      reasoning_tokens: tokens,
      service_tier: fc.oneof(fc.constantFrom('priority', 'flex'), labels(32)),
      batch: fc.boolean(),
      estimated_cost_usd: decimals,
      cost_breakdown: fc.record({ input: decimals, output: decimals }, { requiredKeys: [] }),
      energy_wh: decimals,
      carbon_gco2e: decimals,
      latency_ms: fc.nat({ max: 86_400_000 }),
      attributed_identity: labels(256),
      attributed_service: labels(256),
      attribution_confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      trace_id: labels(64),
      k8s_namespace: labels(253),
      k8s_workload: labels(253),
      k8s_cluster: labels(253),
      spiffe_id: fc.constantFrom('spiffe://prod.example.org/ns/search/sa/ranker', 'spiffe://example.org/vm'),
      api_key_name: labels(128),
      pathway_category: fc.constantFrom(...PathwayCategory.options),
      source_system: labels(128),
      tags: fc.array(labels(64), { maxLength: 20 }),
      status: fc.constantFrom('ok', 'error', 'incomplete'),
    },
    {
      requiredKeys: ['event_id', 'ingestion_layer', 'ingestion_timestamp', 'provider', 'requested_model'],
    },
  )
  .map(({ uncachedTokens, visibleTokens, ...members }) =>
    InvocationEvent.parse({
      ...members,
      // The schema requires that parts do not exceed the total.
      ...(uncachedTokens !== undefined && {
        input_tokens: uncachedTokens + (members.cached_input_tokens ?? 0) + (members.cache_write_tokens ?? 0),
      }),
      ...(visibleTokens !== undefined && { output_tokens: visibleTokens + (members.reasoning_tokens ?? 0) }),
    }),
  );
