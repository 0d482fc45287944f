import { randomUUID } from 'node:crypto';
import { rowOwners } from '../../../../functions/ledger/erasure/rowOwner.ts';
import { StoredAttribution } from '../../../../functions/ledger/records/ledgerItem.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { pascalCase } from '../../../../lib/pascalCase.ts';
import { type TableName, tableNames, tables } from '../../../../schemas/platform/tables.ts';
import type { Deployment } from '../../deployment.ts';
import { dirtyMarkerOf } from '../../dirtyMarker.ts';
import { renameInArtefacts } from './personObjects.ts';
import { countInTable, renameInTable } from './personRows.ts';
import { renamePerson } from './rename.ts';
import type { Row } from './renameRow.ts';

/** A pass can miss what a running function writes behind its scan. */
const PASSES = 3;

export interface PersonErasureStatement {
  readonly tenant_id: string;
  /** What stands instead of the name. */
  readonly pseudonym: string;
  readonly started_at: string;
  readonly finished_at: string;
  /** Rows with the name before and after, by table, and renamed versions and objects of the buckets. */
  readonly counts: Readonly<Record<string, { readonly before: number; readonly after: number }>>;
  /** What was kept on purpose, and why. */
  readonly kept: readonly string[];
}

/** Tables that are left alone, with the reason of each. */
const KEPT_TABLES: Partial<Record<TableName, string>> = {
  audit: 'audit: the log of who changed what, for accountability',
  grants: 'grants: pending sign-ins and sessions, which expire',
  idempotency: 'idempotency: hashed keys and encrypted responses, deleted 24 hours after their request',
  limits: 'limits: rate limits of credentials, without names',
};
const KEPT_ELSEWHERE = [
  'exports: files that were handed over. They are deleted 31 days after their creation',
  'models: hashes of words that a model was trained with. They do not lead back to a name without guessing it',
  'point-in-time backups, and deleted files of the archive: they expire after 35 days',
];

/**
 * Replaces the name of a person in all data of a tenant by a pseudonym. Calls, sums and the number of persons stay the same,
 * so reports and closed periods keep their figures. Can be repeated with the same pseudonym after a failure. Throws when
 * rows with the name are left, because work of the tenant was in flight.
 */
export const erasePerson = async (
  deployment: Deployment,
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  { name, pseudonym, now }: { readonly name: string; readonly pseudonym: string; readonly now: () => Date },
): Promise<PersonErasureStatement> => {
  const startedAt = now().toISOString();
  if (await isUser(deployment, tenant, name))
    throw new Error(`${name} can sign in. Remove the user first: npm run tenant -- user ID EMAIL --remove`);
  const rename = renamePerson(name, pseudonym);
  const markDirty = await dirtyMarkerOf(deployment, tenant.tenant_id);
  const places = tableNames.flatMap((table) => {
    const isOwned = rowOwners[table];
    if (isOwned === null || KEPT_TABLES[table] !== undefined) return [];
    const isSelected = (row: Row): boolean =>
      isOwned({ pk: row['pk']?.S ?? '', sk: row['sk']?.S, document: row['document']?.S }, tenant);
    const target = { table: deployment.output(`Table${pascalCase(table)}`), shape: tables[table] };
    return [{ table, target, isSelected }];
  });

  const before: Record<string, number> = { 's3 archive': 0 };
  const after: Record<string, number> = {};
  let left: string[] = [];
  const renameFiles = async (): Promise<number> => {
    const renamed = await renameInArchive(deployment, tenant.tenant_id, rename.json);
    before['s3 archive'] = (before['s3 archive'] ?? 0) + renamed;
    return renamed;
  };
  for (let pass = 0; pass < PASSES && (pass === 0 || left.length > 0); pass += 1) {
    // Before the rows, because totals of old days are summed from the files. Afterwards again, because a day that was
    // written again meanwhile has the old rows.
    await renameFiles();
    for (const { table, target, isSelected } of places) {
      const { found } = await renameInTable(target, rename, { isSelected, markDirty });
      before[table] ??= found;
    }
    // Work that read rows before they were renamed must not publish them.
    await fenceArchive(deployment, tenant.tenant_id, now().getTime());
    left = [];
    for (const { table, target, isSelected } of places) {
      after[table] = await countInTable(target, rename, isSelected);
      if (after[table] !== 0) left.push(table);
    }
    if ((await renameFiles()) !== 0) left.push('s3 archive');
  }
  if (left.length > 0) {
    throw new Error(
      `The name is still written to ${left.join(', ')}. Stop its producers, wait until the queues are empty, and repeat the command with --as ${pseudonym}.`,
    );
  }
  before['s3 artefacts'] = await renameInArtefacts(
    deployment.output('BucketArtefacts'),
    tenant.tenant_id,
    rename,
  );
  return {
    tenant_id: tenant.tenant_id,
    pseudonym,
    started_at: startedAt,
    finished_at: now().toISOString(),
    counts: Object.fromEntries(
      Object.entries(before).map(([place, rows]) => [place, { before: rows, after: after[place] ?? 0 }]),
    ),
    kept: [...Object.values(KEPT_TABLES), ...KEPT_ELSEWHERE],
  };
};

const isUser = async (
  deployment: Deployment,
  { tag }: Pick<Tenant, 'tag'>,
  email: string,
): Promise<boolean> => {
  const { credentialReader } = await import(
    '../../../../functions/identity/access/principals/credential.store.ts'
  );
  const user = await credentialReader(deployment.output('TableAccess'), Math.random).user(tag, email);
  return user?.removed_at === null;
};

const archiveStores = async (deployment: Deployment) => {
  // Imported late, because the AWS clients read their endpoints at import.
  const { archiveDirectoryWriter } = await import(
    '../../../../functions/ledger/archive/archiveDirectory.store.ts'
  );
  const { archiveObjects } = await import('../../../../functions/ledger/archive/archiveObjects.store.ts');
  return {
    objects: archiveObjects(deployment.output('BucketArchive')),
    directory: archiveDirectoryWriter(deployment.output('TableLedger')),
    clock: Date.now,
    newId: randomUUID,
  };
};

const fenceArchive = async (deployment: Deployment, tenantId: string, now: number): Promise<void> => {
  const { fenceDays } = await import('../../../../functions/ledger/archive/erasure/fenceDays.ts');
  const { monthReader } = await import('../../../../functions/ledger/records/month.store.ts');
  const monthsOf = monthReader(deployment.output('TableLedger'));
  await fenceDays({ ...(await archiveStores(deployment)), monthsOf }, tenantId, now);
};

/** Returns the number of renamed versions. */
const renameInArchive = async (
  deployment: Deployment,
  tenantId: string,
  rename: (json: string) => string,
): Promise<number> => {
  const { eraseFromArchive } = await import('../../../../functions/ledger/archive/erasure/eraseRecords.ts');
  return eraseFromArchive(await archiveStores(deployment), tenantId, (attribution) => {
    const before = JSON.stringify(attribution);
    const after = rename(before);
    return after === before ? attribution : StoredAttribution.parse(JSON.parse(after));
  });
};
