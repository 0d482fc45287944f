import type { Egress } from '../egress/egress.ts';
import type { Outbox } from '../events/outbox.store.ts';
import type { Clock } from '../shared/clock.ts';
import type { DerivedKey } from '../shared/derivedKey.store.ts';
import { commit, type Versioned, type Write } from '../shared/document.store.ts';
import { mayReceive, messageOf } from './deliverMessage.ts';
import { attemptRecord, disablementOf, endpointAfter, nextOf } from './deliverOutcome.ts';
import { advanced, type Delivery, dropped } from './delivery.ts';
import type { DeliveryLog } from './deliveryLog.store.ts';
import type { DeliveryMessage, DeliveryQueue } from './deliveryQueue.store.ts';
import type { EndpointStandings, StoredEndpoint } from './endpoint.store.ts';
import type { Place } from './place.ts';
import type { Slot, Slots } from './slot.store.ts';
import { paceOf, takeSlot, turnedAwayWait } from './slot.ts';
import type { StoredEntry, StreamStore } from './stream.store.ts';

/** Of changes of one endpoint at the same moment one gets through each time, so this many do. */
const TRIES = 20;

export interface DeliverDependencies {
  readonly streams: Pick<StreamStore, 'delivery' | 'entry' | 'save'>;
  readonly endpoints: Pick<EndpointStandings, 'versioned' | 'replace'>;
  readonly log: DeliveryLog;
  readonly outbox: Outbox;
  readonly queue: DeliveryQueue;
  readonly slots: Slots;
  readonly egress: Pick<Egress, 'post'>;
  /** Opens the seals of endpoints. */
  readonly key: DerivedKey;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly uniform: () => number;
  /** Names whoever makes an attempt, uniquely. */
  readonly newClaim: () => string;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Multiplies the waits between attempts, and the day they go on for; for trying them out on one machine. */
  readonly scale?: number;
}

/**
 * Makes the attempts that messages of one endpoint ask for, all at once, while nobody else calls it: so an endpoint bears as
 * many calls at a time as a batch has messages, one that hangs holds up one process, and of two copies of a message the
 * later finds the attempt made. What has come further, or is over, is left alone. What followed from an attempt is
 * committed with its entry in the log, and with nothing else between the call and the commit: a crash there makes one
 * more delivery of the same event under the same sequence, and loses none. Throws what the SDK throws when the stores
 * cannot answer.
 */
export const deliverer = (deps: DeliverDependencies) => {
  const { streams, endpoints, log, outbox, queue, slots, egress, key, clock, uniform, newClaim } = deps;
  const { scale = 1 } = deps;

  const isAskedFor = (found: Versioned<Delivery> | null, { attempt }: DeliveryMessage) =>
    found?.document.state === 'pending' && found.document.attempts === attempt ? found : null;

  const drop = async (place: Place, { document, revision }: Versioned<Delivery>): Promise<void> => {
    await commit([streams.save(place, dropped(document), revision, { claim: newClaim(), attempt: 1 })]);
  };

  const attempt = async (
    place: Place,
    entry: StoredEntry,
    seen: Versioned<Delivery>,
    found: Versioned<StoredEndpoint>,
  ): Promise<void> => {
    const startedAt = clock();
    const message = messageOf(entry, found.document, { key: await key(), now: startedAt });
    if (message === null) return drop(place, seen);

    const outcome = await egress.post(found.document.url, message);

    const now = clock();
    const attempts = seen.document.attempts + 1;
    const firstAt = Date.parse(seen.document.first_attempt_at ?? new Date(startedAt).toISOString());
    const next = nextOf(outcome, { attempts, firstAt }, { now, uniform, scale });
    const by = { claim: newClaim(), attempt: 1 };
    const told = log.append(
      place.tenantId,
      attemptRecord(entry, outcome, { attempt: attempts, startedAt, next, by: by.claim }),
    );
    const saved = streams.save(place, advanced(seen.document, next, startedAt), seen.revision, by);

    let endpoint: Versioned<StoredEndpoint> | null = found;
    for (let tried = 0; tried < TRIES; tried += 1) {
      const moved =
        endpoint === null ? null : endpointAfter(endpoint.document, entry, { outcome, next, now });
      const standing: Write[] =
        endpoint === null || moved === null
          ? []
          : [endpoints.replace(place.tenantId, moved, endpoint.revision, by)];
      const event = moved === null ? null : disablementOf(moved, place.tenantId, now);
      if (await commit([told, saved, ...standing, ...(event === null ? [] : [outbox.raise(event)])])) return;
      const current = await streams.delivery(place);
      if (current?.revision.claim !== seen.revision.claim) {
        // Somebody else made the same attempt, after a lease ran out: what follows from it is theirs to say.
        await commit([told]);
        return;
      }
      endpoint = await endpoints.versioned(place.tenantId, place.endpointId);
    }
    throw new Error('an endpoint was changed by others too often');
  };

  const deliver = async (place: Place, message: DeliveryMessage): Promise<void> => {
    const asked = isAskedFor(await streams.delivery(place), message);
    if (asked === null) return;
    const wait = Date.parse(asked.document.due_at) - clock();
    if (wait > 0) return queue.send([{ message: { ...message, turned_away: 0 }, wait }]);
    const [found, entry] = await Promise.all([
      endpoints.versioned(place.tenantId, place.endpointId),
      streams.entry(place),
    ]);
    if (found === null || entry === null || !mayReceive(found.document, entry)) return drop(place, asked);
    await attempt(place, entry, asked, found);
  };

  const turnAway = async (
    slot: Slot,
    messages: readonly DeliveryMessage[],
    heldFor: number,
  ): Promise<void> => {
    const found = await endpoints.versioned(slot.tenantId, slot.endpointId);
    const pace = paceOf(found?.document ?? null, heldFor, clock());
    await queue.send(
      messages.map((message) => ({
        message: { ...message, turned_away: message.turned_away + 1 },
        wait: turnedAwayWait(message.turned_away, pace, uniform),
      })),
    );
  };

  return async (messages: readonly [DeliveryMessage, ...DeliveryMessage[]]): Promise<void> => {
    const [{ tenant_id: tenantId, endpoint: endpointId }] = messages;
    const slot = { tenantId, endpointId };
    const holder = newClaim();
    const heldFor = await takeSlot(deps, slot, holder);
    // Of one delivery there may be copies, of the message for the next attempt and of the one before.
    const asked = [
      ...new Map(messages.map((message) => [`${message.cause} ${message.attempt}`, message])).values(),
    ];
    if (heldFor !== null) return turnAway(slot, asked, heldFor);
    try {
      const attempts = asked.map((message) => deliver({ ...slot, cause: message.cause }, message));
      const failed = (await Promise.allSettled(attempts)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    } finally {
      // Not worth a failure: its lease ends by itself.
      await slots.giveBack(slot, holder).catch(() => undefined);
    }
  };
};
