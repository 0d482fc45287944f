import type { Clock } from '../../../platform/shared/time/clock.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import type { Version } from '../../records/ledger.store.ts';
import { RETENTION_MILLISECONDS } from '../../records/ledgerItem.ts';
import { versionKeyOf } from '../../records/ledgerKey.ts';
import type { VersionBatchReader, VersionKey } from '../../records/query/versionBatch.store.ts';
import type { RecordVersionStore } from '../../records/recordVersion.store.ts';
import type { ArchivedVersions } from './archivedVersions.ts';
import { endedAt } from './unitePages.ts';

/** Finds a record also when its newest version is only in a file. The next version is then a row of the table again. */
export const archivedRecordVersions = (
  store: RecordVersionStore,
  archive: ArchivedVersions,
  clock: Clock,
): RecordVersionStore => ({
  ...store,
  find: async (tenantId, key) => {
    const found = await store.find(tenantId, key);
    if (!archive.isCold(timeOfUlid(key.ulid))) return found;
    const archived = (await archive.records(tenantId, [key.ulid])).get(key.ulid) ?? [];
    const [first, newest] = [archived[0], archived.at(-1)];
    if (first === undefined || newest === undefined) return found;
    if (found !== null && found.newest.validity.version >= newest.validity.version) return found;
    return {
      newest,
      readAt: clock(),
      expires: found?.expires ?? Math.ceil((first.validity.from + RETENTION_MILLISECONDS) / 1_000),
      isArchived: true,
    };
  },
});

/** Reads versions by their keys, in the table and of cold records also in the files. */
export const archivedVersionBatch = (
  reader: VersionBatchReader,
  archive: ArchivedVersions,
): VersionBatchReader => ({
  read: async (tenant, keys) => {
    const stored = await reader.read(tenant, keys);
    const cold = keys.filter(({ ulid }) => archive.isCold(timeOfUlid(ulid)));
    if (cold.length === 0) return stored;
    const records = await archive.records(
      tenant.tenant_id,
      cold.map(({ ulid }) => ulid),
    );
    const archived = new Map<string, { readonly version: Version; readonly next: VersionKey }>();
    for (const { ulid, version: number } of cold) {
      const version = records.get(ulid)?.find(({ validity }) => validity.version === number);
      if (version !== undefined) archived.set(version.key, { version, next: { ulid, version: number + 1 } });
    }
    // A version that is the last of its file may end where a newer version in the table starts.
    const open = [...archived.values()].filter(({ version }) => version.validity.to === null);
    const newer = await reader.read(
      tenant,
      open.map(({ next }) => next),
    );
    const united = new Map(stored);
    for (const [key, { version, next }] of archived) {
      const end = newer.get(versionKeyOf(next.ulid, next.version))?.validity.from;
      united.set(key, end === undefined ? version : endedAt(version, end));
    }
    return united;
  },
});
