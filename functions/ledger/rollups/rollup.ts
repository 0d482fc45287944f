import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import type {
  Dimensions,
  Figures,
  Outcomes,
  Quantity,
  Rollup,
  RollupGroup,
} from '../../../schemas/ledger/rollup.ts';
import { decimal, ZERO } from '../../platform/shared/decimal.ts';
import { type CostAllocationTags, tagKeysOn } from '../../platform/tenancy/costAllocationTags.ts';
import type { Attribution } from '../records/attribution.ts';
import { addContent, type Content, noContent } from '../records/content.ts';
import { personOf } from '../records/person.ts';
import { addFigures, noFigures } from './figures.ts';
import { longCallsOf } from './longCalls.ts';
import { tagValues } from './tagValues.ts';

/** A quantity of one record, with the range of its explanation. */
const quantityOf = (
  figure: { readonly low: string; readonly central: string; readonly high: string } | null,
): Quantity =>
  figure === null
    ? { low: '0', central: '0', high: '0', unknown: 1 }
    : { low: figure.low, central: figure.central, high: figure.high, unknown: 0 };

/**
 * The tags that tell the groups of a tenant apart. Tags are free text, and each combination of them would be a group of its
 * own, so only those that a budget or a report needs are kept.
 */
export interface GroupingTags {
  /** Tags that a budget names. */
  readonly watched: ReadonlySet<string>;
  /** The cost allocation tags of the tenant, as they changed. */
  readonly costAllocation: CostAllocationTags;
}

/** The group of a record. */
export const dimensionsOf = (record: AttributionRecord, tags: GroupingTags): Dimensions => ({
  owner: record.owner,
  service: record.service,
  provider: record.provider,
  served_model: record.served_model,
  pathway_category: record.pathway_category,
  region: record.region,
  residency: record.residency,
  tags: [...new Set(record.tags)].filter((tag) => tags.watched.has(tag)).sort(),
  cost_allocation_tags: tagValues(
    record.tags,
    tagKeysOn(tags.costAllocation, Date.parse(record.occurred_at)),
  ),
  output_state: record.output_state,
  confidence_band: record.interpretation.confidence_band,
  owner_state: record.interpretation.answers.owner.state,
  service_state: record.interpretation.answers.service.state,
});

const outcomesOf = ({ status }: AttributionRecord, cost_usd: Quantity): Outcomes => ({
  examined: 1,
  ...(status !== 'ok' && {
    [status]: { invocations: 1, paid: decimal(cost_usd.central).eq(ZERO) ? 0 : 1, cost_usd },
  }),
});

/**
 * The figures of a record. A span that only groups calls, or repeats the usage of a call below it, counts nothing: its usage
 * is that of its calls.
 */
const figuresOf = (attribution: Attribution): Figures => {
  const { record, explanation, storedEvent } = attribution;
  if (explanation.cost?.source === 'structure') return noFigures;
  const person = personOf(attribution);
  const cost = quantityOf(explanation.cost);
  return {
    invocations: 1,
    cost_usd: cost,
    energy_wh: quantityOf(explanation.energy),
    carbon_gco2e: quantityOf(explanation.carbon),
    input_tokens: record.input_tokens ?? 0,
    cached_input_tokens: record.cached_input_tokens ?? 0,
    cache_write_tokens: record.cache_write_tokens ?? 0,
    output_tokens: record.output_tokens ?? 0,
    reasoning_tokens: record.reasoning_tokens ?? 0,
    persons: person === null ? [] : [person],
    impersonal: (storedEvent.attributed_identity ?? storedEvent.end_user) === undefined ? 1 : 0,
    implausible: record.interpretation.unknown?.cost === 'implausible_cost' ? 1 : 0,
    outcomes: outcomesOf(record, cost),
    long_calls: longCallsOf(record, cost),
  };
};

/** The rollup group of a single record. */
export const groupOf = (attribution: Attribution, tags: GroupingTags): RollupGroup => ({
  dimensions: dimensionsOf(attribution.record, tags),
  figures: figuresOf(attribution),
});

/** The groups of the records that count as calls. */
export const countedGroups = (records: readonly Attribution[], tags: GroupingTags): RollupGroup[] =>
  records.map((record) => groupOf(record, tags)).filter(({ figures }) => figures.invocations > 0);

/** Identifies a group. */
export const groupKeyOf = (dimensions: Dimensions): string => JSON.stringify(Object.values(dimensions));

/** Sums groups with equal dimensions and sorts them, so that the result does not depend on the input order. */
export const sumGroups = (groups: Iterable<RollupGroup>): RollupGroup[] => {
  const summed = new Map<string, RollupGroup>();
  for (const group of groups) {
    const key = groupKeyOf(group.dimensions);
    const existing = summed.get(key);
    summed.set(
      key,
      existing === undefined
        ? group
        : { dimensions: existing.dimensions, figures: addFigures(existing.figures, group.figures) },
    );
  }
  return [...summed].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
};

/** The sum over all groups. */
export const totalOf = (groups: Iterable<RollupGroup>): Figures => {
  let total = noFigures;
  for (const { figures } of groups) total = addFigures(total, figures);
  return total;
};

/** A rollup with the versions in the ledger that it was computed from, also those that another replaced. */
export interface CountedRollup extends Rollup {
  readonly content: Content;
}

/** The sum of the rollups of disjoint sets of records, as one rollup. Its time is that of the newest. */
export const mergeRollups = (
  { start, grain }: Pick<Rollup, 'start' | 'grain'>,
  parts: readonly CountedRollup[],
): CountedRollup => ({
  start,
  grain,
  asOf: Math.max(...parts.map(({ asOf }) => asOf)),
  content: parts.map(({ content }) => content).reduce(addContent, noContent),
  groups: sumGroups(parts.flatMap(({ groups }) => groups)),
});
