import {
  HISTORY_MAXIMUM,
  type NameChange,
  type RecordVersion,
} from '../../../schemas/attribution/recordVersion.ts';
import type { LedgerReader, Version } from '../../ledger/records/ledger.store.ts';
import { recordPartitionOf, versionKeyOf } from '../../ledger/records/ledgerKey.ts';
import { keyAfter } from '../../ledger/records/query/versionAsOf.ts';
import { isoOrNull } from '../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { causeOf } from './versionCause.ts';

/** At most `limit` versions of a record, newest first, after a version or from the newest on. */
export const readVersions = async (
  ledger: LedgerReader,
  tenant: Tenant,
  ulid: string,
  after: string | undefined,
  limit: number,
): Promise<Version[]> => {
  const found: Version[] = [];
  const range = { partition: recordPartitionOf(tenant, ulid), from: versionKeyOf(ulid, 1), descending: true };
  let to: string | null = after === undefined ? `${ulid}#~` : keyAfter(after, true);
  while (to !== null && to > range.from && found.length < limit) {
    const { versions, last } = await ledger.read(tenant.tenant_id, {
      ...range,
      to,
      limit: limit - found.length,
    });
    found.push(...versions);
    to = last === null ? null : keyAfter(last, true);
  }
  return found.slice(0, limit);
};

export const toRecordVersion = (
  { attribution, validity }: Version,
  previous: Version | undefined,
): RecordVersion => ({
  record: attribution.record,
  valid_until: isoOrNull(validity.to),
  ...causeOf(attribution, previous?.attribution ?? null),
});

const isSameNames = ({ record: one }: RecordVersion, { record: other }: RecordVersion): boolean =>
  one.owner === other.owner &&
  one.service === other.service &&
  one.interpretation.answers.owner.state === other.interpretation.answers.owner.state;

/**
 * Whom a record named from when until when, newest first. Versions that change no name are part of the time of the one before,
 * whose cause says what named it. `versions` are newest first, and one more than is told: it says what the last one changed.
 */
const nameChangesIn = (versions: readonly Version[]): NameChange[] => {
  const told = versions
    .slice(0, HISTORY_MAXIMUM)
    .map((version, index) => toRecordVersion(version, versions[index + 1]));
  const begins = told.filter((version, index) => {
    const earlier = told[index + 1];
    return earlier === undefined || !isSameNames(version, earlier);
  });
  return begins.map(({ record, cause, by, reason }, index) => ({
    version: record.version,
    owner: record.owner,
    owner_state: record.interpretation.answers.owner.state,
    service: record.service,
    from: record.as_of,
    until: begins[index - 1]?.record.as_of ?? null,
    cause,
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  }));
};

/** Whom the newest versions of a record named. One more is read, which says what the last of them changed. */
export const readNameChanges = async (
  ledger: LedgerReader,
  tenant: Tenant,
  ulid: string,
): Promise<NameChange[]> =>
  nameChangesIn(await readVersions(ledger, tenant, ulid, undefined, HISTORY_MAXIMUM + 1));
