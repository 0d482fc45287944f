import { parseArgs } from 'node:util';
import * as z from 'zod';
import { tableNames } from '../schemas/platform/tables.ts';
import { findDeployment } from '../tools/operator/deployment.ts';
import { errorText } from '../tools/operator/errorText.ts';

const USAGE = `Usage: npm run restore -- TABLE --at TIME --stack NAME [options]

Restores rows of a table as they were at a time of the last 35 days. Point-in-time recovery creates a copy of the table,
and rows that the live table lacks are copied back. The service keeps running.

  TABLE             ${tableNames.join(', ').replaceAll(/(.{60,80}?,) /g, '$1\n                    ')}
  --at TIME         ISO instant, such as 2026-03-15T10:00:00Z: shortly before the damage
  --tenant ID       only the rows of this tenant
  --exact           also restore changed rows, and delete rows that are newer: stop the writers of the table first
  --dry-run         create the copy and count; change nothing
  --drop-copy       delete the copy afterwards
  --stack NAME      the deployed stack, with your AWS credentials`;

const Instant = z.iso
  .datetime({ offset: true, error: 'Set an instant with --at, for example --at 2026-03-15T10:00:00Z.' })
  .transform((text) => new Date(text));
const Table = z.enum(tableNames, { error: `The table is one of: ${tableNames.join(', ')}.` });

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      at: { type: 'string' },
      tenant: { type: 'string' },
      exact: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      'drop-copy': { type: 'boolean', default: false },
      stack: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals.length === 0) return console.info(USAGE);
  const table = Table.parse(positionals[0]);
  const at = Instant.parse(values.at);
  if (values.stack === undefined)
    throw new Error(
      'Name the deployed stack with --stack. The local engine has no point-in-time recovery: copy the data directory instead.',
    );
  const deployment = await findDeployment({ stack: values.stack, dataDir: '' });
  const { tenantReader } = await import('../functions/tenancy/tenant.store.ts');
  const tenant =
    values.tenant === undefined
      ? null
      : await tenantReader(deployment.output('TableTenants')).tenant(values.tenant);
  if (tenant === null && values.tenant !== undefined)
    throw new Error(`Tenant "${values.tenant}" does not exist. Restore the table tenants first.`);
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

await run().catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
