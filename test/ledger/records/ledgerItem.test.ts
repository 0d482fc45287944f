import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { itemSize } from '../../../bench/cost/itemSize.ts';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { type Factors, loadFactors } from '../../../functions/impact/factors.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { toVersionItem } from '../../../functions/ledger/records/ledger.store.ts';
import { fromLedgerItem, toLedgerItem } from '../../../functions/ledger/records/ledgerItem.ts';
import { dictionaries, NEWEST_DICTIONARY } from '../../../functions/ledger/records/ledgerItemDictionary.ts';
import { sha256Of } from '../../../functions/platform/shared/hash.ts';
import { ulidInId } from '../../../functions/platform/shared/ids.ts';
import { anEvent, anyEvent, aTenant } from '../../attribution/engine/events.ts';

const instants = {
  occurredAt: Date.parse('2026-07-15T12:00:00Z'),
  receivedAt: Date.parse('2026-07-15T12:00:01Z'),
  residency: null,
};

let factors: Factors;
let typical: Attribution;

beforeAll(async () => {
  factors = await loadFactors();
  const members = { attributed_identity: 'team-search', attributed_service: 'search', region: 'us-east-1' };
  typical = attribute(anEvent({ ...members, latency_ms: 4_000 }), instants, aTenant(), factors);
});

it('restores every attribution exactly', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const attribution = attribute(event, instants, aTenant(), factors);

      const restored = fromLedgerItem(toLedgerItem(attribution), 'acme');

      expect(restored).toEqual(attribution);
      expect(JSON.stringify(restored.explanation)).toBe(JSON.stringify(attribution.explanation));
    }),
  );
});

it('stores known quantities uncompressed and unknown ones as null', () => {
  const unpriced = attribute(
    anEvent({ provider: 'nobody', requested_model: 'no' }),
    instants,
    aTenant(),
    factors,
  );

  const items = [toLedgerItem(typical), toLedgerItem(unpriced)];

  expect(items[0]).toMatchObject({ cost: '0.0045', dictionary: NEWEST_DICTIONARY });
  expect(items[1]?.cost).toBeNull();
});

/** Typical calls: minimal, in a trace, with all Kubernetes evidence and an end user, and without a known price. */
const calls: readonly [string, Record<string, unknown>][] = [
  ['with few members', {}],
  [
    'in a trace',
    { operation: 'chat', trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' },
  ],
  [
    'with all Kubernetes evidence',
    {
      provider: 'anthropic',
      requested_model: 'claude-sonnet-4-5',
      operation: 'chat',
      region: 'eu-west-1',
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      span_id: '00f067aa0ba902b7',
      parent_span_id: '53995c3f42cd8ad8',
      k8s_cluster: 'prod-eu-1',
      k8s_namespace: 'search',
      k8s_workload: 'ranker',
      spiffe_id: 'spiffe://prod.example.org/ns/search/sa/ranker',
      api_key_name: 'prod-key-1',
      tags: ['env:prod', 'team:search'],
      end_user: 'ann.applebaum@example.org',
    },
  ],
  [
    'with a cache, in a region with a contract for power',
    {
      requested_model: 'gpt-5-mini-2025-08-07',
      operation: 'chat',
      region: 'westeurope',
      provider: 'azure.ai.openai',
      cached_input_tokens: 640,
      reasoning_tokens: 55,
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      span_id: '00f067aa0ba902b7',
      tags: ['env:staging', 'feature:recommendations', 'release:2026-11-20'],
      end_user: 'person-10@team-commerce.example',
    },
  ],
  ['of an unknown model', { provider: 'nobody', requested_model: 'no' }],
];

/** Bytes of a write unit that typical calls leave free, for longer names and for members that a version adds. */
const RESERVE = 240;

it.each(calls)('stores a call %s in one write unit of 1 KB, with a reserve', (_, members) => {
  const event = anEvent({ attributed_identity: 'team-search', attributed_service: 'search', ...members });
  const attribution = attribute(event, instants, aTenant(), factors);

  const item = toVersionItem('acme#2026-07#0', ulidInId(attribution.record.id), attribution, 1_900_000_000);

  expect(itemSize(item)).toBeLessThan(1_024 - RESERVE);
});

describe('fromLedgerItem, for an invalid item', () => {
  it.each([
    ['with an unknown dictionary', { dictionary: 0 }],
    ['with truncated detail', { detail: new Uint8Array([0x01]) }],
    ['with a quantity that is not a decimal', { cost: '1e-7' }],
  ])('throws for an item %s', (_, damage) => {
    const item = { ...toLedgerItem(typical), ...damage };

    expect(() => fromLedgerItem(item, 'acme')).toThrow();
  });
});

it('has unchanged dictionaries', () => {
  const digests = Object.values(dictionaries).map((bytes) => sha256Of(bytes).toString('hex').slice(0, 16));

  expect(digests).toEqual(['8ee244878c4b24bc', '4a0f2ec844f84abc']);
});
