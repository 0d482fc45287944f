import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { notificationReader } from '../../../../functions/delivery/notifications/notification.store.ts';
import { budgetWriter, type StoredBudget } from '../../../../functions/insight/budgets/budget.store.ts';
import { ledgerReader, type Version } from '../../../../functions/ledger/records/ledger.store.ts';
import { listRecords } from '../../../../functions/ledger/records/query/listRecords.ts';
import { listRecordsSorted } from '../../../../functions/ledger/records/query/listRecordsSorted.ts';
import { versionBatchReader } from '../../../../functions/ledger/records/query/versionBatch.store.ts';
import { sortIndexReader } from '../../../../functions/ledger/records/sortIndex/sortIndexReader.store.ts';
import { pendingMarkStore } from '../../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import { commit } from '../../../../functions/platform/shared/aws/document.store.ts';
import { idOf } from '../../../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../../../functions/platform/shared/ulid.ts';
import { tenantWriter } from '../../../../functions/platform/tenancy/tenant.store.ts';
import { DEFAULT_THRESHOLDS } from '../../../../schemas/insight/budgets.ts';
import { aKey } from '../../../attribution/engine/events.ts';
import { keyIdOf } from '../../../delivery/webhooks/authorizing.ts';
import { deliveryFixtures } from '../../../delivery/webhooks/deliveryFixtures.ts';
import { eventIdOf } from '../../../ledger/records/ledgerFixture.ts';
import { groupsInLedger, groupsInRollups } from '../../../ledger/rollups/rollupFixture.ts';
import type { LiveTables } from '../../../support/tables.ts';
import type { SimulatedTime } from './simulatedTime.ts';

const DAY = 24 * 60 * 60 * 1_000;
const by = () => ({ claim: randomUUID(), attempt: 1 });

/** A tenant with a budget, and with an endpoint that receives records and crossings. Its calls cost more than the budget. */
export const outageTenant = async (live: LiveTables, time: SimulatedTime) => {
  const fixtures = deliveryFixtures({ now: time.now() });
  // Jobs change records at times of their own, and this is about the path of an event.
  const tenant = {
    ...fixtures.newTenant(),
    stage_b: 'disabled' as const,
    allocation: { method: 'none' as const },
  };
  const { tenant_id: tenantId } = tenant;
  await commit([tenantWriter('tenants').putTenant(tenant, { expectedRevision: null, by: by() })]);
  await fixtures.register(tenant, {
    events: ['attribution.materialized', 'budget.threshold.crossed'],
  });
  const at = new Date(time.now()).toISOString();
  const budget: StoredBudget = {
    id: idOf('bud', tenant.tag, ulidOf(time.now(), new Uint8Array(10))),
    name: 'Outage',
    ceiling_usd: '0.01',
    period: 'month',
    scope: {},
    forecast_thresholds: [],
    thresholds: DEFAULT_THRESHOLDS,
    residency: null,
    basis: 'records',
    created_at: at,
    updated_at: at,
    created_by: keyIdOf(tenant),
  };
  const budgets = budgetWriter('budgets');
  const found = await budgets.find(tenantId, budget.id);
  await commit(budgets.change(tenantId, found, budget, by()));

  const period = { from: time.now() - DAY, to: time.now() + DAY };
  const request = () => ({
    tenant,
    period,
    residency: null,
    after: undefined,
    asOf: time.now() + 60_000,
    limit: 1_000,
  });
  const reader = ledgerReader('ledger', () => time.now());
  const idsOf = (versions: readonly Version[]): string[] =>
    versions.map(({ attribution }) => attribution.record.event_id).sort();

  /** Each second call does not say who caused it, and arrives before the call of its trace that does. */
  const eventOf = (index: number, at: number) => ({
    event_id: eventIdOf(index),
    ingestion_layer: 'gateway',
    ingestion_timestamp: new Date(at).toISOString(),
    provider: 'openai',
    requested_model: 'gpt-4o',
    input_tokens: 1_000 + index,
    output_tokens: 200,
    trace_id: `trace-${Math.floor((index + 1) / 2)}`,
    span_id: `span-${index}`,
    ...(index % 2 === 0 ? { attributed_identity: `team-${index}` } : { parent_span_id: `span-${index + 1}` }),
  });

  return {
    tenant,
    /** A message of the API with the calls of these numbers. They occurred when they arrived, or before. */
    message: (
      at: number,
      indexes: readonly number[],
      occurredAt: (index: number) => number = () => at,
    ): string => {
      const events = [...new Set(indexes)].map((index) => eventOf(index, occurredAt(index)));
      return JSON.stringify({
        tenant_id: tenantId,
        stated_by: aKey,
        received_at: at,
        residency: null,
        events,
      });
    },
    /** The records that calls must have, once all are correlated with their traces. */
    expected: (calls: number) =>
      Array.from({ length: calls }, (_, index) => {
        const source = index + (index % 2);
        return { event: eventIdOf(index), owner: source < calls ? `team-${source}` : null };
      }),
    /** Each record: its event, and who caused it. */
    records: async () => {
      const { items } = await listRecords(reader, { ...request(), descending: false });
      return items
        .map(({ attribution: { record } }) => ({ event: record.event_id, owner: record.owner }))
        .sort((one, other) => one.event.localeCompare(other.event));
    },
    /** The events of a list that reads the sorted index. */
    sortedEvents: async () => {
      const stores = {
        ledger: reader,
        sortIndex: sortIndexReader('ledger'),
        versions: versionBatchReader('ledger', () => time.now()),
      };
      const page = await listRecordsSorted(stores, { ...request(), field: 'cost_usd', descending: true });
      return idsOf(page.items);
    },
    totals: async () => ({
      ledger: await groupsInLedger(reader, tenant, period, time.now() + 60_000),
      rollups: await groupsInRollups(tenant, period),
    }),
    pendingMarks: () => pendingMarkStore('counters').list(tenantId),
    /** The raised events of crossed thresholds, by threshold. */
    crossings: async () =>
      (await live.eventsOf(tenant)).flatMap(({ type, data }) =>
        type === 'budget.threshold.crossed' ? [data['threshold']] : [],
      ),
    notifications: async () => {
      const range = { descending: false, limit: 100 };
      return (await notificationReader('notifications').notifications(tenantId, range)).map(
        ({ type }) => type,
      );
    },
    /** The number of versions of records that raised an event. */
    raisedVersions: async () => {
      const { Items = [] } = await live.client.send(
        new ScanCommand({ TableName: 'ledger', ConsistentRead: true }),
      );
      return Items.filter(({ pk, raised }) => pk?.S?.startsWith(`${tenantId}#`) && raised !== undefined)
        .length;
    },
  };
};
