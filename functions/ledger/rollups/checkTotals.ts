import { REPAIRED, type TotalsCheckMessage } from '../../../schemas/rollup.ts';
import { log } from '../../platform/shared/log.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { FindDifferences } from './findDifferences.ts';
import { LENGTH } from './grain.ts';
import type { RollupQueue } from './markDirty.ts';
import type { ComputeRollups } from './recompute.ts';

type Check = TotalsCheckMessage['check'];

/** Longer than a change takes from the ledger into its rollups. A difference that remains is not on its way. */
const RECHECK_AFTER_MS = 5 * LENGTH.minute;

/**
 * Returns a function that compares totals with the ledger hour by hour. A difference is normal while a change is on its way,
 * so the hour is checked again five minutes later. If it differs then, a mark was lost: the minutes are summed again, which
 * raises an alarm. Minutes that lack a newly watched tag are summed again at once. When the time is over, the rest continues
 * in another message.
 */
export const totalsChecker = (deps: {
  readonly findDifferences: FindDifferences;
  readonly compute: ComputeRollups;
  readonly queue: Pick<RollupQueue, 'send'>;
}) => {
  const { findDifferences, compute, queue } = deps;

  const repair = async (tenant: Tenant, minutes: readonly number[], hasTime: () => boolean) => {
    const left = await compute(tenant, minutes, hasTime);
    if (left.length > 0) await queue.send({ tenant_id: tenant.tenant_id, minutes: left, marks: [] }, 0);
  };

  return async (tenant: Tenant, check: Check, hasTime: () => boolean): Promise<void> => {
    const { tenant_id } = tenant;
    for (let hour = check.from; hour < check.to; hour += LENGTH.hour) {
      if (hour > check.from && !hasTime()) {
        await queue.send({ tenant_id, check: { ...check, from: hour } }, 0);
        return;
      }
      const { missing: minutes, untagged } = await findDifferences(tenant, hour);
      if (untagged.length > 0) await repair(tenant, untagged, hasTime);
      if (minutes.length === 0) continue;
      if (check.isRepeated) {
        log({
          level: 'error',
          message: REPAIRED,
          reason: 'rollups differed',
          tenant_id,
          count: minutes.length,
        });
        await repair(tenant, minutes, hasTime);
      } else {
        const again = { from: hour, to: hour + LENGTH.hour, isRepeated: true };
        await queue.send({ tenant_id, check: again }, RECHECK_AFTER_MS);
      }
    }
  };
};
