import { afterAll, expect, it } from 'vitest';
import { type Decide, reviser } from '../../../functions/attribution/engine/revise.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { RETENTION_MILLISECONDS } from '../../../functions/ledger/records/ledgerItem.ts';
import { recordVersionStore } from '../../../functions/ledger/records/recordVersion.store.ts';
import { recordUlid } from '../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { newTenant, testRecord, writeRecord } from '../../ledger/records/ledgerFixture.ts';
import { startTables } from '../../support/tables.ts';
import { neverRaised } from './neverRaised.ts';
import { clock, corrections, MARCH, revise, versionsOf } from './trace/traceFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

const by = { claim: 'a job', attempt: 1 };
const call = testRecord(MARCH, 1);

const aRecord = async (receivedAt = MARCH): Promise<{ tenant: Tenant; ulid: string }> => {
  const tenant = newTenant();
  await writeRecord(tenant, call, receivedAt);
  return { tenant, ulid: recordUlid(tenant.tenant_id, call.eventId, MARCH) };
};

/** Decides a next version whose owner has `name` appended. */
const signedBy =
  (name: string): Decide =>
  ({ record, ...rest }, startsAt): Attribution => ({
    ...rest,
    record: {
      ...record,
      version: record.version + 1,
      as_of: new Date(startsAt()).toISOString(),
      owner: `${record.owner ?? ''}${name}`,
    },
  });

const chainOf = async (tenant: Tenant) => (await versionsOf(tenant)).get(call.eventId) ?? [];

it('writes the decided version and ends the previous one at its start', async () => {
  const { tenant, ulid } = await aRecord();

  const outcome = await revise(tenant, ulid, by, signedBy('a'));

  const [first, second, ...more] = await chainOf(tenant);
  expect([outcome, more]).toEqual(['revised', []]);
  expect(second?.attribution.record).toMatchObject({ version: 2, owner: 'a' });
  expect(first?.validity.to).toBe(second?.validity.from);
});

it('returns unchanged and writes nothing when the decision is null', async () => {
  const { tenant, ulid } = await aRecord();

  expect(await revise(tenant, ulid, by, () => null)).toBe('unchanged');
  expect(await chainOf(tenant)).toHaveLength(1);
});

it.each([
  [
    'that never existed',
    async () => ({ tenant: newTenant(), ulid: recordUlid('nobody', call.eventId, MARCH) }),
  ],
  ['that has expired', () => aRecord(MARCH - RETENTION_MILLISECONDS)],
])('returns missing without a decision for a record %s', async (_, prepare) => {
  const { tenant, ulid } = await prepare();
  const decided: Attribution[] = [];

  const outcome = await revise(tenant, ulid, by, (current) => {
    decided.push(current);
    return null;
  });

  expect([outcome, decided]).toEqual(['missing', []]);
});

it('starts a version after the one it ends, even when the clock of the writer is slow', async () => {
  const { tenant, ulid } = await aRecord();
  const late = reviser(recordVersionStore('ledger', clock), () => MARCH - 5_000, neverRaised);

  await late(tenant, ulid, by, signedBy('a'));
  await late(tenant, ulid, by, signedBy('b'));

  expect((await chainOf(tenant)).map(({ validity }) => validity)).toMatchObject([
    { version: 1, from: MARCH, to: MARCH + 1 },
    { version: 2, from: MARCH + 1, to: MARCH + 2 },
    { version: 3, from: MARCH + 2, to: null },
  ]);
});

it('starts a version after the reads of its decision, which may take longer than a write', async () => {
  const { tenant, ulid } = await aRecord();
  let now = MARCH;
  const late = reviser(
    recordVersionStore('ledger', () => now),
    () => now,
    neverRaised,
  );

  const outcome = await late(tenant, ulid, by, (current, startsAt) => {
    now += 60_000;
    return signedBy('a')(current, startsAt);
  });

  expect(outcome).toBe('revised');
  expect((await chainOf(tenant)).at(-1)?.validity.from).toBe(MARCH + 60_000);
});

it('starts a version again when it was announced more than a second after its start', async () => {
  const { tenant, ulid } = await aRecord();
  let now = MARCH;
  const store = recordVersionStore('ledger', () => now);
  const delays = [2_000, 500];
  const announce: typeof store.announce = (...args) => {
    now += delays.shift() ?? 0;
    return store.announce(...args);
  };

  await reviser({ ...store, announce }, () => now, neverRaised)(tenant, ulid, by, signedBy('a'));

  expect(delays).toEqual([]);
  expect((await chainOf(tenant)).map(({ validity }) => validity.from)).toEqual([MARCH, MARCH + 2_000]);
});

it('applies all concurrent revisions, each on top of the previous one', async () => {
  const { tenant, ulid } = await aRecord();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];

  const outcomes = await Promise.all(names.map((name) => revise(tenant, ulid, by, signedBy(name))));

  const chain = await chainOf(tenant);
  const newest = chain.at(-1)?.attribution.record;
  expect(new Set(outcomes)).toEqual(new Set(['revised']));
  expect(chain.map(({ validity }) => validity.version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect([...(newest?.owner ?? '')].toSorted()).toEqual(names);
});

it('decides again with the newer version after a write conflict', async () => {
  const { tenant, ulid } = await aRecord();
  const owners: (string | null)[] = [];

  await revise(tenant, ulid, by, async (current, startsAt) => {
    owners.push(current.record.owner);
    if (owners.length === 1) await revise(tenant, ulid, by, signedBy('other'));
    return signedBy('own')(current, startsAt);
  });

  expect(owners).toEqual([null, 'other']);
  expect((await chainOf(tenant)).at(-1)?.attribution.record.owner).toBe('otherown');
});

it('throws after 12 write conflicts', async () => {
  const { tenant, ulid } = await aRecord();

  const revising = revise(tenant, ulid, by, async (current, startsAt) => {
    await revise(tenant, ulid, by, signedBy('x'));
    return signedBy('own')(current, startsAt);
  });

  await expect(revising).rejects.toThrow('Gave up after 12 write conflicts on record');
  expect((await chainOf(tenant)).at(-1)?.attribution.record.owner).not.toContain('own');
});

it('does not extend the expiry of a record', async () => {
  const { tenant, ulid } = await aRecord();
  const key = { partition: `${tenant.tenant_id}#2026-03#0`, ulid };
  const before = await corrections.find(tenant.tenant_id, key);

  await revise(tenant, ulid, by, signedBy('a'));

  const after = await corrections.find(tenant.tenant_id, key);
  expect(after?.expires).toBe(before?.expires);
});
