import { afterAll, beforeAll, expect, it } from 'vitest';
import { credentialReader } from '../../../functions/identity/access/principals/credential.store.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { tenantAdministration } from '../../../tools/operator/tenants.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';

let live: LiveTables;
let administration: Awaited<ReturnType<typeof tenantAdministration>>;
beforeAll(async () => {
  live = await startTables();
  administration = await tenantAdministration({
    environment: 'local',
    baseUrl: 'http://127.0.0.1:3000',
    output: (name) => name.slice('Table'.length).toLowerCase(),
  });
});
afterAll(() => live.stop());

const CONNECTOR: Scope[] = ['partner:connector'];

it('registers a client with source systems as the connector of a partner, as the API does', async () => {
  const { client_id } = await administration.issueClient(newTenant(), 'kong', {
    scopes: CONNECTOR,
    source_systems: ['kong-eu'],
  });

  expect(await credentialReader('access', () => 0).client(client_id)).toMatchObject({
    scopes: CONNECTOR,
    source_systems: ['kong-eu'],
    ingestion_layer: 'gateway',
    fills_other_sources: false,
  });
});

it.each<[string, { scopes: Scope[]; source_systems?: string[] }]>([
  ['the scope of a connector without source systems', { scopes: CONNECTOR }],
  ['source systems with another scope', { scopes: ['ingest:write'], source_systems: ['kong-eu'] }],
])('refuses %s', async (_what, request) => {
  await expect(administration.issueClient(newTenant(), 'kong', request)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
});
