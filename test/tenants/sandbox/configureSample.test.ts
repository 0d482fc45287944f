import { afterAll, expect, it } from 'vitest';
import { mappingReader, mappingWriter } from '../../../functions/attribution/mappings/mapping.store.ts';
import { budgetReader, budgetWriter } from '../../../functions/insight/budgets/budget.store.ts';
import { sampleConfigurator } from '../../../functions/tenants/sandbox/configureSample.ts';
import { sampleBudgets } from '../../../functions/tenants/sandbox/sample/budgets.ts';
import { teamMappings } from '../../../functions/tenants/sandbox/sample/teams.ts';
import { withReset } from '../../../functions/tenants/sandbox/sandbox.ts';
import type { StoredReset } from '../../../schemas/tenants/sandbox.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { NOW } from './harness.ts';

const live = await startTables();
afterAll(() => live.stop());

const someReset = (): StoredReset => {
  const { reset } = withReset({ live_until: null, reset: null }, { id: 'rst_1', live: false, now: NOW });
  if (reset === null) throw new Error('there is no reset');
  return reset;
};
const namesOf = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name).sort();

it('creates each mapping and budget once, however often and at what point the step is repeated', async () => {
  const tenant = newTenant({ sandbox: true });
  const mappings = mappingWriter('identity');
  const budgets = budgetWriter('budgets');
  let writes = 0;
  let killedAt = 1;
  const kill = () => {
    writes += 1;
    if (writes === killedAt) throw new Error('killed');
  };
  const configure = sampleConfigurator({
    mappings: {
      ...mappings,
      change: (...args) => {
        kill();
        return mappings.change(...args);
      },
    },
    budgets: {
      ...budgets,
      change: (...args) => {
        kill();
        return budgets.change(...args);
      },
    },
  });

  for (; killedAt <= teamMappings.length + sampleBudgets.length; killedAt += 1) {
    writes = 0;
    await configure(tenant, someReset()).catch(() => undefined);
  }
  writes = Number.NEGATIVE_INFINITY;
  await configure(tenant, someReset());

  const range = { descending: false, limit: 100 };
  expect(namesOf(await mappingReader('identity').all(tenant.tenant_id))).toEqual(namesOf(teamMappings));
  expect(namesOf(await budgetReader('budgets').budgets(tenant.tenant_id, range))).toEqual(
    namesOf(sampleBudgets),
  );
  // The last change is that of the last mapping, and its retry made no other.
  expect(await mappingReader('identity').revision(tenant.tenant_id)).toContain(teamMappings.at(-1)?.name);
});
