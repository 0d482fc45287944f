import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { archiveFiles } from '../../../functions/ledger/archive/archiveFiles.ts';
import { eraseFromArchive } from '../../../functions/ledger/archive/erasure/eraseRecords.ts';
import { fenceDays } from '../../../functions/ledger/archive/erasure/fenceDays.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../records/ledgerFixture.ts';
import { recordsOfDay, startArchive } from './archiveFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

/** The event ids in the files of the day, read as the service reads them. */
const archivedEvents = async (
  archive: ReturnType<typeof startArchive>,
  tenant: Tenant,
): Promise<string[]> => {
  const files = archiveFiles(archive.bucket.objects);
  const events: string[] = [];
  for (const file of (await archive.manifest(tenant))?.files ?? []) {
    for (const { shard } of file.ids) {
      for (const group of await files.groups(file, shard)) {
        const rows = await files.rows(file, group, tenant.tenant_id);
        events.push(...rows.map(({ read }) => read().record.event_id));
      }
    }
  }
  return events.sort();
};

const closedDay = async () => {
  const archive = startArchive({ fileRows: 3 });
  const tenant = newTenant();
  const records = recordsOfDay(7, [0, 1]);
  await archive.write(tenant, records);
  await archive.close(tenant);
  const stores = {
    objects: archive.bucket.objects,
    directory: archive.directory,
    clock: archive.clock,
    newId: randomUUID,
  };
  return { archive, tenant, stores, events: records.map(({ eventId }) => eventId) };
};

describe('a job that read its day before an erasure', () => {
  it.each([
    ['of a day without files', false],
    ['of a day with files', true],
  ])('publishes nothing: %s', async (_, isClosed) => {
    const archive = startArchive({ fileRows: 3 });
    const tenant = newTenant();
    await archive.write(tenant, recordsOfDay(7, [0, 1]));
    if (isClosed) await archive.close(tenant);
    const manifest = await archive.manifest(tenant);
    const stores = {
      objects: archive.bucket.objects,
      directory: archive.directory,
      monthsOf: archive.rows.months,
      clock: archive.clock,
      newId: randomUUID,
    };
    const step = archive.stepper();
    const { job } = await step(archive.archiveJob(tenant));

    await fenceDays(stores, tenant.tenant_id, archive.clock());
    await archive.run(job);

    expect((await archive.manifest(tenant))?.files).toEqual(manifest?.files ?? []);
    await archive.close(tenant);
    expect((await archive.manifest(tenant))?.totals).toMatchObject({ records: 7 });
  });
});

describe('erasure in the archive', () => {
  it('deletes the chosen records, changes others, and keeps the rest with exact sums', async () => {
    const { archive, tenant, stores, events } = await closedDay();
    const [erased, changed] = events;
    const before = [...archive.bucket.stored.keys()];

    const count = await eraseFromArchive(stores, tenant.tenant_id, (attribution) => {
      if (attribution.record.event_id === erased) return null;
      if (attribution.record.event_id !== changed) return attribution;
      return { ...attribution, record: { ...attribution.record, owner: null } };
    });

    expect(count).toBe(2);
    expect(await archivedEvents(archive, tenant)).toEqual(events.filter((event) => event !== erased));
    const manifest = await archive.manifest(tenant);
    expect(manifest?.totals).toMatchObject({ versions: 6, records: 6 });
    const named = manifest?.files.map(({ key }) => key) ?? [];
    const left = [...archive.bucket.stored.keys()];
    expect(left.filter((key) => key.startsWith('records/'))).toEqual(expect.arrayContaining(named));
    expect(left).toHaveLength(named.length + 1);
    expect(left).not.toEqual(before);
  });

  it('keeps the files in which nothing is erased', async () => {
    const { archive, tenant, stores } = await closedDay();
    const before = [...archive.bucket.stored.keys()];
    expect(await eraseFromArchive(stores, tenant.tenant_id, (attribution) => attribution)).toBe(0);
    expect([...archive.bucket.stored.keys()]).toEqual(before);
  });
});
