import { coldUntil } from '../../../functions/ledger/archive/hotDays.ts';
import { isKeptByRestore } from '../../../functions/ledger/erasure/permanentRows.ts';
import { rowOwners } from '../../../functions/ledger/erasure/rowOwner.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../../functions/platform/shared/time/month.ts';
import { utcDateOf } from '../../../functions/platform/shared/time/toIso.ts';
import { timeOfUlid } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { pascalCase } from '../../../lib/pascalCase.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import { type TableName, type TableShape, tables } from '../../../schemas/platform/tables.ts';
import type { Deployment } from '../deployment.ts';
import { dirtyMarkerOf } from '../dirtyMarker.ts';
import { operatorArchive } from '../operatorLedger.ts';
import type { Backups } from './backups.ts';
import { type RestoreCounts, type RestoreMode, restoreRows } from './restoreRows.ts';
import type { Row } from './tableRows.ts';
import { ulidOfVersion, unarchivedRows } from './unarchivedRows.ts';

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
  /** Days whose calls were left as they are, by tenant: their files have the last word. */
  readonly cold_days: Readonly<Record<string, readonly string[]>>;
}

/** The tenant and month of a partition with records, or of their rollups. */
const PERIOD = /^([^#]+)#.*?(\d{4}-\d\d)/;

/** Within this time the schedule writes a changed day again, so that its files follow before they are read. */
const REWRITING_MS = 3 * DAY_MS;

/** The time of the call of a version in the ledger, epoch milliseconds. Null for other rows. */
const calledAt = (table: TableName, row: Row): number | null => {
  const ulid = table === 'ledger' ? ulidOfVersion(row) : null;
  return ulid === null ? null : timeOfUlid(ulid);
};

const asLists = (sets: ReadonlyMap<string, ReadonlySet<string>>): Record<string, readonly string[]> =>
  Object.fromEntries([...sets].map(([key, found]) => [key, [...found].sort()]));

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
  const startedAt = now().getTime();
  const coldDays = new Map<string, Set<string>>();
  /**
   * Calls whose day is read from the archive. A file has the last word on them and is not restored, so a change of their rows
   * would be undone by the next read.
   */
  const isCold = (row: Row): boolean => {
    const called = calledAt(table, row);
    if (mode !== 'exact' || called === null || called >= coldUntil(startedAt) + REWRITING_MS) return false;
    const tenantId = (row['pk']?.S ?? '').split('#')[0] ?? '';
    coldDays.set(tenantId, (coldDays.get(tenantId) ?? new Set()).add(utcDateOf(called)));
    return true;
  };
  const isKept = (row: Row): boolean =>
    mode === 'exact' && (isKeptByRestore(table, row['pk']?.S ?? '') || isCold(row));
  const isSelected = (row: Row): boolean =>
    !isKept(row) &&
    (tenant === null ||
      isOwned === null ||
      isOwned({ pk: row['pk']?.S ?? '', sk: row['sk']?.S, document: row['document']?.S }, tenant));
  const months = new Map<string, Set<string>>();
  const changedCalls = new Map<string, number[]>();
  const onChange = (row: Row): void => {
    const called = calledAt(table, row);
    const [owner = ''] = (row['pk']?.S ?? '').split('#');
    if (called !== null) changedCalls.set(owner, [...(changedCalls.get(owner) ?? []), called]);
    const [, tenantId, month] = PERIOD.exec(row['pk']?.S ?? '') ?? [];
    if (!SUMMED.includes(table) || tenantId === undefined || month === undefined) return;
    months.set(tenantId, (months.get(tenantId) ?? new Set<string>()).add(month));
  };

  await backups.restore(live, copy, at);
  const shape: TableShape = tables[table];
  const counts = await restoreRows(
    shape,
    { live, copy },
    {
      mode,
      isDryRun,
      now: Math.floor(now().getTime() / 1_000),
      ...(table === 'ledger' && {
        keepExpired: unarchivedRows(
          operatorArchive(deployment, () => startedAt),
          startedAt,
        ),
      }),
      isSelected,
      onChange,
    },
  );
  // Every changed minute is summed again. The comparison of numbers finds no version that has another content.
  for (const [tenantId, times] of changedCalls) {
    const markDirty = await dirtyMarkerOf(deployment, tenantId);
    await markDirty([...new Set(times)]);
  }
  await requestChecks(deployment, months, now().getTime());
  const checks = asLists(months);
  return { table, copy, ...counts, checks, cold_days: asLists(coldDays) };
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
