import type { BillSource } from '../../../../schemas/chargeback/billSources.ts';
import { externalIdOf } from '../../../platform/customerBuckets/externalId.ts';
import { isoOrNull, toIso, utcDateOf } from '../../../platform/shared/time/toIso.ts';
import { isLate, type StoredBillSource } from './billSource.ts';
import { withInterruption } from './importSchedule.ts';

const statusOf = ({ paused, imports }: StoredBillSource): BillSource['status'] => {
  if (paused) return 'paused';
  if (imports.last_error !== null) return 'failing';
  return imports.last_success_at === null ? 'pending' : 'active';
};

/** The export with what the trust policy of its role must name. */
const trustedExportOf = ({ id, data_export }: StoredBillSource, importRoleArn: string) =>
  data_export && { ...data_export, external_id: externalIdOf(id), trusted_role_arn: importRoleArn };

/**
 * The API representation at `now` (epoch milliseconds), without the credential. `importRoleArn` is the role that reads
 * bills.
 */
export const toBillSource = (stored: StoredBillSource, now: number, importRoleArn: string): BillSource => {
  const source = withInterruption(stored, now);
  const { id, provider, name, account, exchange_rates, paused, created_at, updated_at, imports } = source;
  return {
    id,
    provider,
    name,
    account,
    data_export: trustedExportOf(source, importRoleArn),
    exchange_rates,
    status: statusOf(source),
    last_success_at: isoOrNull(imports.last_success_at),
    last_error: imports.last_error,
    unread_days: Object.entries(imports.unread_days).map(([day, { error }]) => ({
      day: utcDateOf(Number(day)),
      error,
    })),
    next_import_at: paused ? null : toIso(imports.due_at),
    imported_until: isoOrNull(imports.imported_until),
    published_until: isoOrNull(imports.published_until),
    is_late: isLate(source, now),
    created_at,
    updated_at,
  };
};
