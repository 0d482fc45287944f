import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readEventPage } from '../../../../functions/delivery/webhooks/streams/eventPage.ts';
import { sampleEvent } from '../../../../functions/delivery/webhooks/streams/sampleEvents.ts';
import {
  type EventRange,
  inOrderOfCreation,
} from '../../../../functions/platform/outbox/raisedEvents.store.ts';
import { sha256Of } from '../../../../functions/platform/shared/hash.ts';
import { ulidOf } from '../../../../functions/platform/shared/ulid.ts';
import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import type { SubscribableEvent } from '../../../../schemas/delivery/webhooks.ts';
import { newTenant } from '../../../support/tenants.ts';

const TYPES = ['attribution.materialized', 'anomaly.detected'];
const tenant = newTenant();

const within = (events: readonly RaisedEvent[], { from, to }: EventRange): RaisedEvent[] =>
  inOrderOfCreation(events).filter(({ created_at }) => {
    const at = Date.parse(created_at);
    return at >= from && at < to;
  });

/** Sources as the stores behave: the outbox returns the first events, the versions are all or null. */
const sourcesOf = (outbox: readonly RaisedEvent[], versions: readonly RaisedEvent[]) => ({
  ofOutbox: async (range: EventRange) => within(outbox, range).slice(0, range.limit),
  ofVersions: async (range: EventRange) => {
    const found = within(versions, range);
    return found.length > range.limit ? null : found;
  },
});

const raisedAt = (type: SubscribableEvent) => (at: number, index: number) =>
  sampleEvent(type, { ulid: ulidOf(at, sha256Of(`${type} ${index}`)), at, tenant });

const times = fc.array(fc.oneof(fc.nat(5), fc.nat(100_000)), { maxLength: 40 });

it('pages return every event of the range once, in order of creation', async () => {
  await fc.assert(
    fc.asyncProperty(
      times,
      times,
      times,
      fc.integer({ min: 1, max: 9 }),
      async (own, other, listed, limit) => {
        const outbox = [...own.map(raisedAt('anomaly.detected')), ...other.map(raisedAt('export.failed'))];
        const versions = listed.map(raisedAt('attribution.materialized'));
        const sources = sourcesOf(outbox, versions);
        const found: RaisedEvent[] = [];
        let after: string | undefined;
        for (let pages = 0; ; pages += 1) {
          expect(pages).toBeLessThan(100 * (outbox.length + versions.length + 1));
          const range = { from: 2, to: 90_000, types: TYPES, after, limit };
          const { items, resume } = await readEventPage(range, sources);
          expect(items.length).toBeLessThanOrEqual(limit);
          found.push(...items);
          if (resume === null) break;
          after = resume;
        }

        const expected = within([...outbox, ...versions], { from: 2, to: 90_000, limit: 0 });
        expect(found).toEqual(expected.filter(({ type }) => TYPES.includes(type)));
      },
    ),
    { numRuns: 100 },
  );
});
