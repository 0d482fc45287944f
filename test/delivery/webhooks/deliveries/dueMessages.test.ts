import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Delivery } from '../../../../functions/delivery/webhooks/deliveries/delivery.ts';
import { requestedBy } from '../../../../functions/delivery/webhooks/deliveries/deliveryMessage.ts';
import { dueMessages } from '../../../../functions/delivery/webhooks/deliveries/dueMessages.ts';
import { BATCH_BYTES_MAXIMUM } from '../../../../schemas/delivery/webhookBatches.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const iso = (at: number): string => new Date(at).toISOString();

interface Change {
  readonly endpoint: string;
  readonly dedupKey: string;
  readonly delivery: Delivery;
}
const changeOf = (dedupKey: string, members: Partial<Delivery> = {}, endpoint = 'A'): Change => ({
  endpoint,
  dedupKey,
  delivery: {
    sequence: 1,
    entered_at: iso(NOW),
    state: 'pending',
    attempts: 0,
    first_attempt_at: null,
    due_at: iso(NOW),
    ...members,
  },
});
const messagesFor = (changes: readonly Change[]) =>
  dueMessages(
    changes.map(({ endpoint, dedupKey, delivery }) => ({
      deliveryKey: { tenantId: 'acme', endpointId: endpoint.padStart(26, '0'), dedupKey },
      delivery,
    })),
    NOW,
  );
const requested = (changes: readonly Change[]) =>
  messagesFor(changes).map(({ message }) => requestedBy(message).map(({ dedup_key }) => dedup_key));

const changes = fc
  .array(
    fc.record({
      endpoint: fc.constantFrom('A', 'B'),
      members: fc.record({
        state: fc.constantFrom('pending' as const, 'acknowledged' as const),
        attempts: fc.integer({ min: 0, max: 2 }),
        due_at: fc.integer({ min: -2_000, max: 2_500 }).map((wait) => iso(NOW + wait)),
        batch: fc.option(
          fc.record({ size: fc.constantFrom(2, 25, 100), bytes: fc.integer({ min: 1, max: 200_000 }) }),
          { nil: undefined },
        ),
      }),
    }),
    { maxLength: 120 },
  )
  .map((drawn) =>
    drawn.map(({ endpoint, members: { batch, ...members } }, index) =>
      changeOf(`K${index}`, { ...members, ...(batch !== undefined && { batch }) }, endpoint),
    ),
  );

it('requests each pending delivery once, never before it is due, and within the limits of a request', () => {
  fc.assert(
    fc.property(changes, (drawn) => {
      const pending = drawn.filter(({ delivery }) => delivery.state === 'pending');
      const byKey = new Map(pending.map((change) => [change.dedupKey, change]));

      const messages = messagesFor(drawn);

      const keys = messages.flatMap(({ message }) => requestedBy(message).map(({ dedup_key }) => dedup_key));
      expect(keys.toSorted()).toEqual([...byKey.keys()].toSorted());
      for (const { message, wait } of messages) {
        const members = requestedBy(message).flatMap(({ dedup_key }) => byKey.get(dedup_key) ?? []);
        const deliveries = members.map(({ delivery }) => delivery);
        const [first] = members;
        const dueAt = deliveries.map(({ due_at }) => Date.parse(due_at) - NOW);
        expect(wait).toBe(Math.max(...dueAt));
        expect(wait <= 0 || wait - Math.min(...dueAt) < 1_000).toBe(true);
        expect(members.every(({ endpoint }) => endpoint === first?.endpoint)).toBe(true);
        expect(deliveries.map(({ attempts }) => attempts)).toEqual(
          requestedBy(message).map(({ attempt }) => attempt),
        );
        if (members.length === 1) continue;
        expect(deliveries.every(({ batch }) => batch?.size === first?.delivery.batch?.size)).toBe(true);
        expect(members.length).toBeLessThanOrEqual(first?.delivery.batch?.size ?? 1);
        expect(deliveries.reduce((sum, { batch }) => sum + (batch?.bytes ?? 0), 0)).toBeLessThanOrEqual(
          BATCH_BYTES_MAXIMUM,
        );
      }
    }),
  );
});

it('requests a delivery that is alone in the form of versions without batches', () => {
  const [alone] = messagesFor([changeOf('K1', { batch: { size: 100, bytes: 10 } })]);

  expect(alone?.message).toEqual({
    tenant_id: 'acme',
    endpoint: 'A'.padStart(26, '0'),
    dedup_key: 'K1',
    attempt: 0,
    deferrals: 0,
  });
});

it('never groups the deliveries of an endpoint that receives single events', () => {
  expect(requested([changeOf('K1'), changeOf('K2')])).toEqual([['K1'], ['K2']]);
});
