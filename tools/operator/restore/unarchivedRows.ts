import type { ArchivedVersions } from '../../../functions/ledger/archive/reading/archivedVersions.ts';
import { RETENTION_MILLISECONDS, ROW_MILLISECONDS } from '../../../functions/ledger/records/ledgerItem.ts';
import { timeOfUlid } from '../../../functions/platform/shared/ulid.ts';
import { tables } from '../../../schemas/platform/tables.ts';
import type { Row } from './tableRows.ts';

/** The sort key of a version of a record: a ULID and a number. */
const VERSION_KEY = /^(?<ulid>[0-9A-HJKMNP-TV-Z]{26})#\d{6}$/;

/** The record of a version in the ledger. Null for other rows. */
export const ulidOfVersion = (row: Row): string | null =>
  VERSION_KEY.exec(row['sk']?.S ?? '')?.groups?.['ulid'] ?? null;

const tenantOf = (row: Row): string => (row['pk']?.S ?? '').split('#')[0] ?? '';

/**
 * Of rows of a copy that have expired, the versions that no file of the archive holds, with a later expiry. The live table kept such
 * rows longer than the copy knows, and they are nowhere else. `now` is in epoch milliseconds.
 */
export const unarchivedRows =
  (archive: Pick<ArchivedVersions, 'records'>, now: number) =>
  async (rows: readonly Row[]): Promise<Row[]> => {
    const kept: Row[] = [];
    for (const [tenantId, own] of Map.groupBy(rows, tenantOf)) {
      const ulids = own
        .flatMap((row) => ulidOfVersion(row) ?? [])
        .filter((ulid) => timeOfUlid(ulid) > now - RETENTION_MILLISECONDS);
      const archived = await archive.records(tenantId, [...new Set(ulids)]);
      const wanted = new Set(ulids);
      for (const row of own) {
        const ulid = ulidOfVersion(row);
        if (ulid === null || !wanted.has(ulid)) continue;
        if (archived.get(ulid)?.some(({ key }) => key === row['sk']?.S)) continue;
        kept.push({
          ...row,
          [tables.ledger.ttl]: { N: String(Math.ceil((now + ROW_MILLISECONDS) / 1_000)) },
        });
      }
    }
    return kept;
  };
