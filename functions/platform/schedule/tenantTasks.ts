import { firstThrottleOf } from '../shared/settleAll.ts';
import type { Clock } from '../shared/time/clock.ts';
import { OutOfTime } from '../shared/time/outOfTime.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { TaskRuns } from './taskRuns.store.ts';

/** The time for which a task runs: from its last run, or one period ago before the first, to now. Epoch milliseconds. */
export interface TaskWindow {
  readonly since: number;
  readonly now: number;
}

/** Work that is done once for each tenant and period. A period that was missed is made up for by the next run. */
export interface TenantTask {
  readonly name: string;
  readonly periodMs: number;
  /** Where a period starts, after a multiple of its length since the epoch. Default: 0. */
  readonly offsetMs?: number;
  /** Must be idempotent: it runs again after a failure, and two functions may run it at the same time. */
  readonly run: (tenant: Tenant, window: TaskWindow) => Promise<void>;
}

/**
 * Whether the present period of a task has no run yet. A last run in a later period was stored by a clock that was ahead:
 * the task does not wait until the clock has caught up.
 */
export const isDue = (
  { periodMs, offsetMs = 0 }: Pick<TenantTask, 'periodMs' | 'offsetMs'>,
  last: number | undefined,
  now: number,
): boolean =>
  last === undefined || Math.floor((now - offsetMs) / periodMs) !== Math.floor((last - offsetMs) / periodMs);

/**
 * Runs the due tasks of a tenant, each independently. Stores which ones succeeded, and then throws if one failed, so that
 * the message of the tenant returns and only the others run again. A repeated message finds nothing due.
 */
export const tenantTaskRunner =
  (deps: {
    readonly tasks: readonly TenantTask[];
    readonly runs: TaskRuns;
    readonly clock: Clock;
    readonly hasTime: () => boolean;
    readonly newClaim: () => string;
    readonly onFailure: (task: string, tenant: Tenant, error: unknown) => void;
  }) =>
  async (tenant: Tenant): Promise<void> => {
    const now = deps.clock();
    const found = await deps.runs.read(tenant.tenant_id);
    const last = found?.document ?? {};
    const due = deps.tasks.filter((task) => isDue(task, last[task.name], now));
    if (due.length === 0) return;
    const succeeded: string[] = [];
    const errors: unknown[] = [];
    for (const { name, periodMs, run } of due) {
      if (succeeded.length + errors.length > 0 && !deps.hasTime()) {
        errors.push(new OutOfTime());
        break;
      }
      try {
        await run(tenant, { since: Math.min(now, last[name] ?? now - periodMs), now });
        succeeded.push(name);
      } catch (error) {
        errors.push(error);
        deps.onFailure(name, tenant, error);
      }
    }
    if (succeeded.length > 0) {
      const done = { ...last, ...Object.fromEntries(succeeded.map((name) => [name, now])) };
      // Who loses against another function repeats tasks later, which changes nothing.
      await deps.runs.save(tenant.tenant_id, done, found?.revision ?? null, {
        claim: deps.newClaim(),
        attempt: 1,
      });
    }
    if (errors.length > 0) throw firstThrottleOf(errors);
  };
