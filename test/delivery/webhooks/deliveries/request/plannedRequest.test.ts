import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  planRequests,
  type SerializedDelivery,
} from '../../../../../functions/delivery/webhooks/deliveries/request/plannedRequest.ts';
import { BATCH_BYTES_MAXIMUM } from '../../../../../schemas/delivery/webhookBatches.ts';

const deliveryOf = (
  sequence: number,
  members: { attempts?: number; isAlone?: boolean; bytes?: number; kind?: 'event' | 'verification' } = {},
): SerializedDelivery => {
  const { attempts = 0, isAlone = false, bytes = 0, kind = 'event' } = members;
  const text = JSON.stringify({ type: 'a.b', sequence, padding: 'x'.repeat(bytes) });
  return {
    entry: { kind, sequence },
    found: { document: { attempts, ...(!isAlone && { batch: { size: 100, bytes: text.length } }) } },
    envelope: Buffer.from(text),
  };
};
const textOf = (body: Uint8Array): string => Buffer.from(body).toString();

const deliveries = fc
  .array(
    fc.record({
      attempts: fc.integer({ min: 0, max: 3 }),
      isAlone: fc.boolean(),
      bytes: fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: BATCH_BYTES_MAXIMUM })),
    }),
    { maxLength: 60 },
  )
  .map((drawn) => drawn.map((members, index) => deliveryOf(index + 1, members)))
  .chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));

describe('an endpoint that receives batches', () => {
  it('gets each event once, in requests within both limits, sorted by sequence', () => {
    fc.assert(
      fc.property(deliveries, fc.integer({ min: 2, max: 100 }), (drawn, size) => {
        const requests = planRequests(drawn, size);

        const sent = requests.map(({ body }) => JSON.parse(textOf(body)).events);
        expect(
          sent
            .flat()
            .map(({ sequence }) => sequence)
            .toSorted((one, other) => one - other),
        ).toEqual(drawn.map((_, index) => index + 1));
        for (const [index, { deliveries: members, body }] of requests.entries()) {
          const sequences = members.map(({ entry }) => entry.sequence);
          expect(sent[index].map(({ sequence }: { sequence: number }) => sequence)).toEqual(sequences);
          expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
          expect(members.length).toBeLessThanOrEqual(size);
          if (members.length === 1) continue;
          expect(body.length).toBeLessThanOrEqual(BATCH_BYTES_MAXIMUM);
          expect(members.every(({ found }) => found.document.batch !== undefined)).toBe(true);
          expect(new Set(members.map(({ found }) => found.document.attempts)).size).toBe(1);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('gets the bytes of each event unchanged', () => {
    const [one, other] = [deliveryOf(1), deliveryOf(2)];

    const [request] = planRequests([one, other], 100);

    expect(textOf(request?.body ?? Buffer.alloc(0))).toBe(
      `{"events":[${textOf(one.envelope)},${textOf(other.envelope)}]}`,
    );
  });

  it('gets a challenge alone, in the form of a single event', () => {
    const challenge = deliveryOf(1, { kind: 'verification', isAlone: true });

    const [request] = planRequests([challenge], 100);

    expect(request).toMatchObject({ body: challenge.envelope, isBatch: false });
  });
});

it('sends each event alone to an endpoint that receives single events, also those that were published for a batch', () => {
  const drawn = [deliveryOf(1), deliveryOf(2, { isAlone: true })];

  expect(planRequests(drawn, 1).map(({ body }) => body)).toEqual(drawn.map(({ envelope }) => envelope));
});
