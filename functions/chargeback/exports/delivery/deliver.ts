import type { DeliveryTarget } from '../../../../schemas/chargeback/deliveryTarget.ts';
import type { StoredDelivery } from '../../../../schemas/chargeback/exportDelivery.ts';
import type { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import type { Outbox } from '../../../platform/outbox/outbox.store.ts';
import { commit, type Versioned, type Write } from '../../../platform/shared/aws/document.store.ts';
import type { HeldDocument } from '../../../platform/shared/aws/documentLease.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import type { DestinationReader } from '../destinations/destination.store.ts';
import type { StoredDestination } from '../destinations/destination.ts';
import type { FileReader } from '../files/file.store.ts';
import type { DeliveryStore, ExportRef } from '../job/export.store.ts';
import { type DeliveryFailure, failDelivery } from './bucketAnswer.ts';
import { DATASET_LEASE_MS, type DatasetStore } from './dataset.store.ts';
import { type Assigned, assignVersion, type Dataset } from './dataset.ts';
import { deliveredKeys, placeOf } from './deliveredKeys.ts';
import { afterFailure, beginAttempt, continueDelivery, deliveryEnd, endDelivery } from './delivery.ts';
import { deliveryEvent } from './deliveryEvent.ts';
import { type BucketAccess, openBucket } from './openBucket.ts';
import { putExport } from './putExport.ts';

/** How long an attempt begins files, and parts of a file. */
const FILES_MS = 4 * MINUTE_MS;
const PARTS_MS = 5 * MINUTE_MS;

export interface DeliverDeps {
  readonly deliveries: DeliveryStore;
  readonly destinations: Pick<DestinationReader, 'read'>;
  readonly datasets: DatasetStore;
  readonly files: FileReader;
  readonly bucketAccess: BucketAccess;
  readonly outbox: Outbox;
  readonly clock: () => number;
  readonly newClaim: () => string;
  readonly baseUrl: string;
}

/** An open delivery as read. */
interface Open {
  readonly stored: Versioned<StoredExport>;
  readonly target: DeliveryTarget;
  readonly delivery: StoredDelivery;
  readonly month: string;
}

const openIn = (stored: Versioned<StoredExport> | null): Open | null => {
  const { delivery, request } = stored?.document ?? {};
  if (stored === null || delivery?.state !== 'pending' || request?.delivery === undefined) return null;
  return { stored, target: request.delivery, delivery, month: monthOf(Date.parse(request.period.from)) };
};

/**
 * One attempt to deliver an export. The lease of the dataset lets one function put files of one name and month at a time, so
 * the current manifest never goes back to an older version. What a killed attempt has done is repeated with the same keys and
 * bytes, and is told once. Rejects with an error of the service itself, after which the delivery is tried again too.
 */
export const exportDeliverer = (deps: DeliverDeps) => {
  const { deliveries, destinations, datasets, files, bucketAccess, outbox, clock, newClaim, baseUrl } = deps;

  /** The writes that store a changed delivery, with the event of the change. */
  const writesOf = ({ stored, delivery }: Open, after: StoredDelivery, now: number): Write[] => {
    const { document: job, revision } = stored;
    const event = deliveryEvent(job, delivery, after, { baseUrl, at: now });
    return [
      ...deliveries.change({ ...job, delivery: after }, revision, { claim: newClaim(), attempt: 1 }),
      ...(event === null ? [] : [outbox.raise(event)]),
    ];
  };

  /** Stores the changed delivery and gives the dataset back, in one transaction. */
  const release = (
    held: HeldDocument<Dataset>,
    open: Open,
    after: StoredDelivery,
    delivered?: Dataset['delivered'],
  ): Promise<unknown> => {
    const now = clock();
    return held.update(
      now,
      (dataset) => ({ ...dataset, lease: null, ...(delivered && { delivered }) }),
      writesOf(open, after, now),
    );
  };

  const failed = ({ delivery }: Open, failure: DeliveryFailure): StoredDelivery =>
    afterFailure(delivery, failure, clock());

  const put = async (
    held: HeldDocument<Dataset>,
    { stored, target, month }: Open,
    assigned: Assigned,
    destination: StoredDestination,
  ): ReturnType<typeof putExport> => {
    const send = await openBucket(bucketAccess, destination);
    if (typeof send !== 'function') return send;
    const startedAt = clock();
    const keep = async (files_done: number): Promise<boolean> =>
      (await held.update(clock(), (dataset) => ({ ...dataset, assigned: { ...assigned, files_done } }))) !==
      null;
    return putExport(
      { files, send, clock, until: { files: startedAt + FILES_MS, parts: startedAt + PARTS_MS }, keep },
      stored.document,
      { place: placeOf(destination.location), name: target.name, month, assigned },
    );
  };

  /** Puts the files under the lease, and stores the outcome. */
  const attempt = async (
    held: HeldDocument<Dataset>,
    open: Open,
    assigned: Assigned,
    destination: StoredDestination,
  ): Promise<void> => {
    const { stored, target, month, delivery } = open;
    const job = stored.document;
    const place = placeOf(destination.location);
    const { manifest } = deliveredKeys(place, target, month, assigned.version);
    const now = clock();
    const begun = beginAttempt(delivery, assigned, {
      location: `s3://${place.bucket}/${manifest}`,
      due: now + DATASET_LEASE_MS,
    });
    const revision = { claim: newClaim(), attempt: 1 };
    const writes = deliveries.change({ ...job, delivery: begun }, stored.revision, revision);
    if ((await held.update(now, (dataset) => ({ ...dataset, assigned }), writes)) === null) return;
    const running = { ...open, delivery: begun, stored: { document: { ...job, delivery: begun }, revision } };
    const outcome = await put(held, running, assigned, destination).catch(async (error): Promise<never> => {
      await release(held, running, failed(running, failDelivery('unavailable')));
      throw error;
    });
    if (outcome === 'lost') return;
    const { version, export_id } = assigned;
    if (outcome === 'put') {
      const delivered = endDelivery(begun, { state: 'delivered' }, clock());
      await release(held, running, delivered, { version, export_id });
    } else if (outcome === 'unfinished') {
      await release(held, running, continueDelivery(begun, clock()));
    } else {
      await release(held, running, failed(running, outcome));
    }
  };

  return async (name: ExportRef): Promise<void> => {
    const open = openIn(await deliveries.find(name));
    if (open === null) {
      await commit([deliveries.forget(name)]);
      return;
    }
    const { stored, target, delivery, month } = open;
    const { tenant_id } = name;
    const now = clock();
    const destination = await destinations.read(tenant_id, target.destination_id);
    if (destination === null || now >= deliveryEnd(delivery)) {
      const error = destination === null ? 'destination_deleted' : (delivery.last_error ?? 'unavailable');
      await commit(writesOf(open, failed(open, failDelivery(error)), now));
      return;
    }
    const { location } = destination;
    const held = await datasets.take({ tenant_id, location, name: target.name, month }, now);
    if (held === null) return;
    const assigned = assignVersion(held.document, stored.document, delivery);
    if (assigned === null) await release(held, open, endDelivery(delivery, { state: 'superseded' }, now));
    else await attempt(held, open, assigned, destination);
  };
};
