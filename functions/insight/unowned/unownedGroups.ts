import { UNOWNED_GROUPS_MAXIMUM, type UnownedGroup } from '../../../schemas/insight/unowned.ts';
import { decimal, sumDecimals } from '../../platform/shared/decimal.ts';
import { groupByConditions, type OpenCall } from './openCalls.ts';
import { type OwnerEvidence, suggestOwners } from './suggestOwners.ts';

/** How the open calls of a service can be mapped, the most expensive group first. */
export const unownedGroups = (calls: readonly OpenCall[], evidence: OwnerEvidence): UnownedGroup[] =>
  groupByConditions(calls)
    .map(({ conditions, calls: same }) => ({
      conditions: [...conditions],
      examined: same.length,
      cost_usd: sumDecimals(same.map(({ record }) => record.cost_usd ?? '0')),
      same,
    }))
    .sort(
      (one, other) =>
        decimal(other.cost_usd).cmp(one.cost_usd) ||
        other.examined - one.examined ||
        (JSON.stringify(one.conditions) < JSON.stringify(other.conditions) ? -1 : 1),
    )
    .slice(0, UNOWNED_GROUPS_MAXIMUM)
    .map(({ same, ...group }) => ({ ...group, suggestions: suggestOwners(same, evidence) }));
