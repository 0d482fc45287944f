import { createHash, randomUUID } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { datasetStore } from '../../../../functions/chargeback/exports/delivery/dataset.store.ts';
import { exportDeliverer } from '../../../../functions/chargeback/exports/delivery/deliver.ts';
import { toDelivery } from '../../../../functions/chargeback/exports/delivery/delivery.ts';
import { dueDeliveryRunner } from '../../../../functions/chargeback/exports/delivery/dueDeliveries.ts';
import { destinationChecker } from '../../../../functions/chargeback/exports/destinations/checkBucket.ts';
import {
  checkStore,
  destinationStore,
} from '../../../../functions/chargeback/exports/destinations/destination.store.ts';
import type { StoredDestination } from '../../../../functions/chargeback/exports/destinations/destination.ts';
import { deliveryStore, exportStore } from '../../../../functions/chargeback/exports/job/export.store.ts';
import {
  markForDelivery,
  markRunning,
  markSucceeded,
  newExport,
} from '../../../../functions/chargeback/exports/job/job.ts';
import { objectKeys } from '../../../../functions/chargeback/exports/job/objectKeys.ts';
import { outbox } from '../../../../functions/platform/outbox/outbox.store.ts';
import { commit } from '../../../../functions/platform/shared/aws/document.store.ts';
import { idOf, ulidInId } from '../../../../functions/platform/shared/ids.ts';
import { toIso } from '../../../../functions/platform/shared/time/toIso.ts';
import { ulidOf } from '../../../../functions/platform/shared/ulid.ts';
import type { ExportDelivery } from '../../../../schemas/chargeback/exportDelivery.ts';
import type { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { ExportRequest } from '../../../../schemas/chargeback/focus.ts';
import { injectFaults } from '../../../identity/credentials/faultInjection.ts';
import { BASE_URL } from '../../../platform/http/harness.ts';
import { startTables } from '../../../support/tables.ts';
import { newTenant } from '../../../support/tenants.ts';
import { customerBucket, DESTINATION } from './customerBucket.ts';

export const NAME = 'chargeback';
export const START = Date.parse('2026-11-02T06:00:00Z');
const BY = () => ({ claim: randomUUID(), attempt: 1 });

/** Deliveries with real tables, a simulated clock, and simulated buckets of the service and of customers. */
export const startDeliveryWorld = async () => {
  const live = await startTables();
  const faults = injectFaults();
  const time = { now: START };
  const clock = () => time.now;
  const source = new Map<string, Buffer>();
  const exports = exportStore('exports');
  const deliveries = deliveryStore('exports');
  const destinations = destinationStore('exports');
  const failures: string[] = [];

  /** The workers of one customer, over its bucket. */
  const customer = () => {
    const tenant = newTenant();
    const bucket = customerBucket();
    let serial = 0;

    const destination = async (members: Partial<StoredDestination> = {}): Promise<StoredDestination> => {
      serial += 1;
      const stored: StoredDestination = {
        id: idOf('dst', tenant.tag, ulidOf(START, Buffer.alloc(10, serial))),
        ...DESTINATION,
        check: { state: 'unchecked', error: null, at: null },
        created_at: toIso(START),
        created_by: 'key',
        ...members,
      };
      const lookup = await destinations.find(tenant.tenant_id, stored.id);
      await commit(destinations.change(tenant.tenant_id, lookup, stored, BY()));
      bucket.trust(stored.id, stored.role_arn);
      return stored;
    };

    /** A finished export of October with these files, as of `asOf`, whose delivery is open. */
    const finished = async (
      { id }: Pick<StoredDestination, 'id'>,
      contents: readonly (string | Buffer)[],
      { asOf = time.now, name = NAME, month = '2026-10' } = {},
    ): Promise<StoredExport> => {
      serial += 1;
      const period = { from: `${month}-01`, to: `${month}-31` };
      const request = ExportRequest.parse({ period, delivery: { destination_id: id, name } });
      const ulid = ulidOf(asOf, Buffer.alloc(10, serial));
      const origin = { ulid, at: asOf, by: 'key', residency: null, basis: 'cohorts' } as const;
      const queued = newExport(tenant, request, origin);
      const keys = objectKeys(tenant.tenant_id, queued.job_id);
      const files = contents.map((content, index) => {
        const key = keys.file(month, index + 1, 'csv.gz');
        const body = Buffer.from(content);
        source.set(key, body);
        const sha256 = createHash('sha256').update(body).digest('hex');
        return { key, billing_period: month, rows: 1, bytes: body.length, sha256 };
      });
      source.set(keys.manifest, Buffer.from(JSON.stringify({ export_id: queued.job_id, files })));
      source.set(keys.metadata, Buffer.from('{"metadata":true}'));
      const result = {
        file_count: files.length,
        row_count: files.length,
        bytes: 1,
        records: 1,
        cost_usd: '1',
        excluded_records: 0,
        excluded_cost_usd: '0',
        files: [{ month, first: 1, count: files.length }],
      };
      const running = markRunning(queued, 'execution', asOf) ?? queued;
      const job = markSucceeded(running, result, time.now);
      const by = BY();
      await commit([...exports.open(queued, by)]);
      await commit([...exports.change(job, by, BY())]);
      return job;
    };

    const deliver = exportDeliverer({
      deliveries,
      destinations,
      datasets: datasetStore('exports', randomUUID),
      files: {
        read: async (key, range) => {
          const body = source.get(key);
          if (body === undefined) throw new Error(`no object with key ${key}`);
          return range === undefined ? body : body.subarray(range.from, range.to);
        },
      },
      bucketAccess: bucket.access,
      outbox: outbox('outbox'),
      clock,
      newClaim: randomUUID,
      baseUrl: BASE_URL,
    });
    const checks = checkStore('exports');
    const own = ({ tenant_id }: { readonly tenant_id: string }) => tenant_id === tenant.tenant_id;

    /** A run of the worker, over the rows of this customer only: other tests use the tables too. */
    const run = dueDeliveryRunner({
      checks: { requested: async () => (await checks.requested()).filter(own) },
      deliveries: {
        open: async (after) => {
          const { items, next } = await deliveries.open(after);
          return { items: items.filter(own), next };
        },
      },
      check: destinationChecker({ checks, bucketAccess: bucket.access, clock, newClaim: randomUUID }),
      deliver,
      clock,
      hasTime: () => true,
      onFailure: (_, { job_id }) => failures.push(job_id),
    });
    return {
      tenant,
      bucket,
      destination,
      finished,
      deliver,
      run,
      /** Opens the delivery of a finished export again, as the operation does. */
      again: async (job: StoredExport, { id }: Pick<StoredDestination, 'id'>): Promise<string | null> => {
        const found = await exports.find(job);
        if (found === null) throw new Error('no export');
        const next = markForDelivery(found.document, { destination_id: id, name: NAME }, time.now);
        if (typeof next === 'string') return next;
        await commit([...exports.change(next, found.revision, BY())]);
        return null;
      },
      remove: async ({ id }: Pick<StoredDestination, 'id'>): Promise<void> => {
        const lookup = await destinations.find(tenant.tenant_id, id);
        await commit(destinations.change(tenant.tenant_id, lookup, null, BY()));
      },
      check: async ({
        id,
      }: Pick<StoredDestination, 'id'>): Promise<StoredDestination['check'] | undefined> => {
        const lookup = await destinations.find(tenant.tenant_id, id);
        const { current } = lookup;
        if (current === null) throw new Error('no destination');
        const next = { ...current, check: { ...current.check, state: 'checking' as const } };
        await commit(destinations.change(tenant.tenant_id, lookup, next, BY()));
        await run();
        return (await destinations.read(tenant.tenant_id, id))?.check;
      },
      deliveryOf: async (job: StoredExport): Promise<ExportDelivery | null> => {
        const found = await exports.find(job);
        return found && toDelivery(found.document);
      },
      events: async () => (await live.eventsOf(tenant)).map(({ type, data }) => ({ type, ...data })),
      isOpen: async (): Promise<boolean> => (await deliveries.open(null)).items.some(own),
    };
  };
  /** Makes the row of an export unreadable. */
  const breakRow = async ({ tenant_id, job_id }: StoredExport): Promise<void> => {
    await live.client.send(
      new UpdateItemCommand({
        TableName: 'exports',
        Key: { pk: { S: `job#${tenant_id}` }, sk: { S: ulidInId(job_id) } },
        UpdateExpression: 'SET document = :text',
        ExpressionAttributeValues: { ':text': { S: '{"poison":' } },
      }),
    );
  };
  return { live, faults, time, source, failures, customer, breakRow };
};
export type DeliveryWorld = Awaited<ReturnType<typeof startDeliveryWorld>>;
export type Customer = ReturnType<DeliveryWorld['customer']>;
