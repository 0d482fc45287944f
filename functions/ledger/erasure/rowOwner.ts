import * as z from 'zod';
import type { TableName } from '../../../schemas/platform/tables.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { tenantOfUnarchivedDay } from '../records/unarchivedDay.store.ts';

/** What a scan reads of a row: its key, and the JSON document where the key does not name the tenant. */
export interface ScannedRow {
  readonly pk: string;
  readonly sk: string | undefined;
  readonly document: string | undefined;
}

type ErasedTenant = Pick<Tenant, 'tenant_id' | 'tag'>;
type OwnerRule = (row: ScannedRow, tenant: ErasedTenant) => boolean;

const Owned = z.object({ tenant_id: z.string() });
const isInDocument: OwnerRule = ({ document }, { tenant_id }) =>
  document !== undefined && Owned.safeParse(JSON.parse(document)).data?.tenant_id === tenant_id;

/** The list of a person's tenants belongs to this one only if there is no other: the person still signs in to those. */
const isOnlyTenant: OwnerRule = ({ document }, { tenant_id }) =>
  document !== undefined &&
  z
    .array(Owned)
    .safeParse(JSON.parse(document))
    .data?.every((membership) => membership.tenant_id === tenant_id) === true;

/** A tenant id contains no `#`, so a part of a key that equals it is the whole id. */
const isFirst: OwnerRule = ({ pk }, { tenant_id }) => pk.split('#')[0] === tenant_id;
const isSecond: OwnerRule = ({ pk }, { tenant_id }) => pk.split('#')[1] === tenant_id;

/**
 * How a row names its tenant, for each table. Null: rows name no tenant, and expire.
 *
 * `idempotency` holds hashed keys and encrypted responses for 24 hours. Only a holder of the Idempotency-Key can find or
 * decrypt a row.
 */
export const rowOwners: Readonly<Record<TableName, OwnerRule | null>> = {
  ledger: (row, tenant) =>
    row.pk.startsWith('#unarchived#')
      ? tenantOfUnarchivedDay(row.sk ?? '') === tenant.tenant_id
      : isFirst(row, tenant),
  claims: isFirst,
  coverage: isFirst,
  signals: isFirst,
  counters: isFirst,
  bills: isFirst,
  billSources: isSecond,
  traces: isFirst,
  models: isSecond,
  jobs: isFirst,
  exports: (row, tenant) =>
    isSecond(row, tenant) ||
    (['open', 'deliveries', 'checks'].includes(row.pk) && row.sk?.split('#')[1] === tenant.tenant_id),
  rollups: isFirst,
  results: isFirst,
  budgets: isSecond,
  anomalies: isSecond,
  notifications: isSecond,
  tenants: (row, tenant) => (row.pk.startsWith('sender#') ? isInDocument : isSecond)(row, tenant),
  access: (row, tenant) =>
    row.pk.startsWith('person#') ? isOnlyTenant(row, tenant) : row.pk.split('#')[1] === tenant.tag,
  grants: isInDocument,
  audit: isFirst,
  outbox: isFirst,
  webhooks: isSecond,
  deliveries: isSecond,
  limits: isFirst,
  idempotency: null,
  identity: isSecond,
};
