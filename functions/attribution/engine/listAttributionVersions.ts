import type { RecordVersion } from '../../../schemas/attribution/recordVersion.ts';
import { listAttributionVersions } from '../../../schemas/routes/attribution/attribution.ts';
import type { LedgerReader, Version } from '../../ledger/records/ledger.store.ts';
import { recordPartitionOf, versionKeyOf } from '../../ledger/records/ledgerKey.ts';
import { keyAfter } from '../../ledger/records/query/versionAsOf.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/paging.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { requireResidency } from '../../platform/tenancy/residency.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { causeOf } from './versionCause.ts';

/** At most `limit` versions of a record, newest first, after a version or from the newest on. */
const readVersions = async (
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

const toRecordVersion = (
  { attribution, validity }: Version,
  previous: Version | undefined,
): RecordVersion => ({
  record: attribution.record,
  valid_until: validity.to === null ? null : toIso(validity.to),
  ...causeOf(attribution, previous?.attribution ?? null),
});

export default operation(listAttributionVersions, (call) => {
  const { caller, parameters, stores } = call;
  const ulid = parameters['id'] ?? '';
  return respondWithPage(listAttributionVersions, call, async ({ after }, limit) => {
    // The version before the last one of the page says what changed.
    const versions = await readVersions(stores.ledger, caller.tenant, ulid, after, limit + 1);
    const [newest] = versions;
    if (newest === undefined && after === undefined) {
      throw new ProblemError('NOT_FOUND', 'Attribution record not found.');
    }
    if (newest !== undefined) requireResidency(newest.attribution.record, caller);
    const { items, resume } = toPage(versions, limit, ({ key }) => key);
    return { items: items.map((version, index) => toRecordVersion(version, versions[index + 1])), resume };
  });
});
