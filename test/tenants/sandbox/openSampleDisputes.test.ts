import { afterAll, expect, it } from 'vitest';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import { dedupClaimReader } from '../../../functions/ledger/records/dedup/dedupClaimReader.store.ts';
import { disputeReader } from '../../../functions/ledger/records/disputeIndex.store.ts';
import { recordPartitionOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { OWN_PROVENANCE } from '../../../functions/ledger/records/provenance.ts';
import { recordVersionStore } from '../../../functions/ledger/records/recordVersion.store.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { sampleDisputeOpener } from '../../../functions/tenants/sandbox/openSampleDisputes.ts';
import { sampleOf } from '../../../functions/tenants/sandbox/resetStep.ts';
import { disputedCalls, sampleDisputes } from '../../../functions/tenants/sandbox/sample/disputes.ts';
import { withReset } from '../../../functions/tenants/sandbox/sandbox.ts';
import type { StoredReset } from '../../../schemas/tenants/sandbox.ts';
import { recorderWithFault } from '../../ledger/records/crashFixture.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { NOW } from './harness.ts';

const live = await startTables();
afterAll(() => live.stop());

const resetAt = (now: number): StoredReset => {
  const { reset } = withReset({ live_until: null, reset: null }, { id: 'rst_1', live: false, now });
  if (reset === null) throw new Error('there is no reset');
  return reset;
};
const reset = resetAt(NOW);
const LATER = NOW + 10 * 60_000;

const stores = {
  claims: dedupClaimReader('claims'),
  corrections: recordVersionStore('ledger', () => LATER),
  mark: async () => undefined,
  outbox: outbox('outbox'),
  audit: auditLog('audit'),
};

/** A sandbox with the records of the calls that are disputed. */
const loadedSandbox = async (): Promise<Tenant> => {
  const tenant = newTenant({ sandbox: true });
  for (const { event } of disputedCalls(sampleOf(reset)))
    await recorderWithFault()(event, { receivedAt: NOW, residency: null, statedBy: OWN_PROVENANCE }, tenant);
  return tenant;
};

const disputesOf = async (tenant: Tenant) => {
  const range = { descending: false, limit: 100 };
  const entries = await disputeReader('ledger').disputes(tenant.tenant_id, undefined, range);
  return Promise.all(
    entries.map(async ({ record: ulid }) => {
      const key = { partition: recordPartitionOf(tenant, ulid), ulid };
      const found = await stores.corrections.find(tenant.tenant_id, key);
      return found?.newest.attribution.record;
    }),
  );
};

it('is about the same calls in each data set, and about one call each', () => {
  const calls = disputedCalls(sampleOf(reset)).map(({ dispute, event }) => [dispute.name, event.event_id]);
  const later = disputedCalls(sampleOf(resetAt(NOW + 33.3 * 3_600_000)));

  expect(later.map(({ dispute, event }) => [dispute.name, event.event_id])).toEqual(calls);
  expect(calls.map(([name]) => name)).toEqual(sampleDisputes.map(({ name }) => name));
  expect(new Set(calls.map(([, id]) => id)).size).toBe(calls.length);
});

it('opens each dispute once in the name of the reset, with its event and audit entry', async () => {
  const tenant = await loadedSandbox();

  await sampleDisputeOpener(stores)(tenant, reset);

  const records = await disputesOf(tenant);
  expect(records.map((record) => record?.dispute?.reason).sort()).toEqual(
    sampleDisputes.map(({ reason }) => reason).sort(),
  );
  for (const record of records)
    expect(record).toMatchObject({ version: 2, dispute: { status: 'open', opened_by: 'rst_1' } });
  expect(records.find((record) => record?.dispute?.proposed_service === 'checkout-assistant')).toMatchObject({
    output_state: 'unresolved',
    owner: null,
    dispute: { proposed_owner: 'team-commerce' },
  });
  const events = (await live.eventsOf(tenant)).filter(({ type }) => type === 'attribution.disputed');
  expect(events).toHaveLength(sampleDisputes.length);
  expect(await live.auditOf(tenant)).toHaveLength(sampleDisputes.length);
  for (const entry of await live.auditOf(tenant))
    expect(entry).toMatchObject({
      action: 'attribution.dispute',
      actor: { type: 'operator', id: 'rst_1' },
      outcome: 'succeeded',
    });
});

// About 2 s on a free machine: one attempt for each call of a store.
it('opens none twice, wherever it is killed and repeated', async () => {
  const tenant = await loadedSandbox();
  let calls = 0;
  let killedAt = 0;
  const kill = () => {
    calls += 1;
    if (calls === killedAt) throw new Error('killed');
  };
  const killing =
    <Args extends unknown[], Result>(run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      kill();
      return run(...args);
    };
  const open = sampleDisputeOpener({
    ...stores,
    claims: { ...stores.claims, recordOf: killing(stores.claims.recordOf) },
    mark: killing(stores.mark),
    corrections: {
      find: killing(stores.corrections.find),
      announce: killing(stores.corrections.announce),
      appendVersion: killing(stores.corrections.appendVersion),
    },
  });

  let isDone = false;
  for (; !isDone; killedAt += 1) {
    calls = 0;
    await open(tenant, reset).catch(() => undefined);
    isDone = calls < killedAt;
  }

  expect(killedAt).toBeGreaterThan(sampleDisputes.length * 2);
  const records = await disputesOf(tenant);
  expect(records.map((record) => record?.version)).toEqual(sampleDisputes.map(() => 2));
  expect(await live.auditOf(tenant)).toHaveLength(sampleDisputes.length);
});

it('leaves out a call without a record, and a record that already has an open dispute', async () => {
  const tenant = await loadedSandbox();
  const [first, ...others] = disputedCalls(sampleOf(reset));
  if (first === undefined) throw new Error('there is no dispute');
  const empty = newTenant({ sandbox: true });
  await sampleDisputeOpener(stores)(empty, reset);
  await sampleDisputeOpener(stores)(tenant, { ...reset, reset_id: 'rst_by-a-caller' });

  await sampleDisputeOpener(stores)(tenant, reset);

  expect(await disputesOf(empty)).toEqual([]);
  const records = await disputesOf(tenant);
  expect(records).toHaveLength(1 + others.length);
  for (const record of records)
    expect(record).toMatchObject({ version: 2, dispute: { opened_by: 'rst_by-a-caller' } });
});
