import { confirmCost } from '../../../schemas/routes/attribution/corrections.ts';
import { producerCost } from '../../impact/price/producerCost.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { operation } from '../../platform/http/operation.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { withCost } from '../engine/withCost.ts';
import { correctRecord } from './correctRecord.ts';

/** The next version of a record with its reported amount as its cost, valid from `at` (epoch milliseconds). */
const applyConfirmation = (current: Attribution, by: string, at: number): Attribution => {
  const cost = producerCost(current.storedEvent);
  if (current.record.interpretation.unknown?.cost !== 'implausible_cost' || cost === null)
    throw new ProblemError('CONFLICT', 'The record has no reported cost that waits for a confirmation.');
  const instant = toIso(at);
  const { record, explanation, storedEvent } = withCost(current, cost, at);
  return {
    record,
    explanation: {
      ...explanation,
      reported_cost: { usd: cost.central, confirmed_by: by, confirmed_at: instant },
    },
    storedEvent: { ...storedEvent, confirmed_cost: { usd: cost.central, by, at: instant } },
  };
};

export default operation(confirmCost, (call) =>
  correctRecord(call, {
    apply: (current, at) => applyConfirmation(current, call.caller.principal, at),
  }),
);
