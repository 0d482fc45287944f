import type { Cell } from '../../../functions/ledger/cohorts/cell.ts';
import type { Cohort } from '../../../functions/ledger/cohorts/cohorts.ts';
import { noFigures } from '../../../functions/ledger/rollups/figures.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { Dimensions, type Figures, type Rollup, type RollupGroup } from '../../../schemas/ledger/rollup.ts';

interface UsageFigures {
  readonly owner?: string | null;
  readonly provider?: string;
  readonly served_model?: string;
  readonly residency?: string | null;
  readonly cost?: string;
  readonly invocations?: number;
  readonly unpriced?: number;
  readonly implausible?: number;
  readonly output_state?: RollupGroup['dimensions']['output_state'];
  /** Hashes of the persons that the calls name. */
  readonly persons?: readonly string[];
  readonly tokens?: Partial<Figures>;
}

const figuresOf = ({
  cost = '0',
  invocations = 1,
  unpriced = 0,
  implausible = 0,
  persons = [],
  tokens,
}: UsageFigures): Figures => ({
  ...noFigures,
  ...tokens,
  invocations,
  implausible,
  cost_usd: { low: cost, central: cost, high: cost, unknown: unpriced },
  persons: [...persons].sort(),
});

/** A rollup group with these figures. */
export const aGroup = (spending: UsageFigures): RollupGroup => ({
  dimensions: Dimensions.parse({
    owner: spending.owner ?? null,
    service: null,
    provider: spending.provider ?? 'openai',
    served_model: spending.served_model ?? 'gpt-4o',
    pathway_category: 'gateway_mediated',
    region: null,
    residency: spending.residency ?? null,
    tags: [],
    cost_allocation_tags: {},
    output_state: spending.output_state ?? 'deterministically_resolved',
    confidence_band: 'chargeback_ready',
  }),
  figures: figuresOf(spending),
});

/** A daily rollup, computed at noon of the next day. */
export const aDay = (day: string, groups: readonly RollupGroup[]): Rollup => ({
  grain: 'day',
  start: Date.parse(day),
  asOf: Date.parse(day) + 36 * 60 * 60 * 1_000,
  groups,
});

/** A cohort with these figures, without labels. */
export const aCohortOf = (spending: UsageFigures): Cohort => {
  const { dimensions, figures } = aGroup(spending);
  const { residency: _lane, tags: _tags, ...labels } = dimensions;
  const { persons, invocations } = figures;
  const cell: Cell = {
    day: 0,
    lane: null,
    labels,
    persons,
    isPersonal: persons.length > 0,
    invocations,
    parts: [],
  };
  return {
    at: 0,
    length: LENGTH.day,
    labels: {},
    parts: [{ at: 0, length: LENGTH.day, persons, figures, cell }],
  };
};
