import { noFigures } from '../../../functions/ledger/rollups/figures.ts';
import { LENGTH, startOf } from '../../../functions/ledger/rollups/grain.ts';
import { rollupWriter } from '../../../functions/ledger/rollups/rollupWriter.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { Dimensions, type RollupGrain, type RollupGroup } from '../../../schemas/ledger/rollup.ts';

/** A rollup group with defaults for every member that a test does not set. */
export const aGroup = (
  usd: string,
  members: Partial<Dimensions> & {
    readonly calls?: number;
    readonly unpriced?: number;
    readonly persons?: readonly string[];
  } = {},
): RollupGroup => {
  const { calls = 1, unpriced = 0, persons = [], ...dimensions } = members;
  return {
    dimensions: Dimensions.parse({
      owner: 'team-search',
      service: 'ranking',
      provider: 'openai',
      served_model: 'gpt-4o',
      pathway_category: 'application_direct',
      region: null,
      residency: null,
      tags: [],
      cost_allocation_tags: {},
      output_state: 'deterministically_resolved',
      confidence_band: 'chargeback_ready',
      ...dimensions,
    }),
    figures: {
      ...noFigures,
      invocations: calls,
      cost_usd: { low: usd, central: usd, high: usd, unknown: unpriced },
      persons: [...persons].sort(),
      impersonal: persons.length === 0 ? calls : 0,
    },
  };
};

/** Writes the rollup of a period, and replaces the one before. */
export const putRollup = async (
  { tenant_id }: Tenant,
  grain: RollupGrain,
  at: number,
  groups: readonly RollupGroup[],
  asOf = at,
): Promise<void> => {
  const rollups = rollupWriter('rollups');
  const start = startOf(grain, at);
  const revision = await rollups.readRevision(tenant_id, grain, start);
  await rollups.put(tenant_id, { start, grain, asOf, groups }, revision);
};

export const minuteOf = (at: number): number => Math.floor(at / LENGTH.minute);
