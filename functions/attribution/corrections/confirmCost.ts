import { confirmCost } from '../../../schemas/routes/attribution/corrections.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { operation } from '../../platform/http/operation.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { withCost } from '../engine/withCost.ts';
import { correctRecord } from './correctRecord.ts';

/** The next version of a record with the cost that was set aside, valid from `at` (epoch milliseconds). */
const applyConfirmation = (current: Attribution, by: string, at: number): Attribution => {
  const { cost_to_confirm: cost, ...stored } = current.storedEvent;
  if (current.record.interpretation.unknown?.cost !== 'implausible_cost' || cost === undefined)
    throw new ProblemError('CONFLICT', 'The record has no cost that waits for a confirmation.');
  const instant = toIso(at);
  const { record, explanation } = withCost(current, cost, at);
  return {
    record,
    explanation: {
      ...explanation,
      reported_cost: { usd: cost.central, confirmed_by: by, confirmed_at: instant },
    },
    storedEvent: { ...stored, confirmed_cost: { usd: cost.central, by, at: instant } },
  };
};

export default operation(confirmCost, (call) =>
  correctRecord(call, {
    apply: (current, at) => applyConfirmation(current, call.caller.principal, at),
  }),
);
