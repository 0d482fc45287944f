import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf, dedupKeyOf } from '../../../../functions/delivery/webhooks/streams/publish.ts';
import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';

const eventWith = (size: number, index = 0): RaisedEvent => ({
  id: `evt_aaaaaaaa01KA3Z5V7JQ2M6X9R8T4B1C${String(index).padStart(3, '0')}`,
  type: 'apikey.rotated',
  created_at: '2026-11-21T10:00:00.000Z',
  tenant_id: 'acme',
  data: { name: 'x'.repeat(size) },
});

describe('chunksOf', () => {
  it('keeps all events in order, in chunks within the transaction limits', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 250_000 }), { maxLength: 120 });

    fc.assert(
      fc.property(sizes, (drawn) => {
        const events = drawn.map(eventWith);

        const chunks = chunksOf(events);

        expect(chunks.flat()).toEqual(events);
        for (const chunk of chunks) {
          expect(2 * chunk.length + 1).toBeLessThanOrEqual(100);
          expect(JSON.stringify(chunk).length).toBeLessThan(1_100_000);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('dedupKeyOf', () => {
  it('is unique per event and per replay request', () => {
    const event = eventWith(1);
    const keys = [
      dedupKeyOf(event, {}),
      dedupKeyOf(event, { replay: 'R1' }),
      dedupKeyOf(event, { replay: 'R2' }),
    ];

    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toBe(event.id.slice(-26));
  });
});
