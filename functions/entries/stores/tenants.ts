import { randomUUID } from 'node:crypto';
import type { VetUrl } from '../../delivery/webhooks/endpoints/requireAllowedUrl.ts';
import { type TenantSettingsWriter, tenantWriter } from '../../platform/tenancy/tenant.store.ts';
import { counterReader, counterStore } from '../../tenants/diagnostics/counter.store.ts';
import { hourlyCounters } from '../../tenants/diagnostics/counters.ts';
import { type SandboxStore, sandboxStore } from '../../tenants/sandbox/sandbox.store.ts';

import type { Environment } from './provider.ts';
import { vetUrl } from './webhookEgress.ts';

/** Includes `vet`, because a chat URL must pass the URL policy before it is written. */
interface TenantSettings {
  readonly tenantSettings: TenantSettingsWriter;
  readonly vet: VetUrl;
}
export const tenantsWrite = (table: string): TenantSettings => ({
  tenantSettings: tenantWriter(table),
  vet: vetUrl(),
});
export const sandboxRead = (table: string): { readonly sandboxes: Pick<SandboxStore, 'find'> } => ({
  sandboxes: sandboxStore(table),
});
export const sandboxWrite = (table: string) => ({ sandboxes: sandboxStore(table) });
export const countersAdd = (table: string, { clock }: Environment) => ({
  counters: hourlyCounters(counterStore(table), clock, randomUUID),
});
export const countersRead = (table: string) => ({ counters: counterReader(table) });
