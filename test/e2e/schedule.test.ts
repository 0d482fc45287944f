import { afterAll, beforeAll, expect, it } from 'vitest';
import { enginesOf } from '../support/engines.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';

// The schedule does the tasks of every tenant, and the shared instance has many.
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => instance?.stop());

/** The rows of the present tenants that say which tasks of the schedule are done. */
const runsOf = async (): Promise<Record<string, unknown>> => {
  const engines = enginesOf(instance.credentials);
  const rows = await engines.rows('jobs');
  engines.close();
  const { acme, globex } = demoTenants(instance.credentials);
  return Object.fromEntries(
    [acme, globex].map(({ tenant_id }) => {
      const row = rows.find(({ pk }) => pk?.S === `${tenant_id}#schedule`);
      return [tenant_id, Object.keys(JSON.parse(row?.['document']?.S ?? '{}'))];
    }),
  );
};

it('does every task of each tenant by one message of the schedule, with the permissions of the deployed role', async () => {
  await instance.runtime.runSchedule('WorkersJobs');

  const tasks = [
    'repeatMarks',
    'closePeriods',
    'checkHours',
    'checkDays',
    'training',
    'jobs',
    'allocation',
    'nodeHours',
    'hourlyAnomalies',
    'dailyAnomalies',
    'exports',
    'coverage',
    'archive',
  ];
  const { acme, globex } = demoTenants(instance.credentials);
  expect(await runsOf()).toEqual({ [acme.tenant_id]: tasks, [globex.tenant_id]: tasks });
});
