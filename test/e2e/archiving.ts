import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, vi } from 'vitest';
import { ROW_MILLISECONDS } from '../../functions/ledger/records/ledgerItem.ts';
import { DAY_MS } from '../../schemas/durations.ts';
import { expireRows } from '../ledger/archive/expireRows.ts';
import { enginesOf } from '../support/engines.ts';
import type { Instance } from '../support/instance.ts';
import { localClient } from '../support/localAws.ts';
import { demoTenants, deploymentOf } from '../support/localService.ts';

/** After it, the rows of a day that was archived have expired. */
export const ROWS_EXPIRE_MS = ROW_MILLISECONDS + DAY_MS;

type DemoTenant = 'acme' | 'globex';

/** Writes a day of a demo tenant to the archive. */
export const archiveDay = async (instance: Instance, tenant: DemoTenant, day: string): Promise<void> => {
  const { jobAdministration } = await import('../../tools/operator/jobs.ts');
  const jobs = await jobAdministration(await deploymentOf(instance));
  const { tenant_id } = demoTenants(instance.credentials)[tenant];
  const job = await jobs.open(tenant_id, { type: 'archive', day });
  expect((await jobs.follow(job, () => undefined)).status).toBe('succeeded');
};

/** Operator tools read the endpoints of the engines once. A restarted instance has others. */
export const forgetEndpoints = (): void => {
  for (const name of Object.keys(process.env).filter((one) => one.startsWith('AWS_ENDPOINT_URL_'))) {
    Reflect.deleteProperty(process.env, name);
  }
  vi.resetModules();
};

/** The number of versions that the ledger table holds. */
export const ledgerRows = async ({ credentials }: Instance): Promise<number> => {
  const engines = enginesOf(credentials);
  const rows = await engines.rows('ledger');
  engines.close();
  return rows.filter(({ detail }) => detail !== undefined).length;
};

/** Deletes the rows of a demo tenant that have expired. The engine does so by the clock of the machine. */
export const expireLedger = async ({ credentials }: Instance, tenant: DemoTenant): Promise<void> => {
  const client = new DynamoDBClient(localClient(credentials.endpoints['dynamodb']));
  const expired = demoTenants(credentials)[tenant];
  await expireRows(client, expired, Date.now() + ROWS_EXPIRE_MS, credentials.tables['ledger']);
  client.destroy();
};
