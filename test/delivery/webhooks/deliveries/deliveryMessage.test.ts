import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  DeliveryMessage,
  requestedBy,
  toDeliveryMessage,
  withoutCopies,
} from '../../../../functions/delivery/webhooks/deliveries/deliveryMessage.ts';

/** What versions without batches read from the queue. */
const EarlierMessage = z.object({
  tenant_id: z.string(),
  endpoint: z.string(),
  dedup_key: z.string(),
  attempt: z.int().min(0),
  deferrals: z.int().min(0).default(0),
});
const STREAM = { tenantId: 'acme', endpointId: '01J9Z3K4M5N6P7Q8R9S0T1V2W3' };
const attempts = fc.record({
  dedup_key: fc.constantFrom('A', 'B', 'C'),
  attempt: fc.integer({ min: 0, max: 1 }),
});
const messages = fc.array(
  fc
    .tuple(fc.array(attempts, { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 3 }))
    .map(([[first = { dedup_key: 'A', attempt: 0 }, ...others], deferrals]) =>
      toDeliveryMessage(STREAM, [first, ...others], deferrals),
    ),
  { maxLength: 6 },
);

describe('a message', () => {
  it('reads as it was written', () => {
    fc.assert(
      fc.property(messages, (written) => {
        for (const message of written)
          expect(DeliveryMessage.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
      }),
    );
  });

  it('for one delivery is readable by versions without batches', () => {
    const message = toDeliveryMessage(STREAM, [{ dedup_key: 'A', attempt: 2 }]);

    expect(EarlierMessage.parse(message)).toEqual(message);
  });

  it('for several deliveries is refused by versions without batches, so that none is lost', () => {
    const message = toDeliveryMessage(STREAM, [
      { dedup_key: 'A', attempt: 0 },
      { dedup_key: 'B', attempt: 0 },
    ]);

    expect(EarlierMessage.safeParse(message).success).toBe(false);
  });
});

it('messages without copies request each attempt once, and none that was not requested', () => {
  fc.assert(
    fc.property(messages, (received) => {
      const names = received.flatMap((message) => requestedBy(message).map((one) => JSON.stringify(one)));

      const distinct = withoutCopies(received).flatMap(({ requests }) =>
        requests.map((one) => JSON.stringify(one)),
      );

      expect(distinct.toSorted()).toEqual([...new Set(names)].toSorted());
    }),
  );
});
