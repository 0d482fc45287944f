import { afterAll, expect, it } from 'vitest';
import { AuditEntry } from '../../schemas/identity/audit.ts';
import { tableNames } from '../../schemas/platform/tables.ts';
import { digestOf } from '../../tools/operator/erasure/digest.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import { call, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { deploymentOf } from '../support/localService.ts';
import { createResources, resourcePrefixes } from '../support/resources.ts';
import { startAdminInstance } from './adminInstance.ts';

const api = await startAdminInstance();
afterAll(() => api.stop());

const keyOf = (row: string): string => {
  const { pk, sk } = JSON.parse(row);
  return `${pk.S} ${sk?.S}`;
};

/** Leaves rows of most kinds: an event with a trace, its record and sums, a resource of each kind and a key, with their audit entries. */
const useService = async (key: string): Promise<void> => {
  const send = async (path: string, body: object): Promise<void> => {
    const answer = await call(api.instance.baseUrl, path, { key, body });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  await send('/api/v1/invocations', someEvent({ trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }));
  await createResources(api.instance.baseUrl, key);
  const credential = 'an-admin-key-of-the-provider';
  await send('/api/v1/bill-sources', { provider: 'openai', name: 'OpenAI', credential });
  await send('/api/v1/api-keys', { name: 'reader', scopes: ['read:attribution'] });
  // Totals are summed with a delay. Summed after the erasure, they would leave a row.
  await api.instance.runtime.idle({ delayed: true });
};

// About 2 s on a free machine: the shared instance, and two scans of all tables.
it('deletes everything that names the tenant, nothing of others, and proves it in the audit log', async () => {
  const deployment = await deploymentOf(api.instance);
  const administration = await tenantAdministration(deployment);
  const [gone, other] = await Promise.all([api.newTenant('leaving'), api.newTenant('leaving-not')]);
  await Promise.all([useService(gone.key), useService(other.key)]);
  const engines = enginesOf(api.instance.credentials);
  /** Rows that contain the text of a tenant, by table. */
  const rowsNaming = async (...texts: string[]): Promise<Record<string, string[]>> => {
    const rows = await Promise.all(
      tableNames.map(
        async (name) => [name, (await engines.rows(name)).map((row) => JSON.stringify(row))] as const,
      ),
    );
    return Object.fromEntries(
      rows
        .map(([name, all]) => [name, all.filter((row) => texts.some((text) => row.includes(text)))] as const)
        .filter(([, found]) => found.length > 0),
    );
  };
  const names = ({ tenant_id, tag }: typeof gone.tenant): string[] => [
    `"${tenant_id}"`,
    `${tenant_id}#`,
    `#${tenant_id}"`,
    tag,
  ];
  const kept = await rowsNaming(...names(other.tenant));
  const before = await rowsNaming(...names(gone.tenant));
  const keys = Object.values(before).flat().map(keyOf);
  for (const prefix of resourcePrefixes().filter((one) => one !== 'endpoint'))
    expect(
      keys.filter((key) => key.startsWith(`${prefix}#`)),
      prefix,
    ).not.toEqual([]);

  const { statement, digest } = await administration.erase(gone.tenant, true);

  const left = await rowsNaming(...names(gone.tenant));
  expect(Object.keys(left)).toEqual(['audit']);
  expect(left['audit']).toHaveLength(1);
  const document = JSON.parse(left['audit']?.[0] ?? '').document.S;
  expect(AuditEntry.parse(JSON.parse(document))).toMatchObject({ action: 'tenant.erase', resource: digest });
  expect(digestOf(statement)).toBe(digest);
  expect(statement.counts['ledger']).toEqual({ before: expect.any(Number), after: 0 });
  for (const name of Object.keys(before)) expect(statement.counts[name]?.before, name).toBeGreaterThan(0);
  expect((await call(api.instance.baseUrl, '/v1/attribution', { key: gone.key })).status).toBe(401);
  // The other tables are also written by work in the background.
  const after = await rowsNaming(...names(other.tenant));
  for (const name of ['access', 'audit', 'billSources', 'budgets', 'claims', 'tenants', 'traces']) {
    expect(after[name]?.map(keyOf).sort(), name).toEqual(kept[name]?.map(keyOf).sort());
  }
  expect((await call(api.instance.baseUrl, '/v1/attribution', { key: other.key })).status).toBe(200);
  engines.close();
});
