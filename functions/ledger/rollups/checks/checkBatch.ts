import type { TotalsCheckMessage } from '../../../../schemas/ledger/rollup.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';

type CheckTotals = (
  tenant: Tenant,
  check: TotalsCheckMessage['check'],
  hasTime: () => boolean,
) => Promise<void>;

/**
 * Carries out the checks that were received together, one after the other, and returns those that are not begun when the time
 * is over. The first one is always carried out, so that each batch makes progress. A check compares an hour in any case: if all of
 * them did so after the time is over, the batch would end late, and would be received again as a whole without end.
 */
export const checkBatch = async <Message extends TotalsCheckMessage>(
  checkTotals: CheckTotals,
  tenant: Tenant,
  messages: readonly Message[],
  hasTime: () => boolean,
): Promise<readonly Message[]> => {
  for (const [index, { check }] of messages.entries()) {
    if (index > 0 && !hasTime()) return messages.slice(index);
    await checkTotals(tenant, check, hasTime);
  }
  return [];
};
