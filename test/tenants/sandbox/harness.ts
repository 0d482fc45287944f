import { randomUUID } from 'node:crypto';
import type { PagedTenantRows } from '../../../functions/ledger/erasure/tenantRows.store.ts';
import { commit, type Revision } from '../../../functions/platform/shared/aws/document.store.ts';
import { tenantReader, tenantWriter } from '../../../functions/platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { ResetActions } from '../../../functions/tenants/sandbox/resetStep.ts';
import { sandboxRunner } from '../../../functions/tenants/sandbox/runSandbox.ts';
import { sandboxStore } from '../../../functions/tenants/sandbox/sandbox.store.ts';
import { newSandbox, withReset } from '../../../functions/tenants/sandbox/sandbox.ts';
import type { SandboxState } from '../../../schemas/tenants/sandbox.ts';
import { IDLE } from '../../support/sandboxes.ts';
import { newTenant } from '../../support/tenants.ts';

export const NOW = Date.parse('2026-05-04T10:00:00Z');

/** A run that was killed does nothing after this, as a killed process: the lease stays, and no save follows. */
export class Killed extends Error {}

/**
 * A sandbox in the tables, and runs over it whose actions write down what they do. Before each action, `interrupt` may
 * throw, wait, or change what is stored.
 */
export const startSandbox = async (
  members: Partial<Tenant> = { sandbox: true },
  interrupt: (action: string) => Promise<void> | void = () => undefined,
) => {
  const tenant = newTenant(members);
  const writer = tenantWriter('tenants');
  const store = sandboxStore('tenants');
  const by = (): Revision => ({ claim: `test ${randomUUID()}`, attempt: 1 });
  await commit([writer.putTenant(tenant, { expectedRevision: null, by: by() })]);
  await commit([store.put(tenant.tenant_id, IDLE, { expectedRevision: null, by: by() })]);

  const log: string[] = [];
  const clock = { now: NOW };
  const totals = { areComplete: true };
  const act = async (action: string): Promise<void> => {
    await interrupt(action);
    log.push(action);
  };
  const table = (name: string): PagedTenantRows => ({
    count: async () => 0,
    erase: async () => undefined,
    // Two pages.
    erasePage: async (resume) => {
      await act(`erase ${name} ${resume ?? 'first'}`);
      return { erased: 1, resume: resume === null ? 'second' : null };
    },
  });
  const actions: ResetActions = {
    tables: [table('ledger'), table('jobs')],
    objects: [{ erase: () => act('erase objects') }],
    configure: () => act('configure'),
    send: (_, events) => act(`send ${events.length} ${events[0]?.event_id ?? ''}`),
    isTotalled: async () => totals.areComplete,
    review: () => act('review'),
  };
  const read = async (): Promise<SandboxState> => {
    const found = await store.find(tenant.tenant_id);
    if (found === null) throw new Error('the sandbox is not stored');
    return found.document;
  };
  const change = async (next: (state: SandboxState) => SandboxState): Promise<void> => {
    const found = await store.find(tenant.tenant_id);
    if (found === null) throw new Error('the sandbox is not stored');
    const options = { expectedRevision: found.revision, by: by() };
    await commit([store.put(tenant.tenant_id, next(found.document), options)]);
  };
  return {
    tenant,
    log,
    clock,
    totals,
    read,
    change,
    replaceTenant: async (next: Tenant): Promise<void> => {
      const found = await writer.tenant(tenant.tenant_id);
      await commit([writer.putTenant(next, { expectedRevision: found?.revision ?? null, by: by() })]);
    },
    /** As at its creation. */
    renew: () => change(() => newSandbox({ id: `rst_${randomUUID()}`, live: true, now: clock.now })),
    requestReset: (live = false) =>
      change((state) => withReset(state, { id: `rst_${randomUUID()}`, live, now: clock.now })),
    run: (as: Tenant = tenant) =>
      sandboxRunner({
        sandboxes: store,
        tenants: tenantReader('tenants'),
        actions,
        clock: () => clock.now,
        newClaim: randomUUID,
      })(as),
  };
};
