import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Attribution, attribute } from '../../functions/attribution/attribute.ts';
import { type Factors, loadFactors } from '../../functions/attribution/impact/factors.ts';
import { fromItem, toItem } from '../../functions/attribution/item.ts';
import { dictionaries, NEWEST_DICTIONARY } from '../../functions/attribution/itemDictionary.ts';
import { sha256Of } from '../../functions/shared/hash.ts';
import { anEvent, anyEvent, aTenant } from './events.ts';

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

      const back = fromItem(toItem(attribution), 'acme');

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

  const items = [toItem(typical), toItem(unpriced)];

  expect(items[0]).toMatchObject({ cost: '0.0045', dictionary: NEWEST_DICTIONARY });
  expect(items[1]?.cost).toBeNull();
});

it('keeps a typical record within the one kilobyte of a write unit', () => {
  const { detail, cost, energy, carbon } = toItem(typical);

  // Keys, names and numbers around the detail: partition, sort key, from, dictionary, ttl.
  const around = 'acme#2026-07#0'.length + 33 + `${cost}${energy}${carbon}`.length + 80;
  expect(detail.byteLength + around).toBeLessThan(1_024);
});

describe('an item that holds no record', () => {
  it.each([
    ['of another dictionary', { dictionary: 0 }],
    ['cut short', { detail: new Uint8Array([0x01]) }],
    ['with a quantity that is no decimal', { cost: '1e-7' }],
  ])('%s is refused', (_, damage) => {
    const item = { ...toItem(typical), ...damage };

    expect(() => fromItem(item, 'acme')).toThrow();
  });
});

it('never changes a dictionary that items were written with', () => {
  const digests = Object.values(dictionaries).map((bytes) => sha256Of(bytes).toString('hex').slice(0, 16));

  expect(digests).toEqual(['33469b0a2248546d']);
});
