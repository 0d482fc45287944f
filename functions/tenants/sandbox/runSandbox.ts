import type { SandboxState, StoredReset } from '../../../schemas/tenants/sandbox.ts';
import { takeDocumentLease } from '../../platform/shared/aws/documentLease.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import type { TenantReader } from '../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { liveTraffic } from './liveTraffic.ts';
import { type ResetActions, runResetStep } from './resetStep.ts';
import type { SandboxStore } from './sandbox.store.ts';
import { isLive, isResetting, withLiveTraffic } from './sandbox.ts';

/** How long one run works on a reset. The next run, a minute later, continues it. */
const TIME_SLICE_MS = 45_000;
/**
 * How long a run owns a reset. Longer than the timeout of the function, so a run that another one replaces has ended: it
 * deletes nothing behind the back of the next.
 */
export const LEASE_MS = 180_000;

interface SandboxRun {
  readonly sandboxes: SandboxStore;
  readonly tenants: Pick<TenantReader, 'tenant'>;
  readonly actions: ResetActions;
  readonly clock: Clock;
  /** Returns a unique name for the run. */
  readonly newClaim: () => string;
}

/** The sandbox after a step. A caller may have switched live traffic during the step, which the step must not undo. */
const withProgress = (state: SandboxState, done: StoredReset, now: number): SandboxState => {
  const next = { ...state, reset: { ...done, live_traffic: state.reset?.live_traffic ?? done.live_traffic } };
  return isResetting(next) ? next : withLiveTraffic(next, next.reset.live_traffic, now);
};

/**
 * Continues the reset of a sandbox, or adds live traffic. One run at a time works on a reset, under a lease. Each step is
 * saved before the next one starts. When a run is killed, another one repeats its last step after the lease has expired.
 * Throws an Error for a tenant that was not created as a sandbox, or no longer exists.
 */
export const sandboxRunner =
  ({ sandboxes, tenants, actions, clock, newClaim }: SandboxRun) =>
  async ({ tenant_id: tenantId, created_at }: Tenant): Promise<void> => {
    /** Read again before each step: the caller read the tenant from a list, and an operator may have replaced it since. */
    const readTenant = async (): Promise<Tenant> => {
      const tenant = await tenants.tenant(tenantId);
      if (tenant?.sandbox !== true || tenant.created_at !== created_at)
        throw new Error('The tenant is not the sandbox that this run started for, so nothing was deleted.');
      return tenant;
    };
    const tenant = await readTenant();
    const found = await sandboxes.find(tenantId);
    if (found !== null && isLive(found.document, clock()))
      return await actions.send(tenant, liveTraffic(clock()));
    const deadline = clock() + TIME_SLICE_MS;
    const held = await takeDocumentLease<SandboxState>(
      {
        read: () => sandboxes.find(tenantId),
        replace: (state, expectedRevision, by) => sandboxes.put(tenantId, state, { expectedRevision, by }),
        leaseIn: ({ reset }) => reset?.lease ?? null,
        withLease: ({ reset, ...state }, lease) => ({ ...state, reset: reset && { ...reset, lease } }),
        lifetime: LEASE_MS,
        newClaim,
        subject: 'a sandbox',
      },
      clock(),
      ({ reset, ...state }) =>
        reset !== null && isResetting({ reset })
          ? { ...state, reset: { ...reset, status: 'running' } }
          : null,
    );
    if (held === null) return;
    let state: SandboxState | null = held.document;
    while (state?.reset && isResetting(state) && clock() < deadline) {
      const before = state.reset;
      const after = await runResetStep(actions, await readTenant(), before, clock);
      // The reset waits. A later run continues it.
      if (after === before) break;
      state = await held.update(clock(), (current) => withProgress(current, after, clock()));
    }
    await held.update(clock(), ({ reset, ...current }) => ({
      ...current,
      reset: reset && { ...reset, lease: null },
    }));
  };
