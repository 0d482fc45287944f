import { parseArgs } from 'node:util';
import * as z from 'zod';
import { type DerivedTable, isDerived, type TableName, tableNames } from '../schemas/platform/tables.ts';
import { type Deployment, findDeployment } from '../tools/operator/deployment.ts';
import { errorText } from '../tools/operator/errorText.ts';

const listed = (names: readonly string[]): string =>
  names.join(', ').replaceAll(/(.{60,80}?,) /g, '$1\n                    ');

const USAGE = `Usage: npm run restore -- TABLE --at TIME --stack NAME [options]
       npm run restore -- ${tableNames.filter(isDerived).join('|')} [options]

Restores rows of a table as they were at a time of the last 35 days. Point-in-time recovery creates a copy of the table,
and rows that the live table lacks are copied back. The service keeps running.

The rows of ${tableNames.filter(isDerived).join(' and ')} follow from the ledger. There are no backups of them: rows that the table lacks are written again
from the records. Restore the ledger first.

  TABLE             ${listed(tableNames)}
  --at TIME         ISO instant, such as 2026-03-15T10:00:00Z: shortly before the damage
  --tenant ID       only the rows of this tenant
  --exact           also restore changed rows, and delete rows that are newer: stop the writers of the table first
  --dry-run         create the copy and count; change nothing
  --drop-copy       delete the copy afterwards
  --stack NAME      the deployment, with your AWS credentials
  --data-dir DIR    data directory of the local instance (default: .local), for a table without backups`;

const Instant = z.iso
  .datetime({ offset: true, error: 'Set an instant with --at, for example --at 2026-03-15T10:00:00Z.' })
  .transform((text) => new Date(text));
const Table = z.enum(tableNames, { error: `The table is one of: ${tableNames.join(', ')}.` });

const readOptions = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      at: { type: 'string' },
      tenant: { type: 'string' },
      exact: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      'drop-copy': { type: 'boolean', default: false },
      stack: { type: 'string' },
      'data-dir': { type: 'string', default: '.local' },
      help: { type: 'boolean', default: false },
    },
  });
type Options = ReturnType<typeof readOptions>['values'];

const tenantOf = async (deployment: Deployment, tenantId: string | undefined) => {
  if (tenantId === undefined) return null;
  const { tenantReader } = await import('../functions/platform/tenancy/tenant.store.ts');
  const tenant = await tenantReader(deployment.output('TableTenants')).tenant(tenantId);
  if (tenant === null)
    throw new Error(`Tenant "${tenantId}" does not exist. Restore the table tenants first.`);
  return tenant;
};

const rebuild = async (table: DerivedTable, values: Options): Promise<void> => {
  if (values.at !== undefined || values.exact || values['drop-copy'])
    throw new Error(
      `There are no backups of ${table}: its rows are written again from the ledger. Leave out --at, --exact and --drop-copy.`,
    );
  const deployment = await findDeployment({ stack: values.stack, dataDir: values['data-dir'] });
  const tenant = await tenantOf(deployment, values.tenant);
  const { tenantDirectory } = await import('../functions/platform/tenancy/tenant.store.ts');
  const { rebuildTable } = await import('../tools/operator/restore/rebuildTable.ts');
  const directory = tenantDirectory(deployment.output('TableTenants'));
  const only = async function* () {
    if (tenant !== null) yield [tenant];
  };
  const tenants = tenant === null ? directory.pages() : only();
  const request = { table, tenants, isDryRun: values['dry-run'] };
  console.info(JSON.stringify(await rebuildTable(deployment, request, Date.now), null, 2));
};

const restore = async (table: TableName, values: Options): Promise<void> => {
  const at = Instant.parse(values.at);
  if (values.stack === undefined)
    throw new Error(
      'Name the deployment with --stack. The local engine has no point-in-time recovery: copy the data directory instead.',
    );
  const deployment = await findDeployment({ stack: values.stack, dataDir: '' });
  const tenant = await tenantOf(deployment, values.tenant);
  const { pointInTimeBackups } = await import('../tools/operator/restore/backups.ts');
  const { restoreTable } = await import('../tools/operator/restore/restoreTable.ts');
  const backups = pointInTimeBackups();
  console.info(`Restoring ${table} as of ${at.toISOString()} into a copy. This takes minutes to hours.`);
  const report = await restoreTable(
    deployment,
    backups,
    { table, at, mode: values.exact ? 'exact' : 'missing', isDryRun: values['dry-run'], tenant },
    () => new Date(),
  );
  if (values['drop-copy']) await backups.remove(report.copy);
  console.info(JSON.stringify(report, null, 2));
};

const run = async (): Promise<void> => {
  const { values, positionals } = readOptions();
  if (values.help || positionals.length === 0) return console.info(USAGE);
  const table = Table.parse(positionals[0]);
  return isDerived(table) ? rebuild(table, values) : restore(table, values);
};

await run().catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
