import { rowOwners } from '../../../functions/ledger/erasure/rowOwner.ts';
import type { TenantRows } from '../../../functions/ledger/erasure/tenantRows.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { pascalCase } from '../../../lib/pascalCase.ts';
import { bucketNames } from '../../../schemas/platform/buckets.ts';
import { type TableName, tableNames } from '../../../schemas/platform/tables.ts';
import type { Deployment } from '../deployment.ts';

/** A pass can miss what a running function writes behind its scan. */
const PASSES = 3;

export interface ErasureStatement {
  readonly tenant_id: string;
  readonly started_at: string;
  readonly finished_at: string;
  /** Rows and objects before and after, by table and bucket. */
  readonly counts: Readonly<Record<string, { readonly before: number; readonly after: number }>>;
  /** What was kept on purpose, and why. */
  readonly kept: readonly string[];
}

const KEPT = {
  audit: 'audit: the log of who changed what, for accountability. Erase it too with --with-audit',
  idempotency: 'idempotency: hashed keys and encrypted responses, deleted 24 hours after their request',
  backups: 'point-in-time backups, and deleted files of the archive: they expire after 35 days',
};

/**
 * Deletes all data of a tenant. Credentials go first, so that no new request is accepted, and the tenant itself last, so
 * that the command can be repeated after a failure. Throws when rows are left, because work of the tenant was in flight.
 */
export const eraseTenant = async (
  deployment: Deployment,
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  { withAudit, now }: { readonly withAudit: boolean; readonly now: () => Date },
): Promise<ErasureStatement> => {
  // Imported late, because the AWS clients read their endpoints at import.
  const { tenantObjects } = await import('../../../functions/ledger/erasure/tenantObjects.store.ts');
  const { tenantRows } = await import('../../../functions/ledger/erasure/tenantRows.store.ts');
  const startedAt = now().toISOString();
  const rowsOf = (name: TableName): [string, TenantRows][] => {
    const isOwned = rowOwners[name];
    if (isOwned === null || (name === 'audit' && !withAudit)) return [];
    const table = deployment.output(`Table${pascalCase(name)}`);
    return [[name, tenantRows(name, table, (row) => isOwned(row, tenant))]];
  };
  const middle = tableNames.filter((name) => name !== 'access' && name !== 'tenants');
  const objects = bucketNames.map((name): [string, TenantRows] => {
    const bucket = deployment.output(`Bucket${pascalCase(name)}`);
    return [`s3 ${name}`, tenantObjects(name, bucket, tenant.tenant_id)];
  });
  const data = [...rowsOf('access'), ...middle.flatMap(rowsOf), ...objects];
  const tenantRow = rowsOf('tenants');
  const countAll = async (parts: readonly [string, TenantRows][]): Promise<Record<string, number>> =>
    Object.fromEntries(
      await Promise.all(parts.map(async ([name, rows]) => [name, await rows.count()] as const)),
    );

  const before = await countAll([...data, ...tenantRow]);
  let left = before;
  for (let pass = 0; pass < PASSES && (pass === 0 || data.some(([name]) => left[name] !== 0)); pass += 1) {
    for (const [, rows] of data) await rows.erase();
    left = await countAll(data);
  }
  const remaining = data.filter(([name]) => left[name] !== 0).map(([name]) => name);
  if (remaining.length > 0) {
    throw new Error(
      `Rows of the tenant are still written to ${remaining.join(', ')}. Wait until the queues are empty, and repeat the command.`,
    );
  }
  for (const [, rows] of tenantRow) await rows.erase();
  const after = { ...left, ...(await countAll(tenantRow)) };
  return {
    tenant_id: tenant.tenant_id,
    started_at: startedAt,
    finished_at: now().toISOString(),
    counts: Object.fromEntries(
      Object.entries(before).map(([name, rows]) => [name, { before: rows, after: after[name] ?? 0 }]),
    ),
    kept: [...(withAudit ? [] : [KEPT.audit]), KEPT.idempotency, KEPT.backups],
  };
};
