import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { itemSize } from '../../bench/cost/itemSize.ts';
import { attribute } from '../../functions/attribution/attribute.ts';
import { type Factors, loadFactors } from '../../functions/impact/factors.ts';
import type { Attribution } from '../../functions/ledger/attribution.ts';
import { toVersionItem } from '../../functions/ledger/ledger.store.ts';
import { fromLedgerItem, toLedgerItem } from '../../functions/ledger/ledgerItem.ts';
import { dictionaries, NEWEST_DICTIONARY } from '../../functions/ledger/ledgerItemDictionary.ts';
import { sha256Of } from '../../functions/shared/hash.ts';
import { ulidInId } from '../../functions/shared/ids.ts';
import { anEvent, anyEvent, aTenant } from '../attribution/events.ts';

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

it('gives back every attribution to the last byte', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const attribution = attribute(event, instants, aTenant(), factors);

      const back = fromLedgerItem(toLedgerItem(attribution), 'acme');

      expect(back).toEqual(attribution);
      expect(JSON.stringify(back.explanation)).toBe(JSON.stringify(attribution.explanation));
    }),
  );
});

it('keeps quantities as numbers beside the rest, and unknown ones out', () => {
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

/** Calls as they come: an application's, a gateway's in a trace, a cluster's with all it knows, one nobody can price. */
const calls: readonly [string, Record<string, unknown>][] = [
  ['that says little', {}],
  [
    'of a trace',
    { operation: 'chat', trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' },
  ],
  [
    'of a cluster',
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
    },
  ],
  ['of an unknown model', { provider: 'nobody', requested_model: 'no' }],
];

it.each(calls)('keeps a call %s within the one kilobyte of a write unit, indexes included', (_, members) => {
  const event = anEvent({ attributed_identity: 'team-search', attributed_service: 'search', ...members });
  const attribution = attribute(event, instants, aTenant(), factors);

  const item = toVersionItem('acme#2026-07#0', ulidInId(attribution.record.id), attribution, 1_900_000_000);

  expect(itemSize(item)).toBeLessThan(1_024);
});

describe('an item that holds no record', () => {
  it.each([
    ['of another dictionary', { dictionary: 0 }],
    ['cut short', { detail: new Uint8Array([0x01]) }],
    ['with a quantity that is no decimal', { cost: '1e-7' }],
  ])('%s is refused', (_, damage) => {
    const item = { ...toLedgerItem(typical), ...damage };

    expect(() => fromLedgerItem(item, 'acme')).toThrow();
  });
});

it('never changes a dictionary that items were written with', () => {
  const digests = Object.values(dictionaries).map((bytes) => sha256Of(bytes).toString('hex').slice(0, 16));

  expect(digests).toEqual(['33469b0a2248546d', '12b37b3c1f08a75c']);
});
