import type { Outbox } from '../../events/outbox.store.ts';
import {
  commit,
  type Revision,
  UNHURRIED,
  type Versioned,
  type Write,
} from '../../shared/aws/document.store.ts';
import { tryToCommit } from '../../shared/aws/tryToCommit.ts';
import { coalesced, type Together } from '../../shared/coalesced.ts';
import type { EndpointStandings, StoredEndpoint } from '../endpoints/endpoint.store.ts';
import type { StoredEntry, StreamStore } from '../streams/stream.store.ts';
import { attemptRecord, type DeliveryOutcome, disablementOf, endpointAfter } from './deliverOutcome.ts';
import { advanced, type Delivery } from './delivery.ts';
import type { DeliveryLog } from './deliveryLog.store.ts';
import type { Place, StreamPlace } from './place.ts';
import type { Next } from './schedule.ts';

/** Of changes of one endpoint at the same moment one gets through each time, so this many do. */
const TRIES = 20;

/** An attempt that has been made; times in epoch milliseconds. */
export interface Ended {
  readonly place: Place;
  readonly entry: StoredEntry;
  /** The delivery as it was before. */
  readonly seen: Versioned<Delivery>;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: DeliveryOutcome;
  readonly next: Next;
  readonly by: Revision;
}

/**
 * Commits what follows from attempts at one endpoint: entry in the log, delivery, and where the endpoint stands if that
 * changed. Those that end while others are committed are committed together. Their standings are told one after the
 * other, so that attempts of one batch do not contend for it. Throws what the SDK throws when the tables cannot answer.
 */
export const settler = (
  stores: {
    readonly streams: Pick<StreamStore, 'delivery' | 'save'>;
    readonly endpoints: Pick<EndpointStandings, 'versioned' | 'replace'>;
    readonly log: DeliveryLog;
    readonly outbox: Outbox;
  },
  { tenantId, endpointId }: StreamPlace,
  found: Versioned<StoredEndpoint>,
): ((ended: Ended) => Promise<void>) => {
  const { streams, endpoints, log, outbox } = stores;
  let endpoint: Versioned<StoredEndpoint> | null = found;

  const told = ({ entry, outcome, seen, startedAt, next, by }: Ended): Write =>
    log.append(
      tenantId,
      attemptRecord(entry, outcome, {
        attempt: seen.document.attempts + 1,
        startedAt,
        next,
        by: by.claim,
      }),
    );
  const saved = ({ place, seen, next, startedAt, by }: Ended): Write =>
    streams.save(place, advanced(seen.document, next, startedAt), seen.revision, by);
  const movedBy = ({ entry, outcome, next, endedAt: now }: Ended): StoredEndpoint | null =>
    endpoint === null ? null : endpointAfter(endpoint.document, entry, { outcome, next, now });

  const settleAlone = async (ended: Ended): Promise<void> => {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const moved = movedBy(ended);
      const standing: Write[] =
        endpoint === null || moved === null
          ? []
          : [endpoints.replace(tenantId, moved, endpoint.revision, ended.by)];
      const event = moved === null ? null : disablementOf(moved, tenantId, ended.endedAt);
      const raised = event === null ? [] : [outbox.raise(event)];
      if (await commit([told(ended), saved(ended), ...standing, ...raised], { within: UNHURRIED })) {
        if (moved !== null) endpoint = { document: moved, revision: ended.by };
        return;
      }
      const current = await streams.delivery(ended.place);
      if (current?.revision.claim !== ended.seen.revision.claim) {
        // Somebody else made the same attempt, after a lease ran out: what follows from it is theirs to say.
        await commit([told(ended)]);
        return;
      }
      endpoint = await endpoints.versioned(tenantId, endpointId);
    }
    throw new Error('an endpoint was changed by others too often');
  };

  /**
   * Whether all were committed, which leave the endpoint where it stands. Where they met somebody else each is looked at by
   * itself; where the tables do not answer, none is.
   */
  const settleAtOnce = (ended: readonly Ended[]): Promise<boolean> =>
    tryToCommit(
      ended.flatMap((one) => [told(one), saved(one)]),
      { within: UNHURRIED },
    );

  const settle = coalesced(async (ended: Together<Ended>): Promise<void> => {
    const still = ended.filter((one) => movedBy(one) === null);
    const moving = ended.filter((one) => !still.includes(one));
    const left = still.length > 1 && (await settleAtOnce(still)) ? moving : [...moving, ...still];
    const failures: unknown[] = [];
    for (const one of left) await settleAlone(one).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  });
  return (ended) => settle(endpointId, ended);
};
