import type { CostExplanation } from '../../../schemas/attribution/costExplanation.ts';
import type { AllocationTrace } from '../../../schemas/attribution/explanation.ts';
import type { CostUnknown } from '../../../schemas/attribution/unknownCost.ts';
import type { Footprint } from '../../impact/impact.ts';
import { withAnswers } from '../../ledger/records/answers.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import { apportion } from '../../platform/shared/largestRemainder.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { exportEligibilityOf } from './interpretation.ts';

type Quantity = 'cost_usd' | 'energy_wh' | 'carbon_gco2e';

/** The parts of an allocated record, with other wholes, each in the ratios in which it was divided before. */
const withWholes = (
  allocation: AllocationTrace,
  wholes: Readonly<Partial<Record<Quantity, string | null>>>,
): AllocationTrace => {
  const partsOf = (quantity: Quantity, whole: string | null) =>
    whole === null
      ? []
      : apportion(
          whole,
          allocation.parts.map((part, index) => {
            const weight = quantity === 'cost_usd' ? part.ratio : (part[quantity] ?? part.ratio);
            return { key: String(index), weight: decimal(weight) };
          }),
        );
  const changed = (['cost_usd', 'energy_wh', 'carbon_gco2e'] as const).flatMap((quantity) => {
    const whole = wholes[quantity];
    return whole === undefined ? [] : [[quantity, partsOf(quantity, whole)] as const];
  });
  const parts = allocation.parts.map((part, index) => ({
    ...part,
    ...Object.fromEntries(changed.map(([quantity, amounts]) => [quantity, amounts[index]?.amount ?? null])),
  }));
  return { ...allocation, parts };
};

const centralOf = (figure: { readonly central: string } | string): string | null =>
  typeof figure === 'string' ? null : figure.central;

/**
 * The next version of a record, of which only the cost has changed, and the footprint if one is given, valid from `at` (epoch
 * milliseconds).
 */
export const withCost = (
  { record, explanation, storedEvent }: Attribution,
  cost: CostExplanation | CostUnknown,
  at: number,
  footprint: Footprint | null = null,
): Attribution => {
  const figures = { cost, ...(footprint !== null && { energy: footprint.energy, carbon: footprint.carbon }) };
  const { unknown: before, ...card } = record.interpretation;
  const reasons = Object.entries({ ...before, ...figures }).filter(
    ([, figure]) => typeof figure === 'string',
  );
  const unknown = Object.fromEntries(reasons);
  const usd = centralOf(cost);
  const wholes = {
    cost_usd: usd,
    ...(footprint !== null && {
      energy_wh: centralOf(footprint.energy),
      carbon_gco2e: centralOf(footprint.carbon),
    }),
  };
  const { water: _replaced, ...withoutWater } = explanation;
  const next = {
    ...(footprint === null ? explanation : withoutWater),
    ...(footprint !== null && footprint.water !== null && { water: footprint.water }),
    cost: typeof cost === 'string' ? null : cost,
    ...(footprint !== null && {
      energy: typeof footprint.energy === 'string' ? null : footprint.energy,
      carbon: typeof footprint.carbon === 'string' ? null : footprint.carbon,
    }),
    ...(explanation.allocation !== undefined && {
      allocation: withWholes(explanation.allocation, wholes),
    }),
  };
  const changed = {
    ...record,
    version: record.version + 1,
    as_of: toIso(at),
    ...wholes,
    interpretation: {
      ...card,
      ...(Object.keys(unknown).length > 0 && { unknown }),
      export_eligibility: exportEligibilityOf(record.coper, usd),
    },
  };
  return { record: withAnswers(changed, next), explanation: next, storedEvent };
};
