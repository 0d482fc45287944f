import { addDecimals } from '../../platform/shared/decimal.ts';
import type { Attribution } from '../records/attribution.ts';
import { addContent, type Content, contentOf, noContent } from '../records/content.ts';
import { type CountedRollup, type GroupingTags, groupOf, totalOf } from '../rollups/rollup.ts';
import type { ArchiveTotals } from './archivedDay.ts';

export const noTotals: ArchiveTotals = {
  ...noContent,
  records: 0,
  cost_usd: '0',
  energy_wh: '0',
  carbon_gco2e: '0',
  cost_unknown: 0,
  energy_unknown: 0,
  carbon_unknown: 0,
  input_tokens: 0,
  output_tokens: 0,
};

const NO_TAGS: GroupingTags = { watched: new Set(), costAllocation: [] };

type Figures = ReturnType<typeof totalOf>;

const totalsOf = (figures: Figures, content: Content): ArchiveTotals => ({
  ...content,
  records: figures.invocations,
  cost_usd: figures.cost_usd.central,
  energy_wh: figures.energy_wh.central,
  carbon_gco2e: figures.carbon_gco2e.central,
  cost_unknown: figures.cost_usd.unknown,
  energy_unknown: figures.energy_wh.unknown,
  carbon_unknown: figures.carbon_gco2e.unknown,
  input_tokens: figures.input_tokens,
  output_tokens: figures.output_tokens,
});

/** The totals of a record, from its versions. The last one is the newest. */
export const totalsOfRecord = (newest: Attribution, versions: readonly Attribution[]): ArchiveTotals =>
  totalsOf(groupOf(newest, NO_TAGS).figures, versions.map(contentOf).reduce(addContent, noContent));

/** The totals that reports show for a day, with the versions that they were computed from. */
export const totalsOfRollup = ({ groups, content }: CountedRollup): ArchiveTotals =>
  totalsOf(totalOf(groups), content);

export const addTotals = (one: ArchiveTotals, other: ArchiveTotals): ArchiveTotals => ({
  ...addContent(one, other),
  records: one.records + other.records,
  cost_usd: addDecimals(one.cost_usd, other.cost_usd),
  energy_wh: addDecimals(one.energy_wh, other.energy_wh),
  carbon_gco2e: addDecimals(one.carbon_gco2e, other.carbon_gco2e),
  cost_unknown: one.cost_unknown + other.cost_unknown,
  energy_unknown: one.energy_unknown + other.energy_unknown,
  carbon_unknown: one.carbon_unknown + other.carbon_unknown,
  input_tokens: one.input_tokens + other.input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
});
