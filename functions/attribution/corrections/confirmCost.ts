import { confirmCost } from '../../../schemas/routes/attribution/corrections.ts';
import { producerCost } from '../../impact/price/producerCost.ts';
import { withAnswers } from '../../ledger/records/answers.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { operation } from '../../platform/http/operation.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { exportEligibilityOf } from '../engine/interpretation.ts';
import { correctRecord } from './correctRecord.ts';

/** The next version of a record with its reported amount as its cost, valid from `at` (epoch milliseconds). */
const applyConfirmation = (
  { record, explanation, storedEvent }: Attribution,
  by: string,
  at: number,
): Attribution => {
  const { cost: reason, ...unknown } = record.interpretation.unknown ?? {};
  const cost = producerCost(storedEvent);
  if (reason !== 'implausible_cost' || cost === null)
    throw new ProblemError('CONFLICT', 'The record has no reported cost that waits for a confirmation.');
  const instant = toIso(at);
  const confirmed = {
    ...explanation,
    cost,
    reported_cost: { usd: cost.central, confirmed_by: by, confirmed_at: instant },
  };
  const { unknown: _unknown, ...card } = record.interpretation;
  const next = {
    ...record,
    version: record.version + 1,
    as_of: instant,
    cost_usd: cost.central,
    interpretation: {
      ...card,
      ...(Object.keys(unknown).length > 0 && { unknown }),
      export_eligibility: exportEligibilityOf(record.coper, cost.central),
    },
  };
  return {
    record: withAnswers(next, confirmed),
    explanation: confirmed,
    storedEvent: { ...storedEvent, confirmed_cost: { usd: cost.central, by, at: instant } },
  };
};

export default operation(confirmCost, (call) =>
  correctRecord(call, {
    apply: (current, at) => applyConfirmation(current, call.caller.principal, at),
  }),
);
