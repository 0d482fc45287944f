import { rowOwners } from '../../../functions/ledger/erasure/rowOwner.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../../functions/platform/shared/time/month.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { pascalCase } from '../../../lib/pascalCase.ts';
import { type TableName, type TableShape, tables } from '../../../schemas/platform/tables.ts';
import type { Deployment } from '../deployment.ts';
import type { Backups } from './backups.ts';
import { type RestoreCounts, type RestoreMode, restoreRows } from './restoreRows.ts';
import type { Row } from './tableRows.ts';

export interface RestoreRequest {
  readonly table: TableName;
  readonly at: Date;
  readonly mode: RestoreMode;
  readonly isDryRun: boolean;
  /** Only the rows of this tenant. Null: all rows. */
  readonly tenant: Pick<Tenant, 'tenant_id' | 'tag'> | null;
}

export interface RestoreReport extends RestoreCounts {
  readonly table: TableName;
  /** The table that point-in-time recovery created. It costs storage until it is deleted. */
  readonly copy: string;
  /** The months whose totals are compared with the ledger again, by tenant. */
  readonly checks: Readonly<Record<string, readonly string[]>>;
}

/** The tenant and month of a partition with records, or of their rollups. */
const PERIOD = /^([^#]+)#.*?(\d{4}-\d\d)/;

/** Tables whose rows make up totals: after a change of one, it is compared with the other. */
const SUMMED: readonly TableName[] = ['ledger', 'rollups'];

/** A copy of the same table and time has the same name, so a repeated command uses it again. */
export const copyNameOf = (live: string, at: Date): string =>
  `${live}-at-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`;

/**
 * Restores rows of a table as they were at a time of the last 35 days. DynamoDB restores into a new table only, and the
 * functions know the live one by its name, so the rows are copied back. Can be repeated after an interruption.
 */
export const restoreTable = async (
  deployment: Deployment,
  backups: Backups,
  { table, at, mode, isDryRun, tenant }: RestoreRequest,
  now: () => Date,
): Promise<RestoreReport> => {
  const live = deployment.output(`Table${pascalCase(table)}`);
  const copy = copyNameOf(live, at);
  const isOwned = rowOwners[table];
  if (tenant !== null && isOwned === null) {
    throw new Error(`Rows of ${table} do not name a tenant. Restore the whole table, or none of it.`);
  }
  /** The entries of closed days name files, which are not restored: an older entry would name deleted files. */
  const isKept = (row: Row): boolean =>
    mode === 'exact' && table === 'ledger' && (row['pk']?.S ?? '').endsWith('#archive');
  const isSelected = (row: Row): boolean =>
    !isKept(row) &&
    (tenant === null ||
      isOwned === null ||
      isOwned({ pk: row['pk']?.S ?? '', sk: row['sk']?.S, document: row['document']?.S }, tenant));
  const months = new Map<string, Set<string>>();
  const onChange = (row: Row): void => {
    const [, tenantId, month] = PERIOD.exec(row['pk']?.S ?? '') ?? [];
    if (!SUMMED.includes(table) || tenantId === undefined || month === undefined) return;
    months.set(tenantId, (months.get(tenantId) ?? new Set<string>()).add(month));
  };

  await backups.restore(live, copy, at);
  const shape: TableShape = tables[table];
  const counts = await restoreRows(
    shape,
    { live, copy },
    { mode, isDryRun, now: Math.floor(now().getTime() / 1_000), isSelected, onChange },
  );
  await requestChecks(deployment, months, now().getTime());
  const checks = Object.fromEntries([...months].map(([tenantId, found]) => [tenantId, [...found].sort()]));
  return { table, copy, ...counts, checks };
};

/** Has the totals of these months compared with the ledger, and summed again where they differ. */
const requestChecks = async (
  deployment: Deployment,
  months: ReadonlyMap<string, ReadonlySet<string>>,
  now: number,
): Promise<void> => {
  if (months.size === 0) return;
  // Imported late, because the AWS clients read their endpoints at import.
  const { SendMessageCommand } = await import('@aws-sdk/client-sqs');
  const { sqs } = await import('../../../functions/platform/shared/aws/sqs.client.ts');
  const { totalsCheckRequester } = await import('../../../functions/ledger/rollups/checks/requestCheck.ts');
  const QueueUrl = deployment.output('QueueRollups');
  const request = totalsCheckRequester({
    send: async (message) => {
      const MessageBody = JSON.stringify(message);
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: message.tenant_id }));
    },
  });
  for (const [tenantId, found] of months) {
    for (const month of found) {
      if (month > monthOf(now)) continue;
      await request(tenantId, { from: startOfMonth(month), to: Math.min(now, startOfNextMonth(month)) });
    }
  }
};
