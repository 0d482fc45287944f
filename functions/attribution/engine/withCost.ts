import type { AllocationTrace, CostExplanation } from '../../../schemas/attribution/explanation.ts';
import type { CostUnknown } from '../../../schemas/attribution/unknownCost.ts';
import { withAnswers } from '../../ledger/records/answers.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import { apportion } from '../../platform/shared/largestRemainder.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { exportEligibilityOf } from './interpretation.ts';

/** The parts of an allocated record, with another cost in the same ratios. */
const withWhole = (allocation: AllocationTrace, usd: string | null): AllocationTrace => {
  const costs =
    usd === null
      ? []
      : apportion(
          usd,
          allocation.parts.map(({ ratio }, index) => ({ key: String(index), weight: decimal(ratio) })),
        );
  const parts = allocation.parts.map((part, index) => ({ ...part, cost_usd: costs[index]?.amount ?? null }));
  return { ...allocation, parts };
};

/** The next version of a record, of which only the cost has changed, valid from `at` (epoch milliseconds). */
export const withCost = (
  { record, explanation, storedEvent }: Attribution,
  cost: CostExplanation | CostUnknown,
  at: number,
): Attribution => {
  const { unknown: before, ...card } = record.interpretation;
  const { cost: _reason, ...others } = before ?? {};
  const unknown = { ...(typeof cost === 'string' && { cost }), ...others };
  const usd = typeof cost === 'string' ? null : cost.central;
  const next = {
    ...explanation,
    cost: typeof cost === 'string' ? null : cost,
    ...(explanation.allocation !== undefined && { allocation: withWhole(explanation.allocation, usd) }),
  };
  const changed = {
    ...record,
    version: record.version + 1,
    as_of: toIso(at),
    cost_usd: usd,
    interpretation: {
      ...card,
      ...(Object.keys(unknown).length > 0 && { unknown }),
      export_eligibility: exportEligibilityOf(record.coper, usd),
    },
  };
  return { record: withAnswers(changed, next), explanation: next, storedEvent };
};
