import type { UsageRow } from '../../sdk/typescript/src/types.ts';

/** A row of the usage report with one priced call. `members` override it. */
export const usageRow = (members: Partial<UsageRow>): UsageRow => ({
  kind: 'group',
  invocations: 1,
  cost_usd: '1',
  cost_usd_low: '1',
  cost_usd_high: '1',
  energy_wh: '1',
  energy_wh_low: '1',
  energy_wh_high: '1',
  carbon_gco2e: '1',
  carbon_gco2e_low: '1',
  carbon_gco2e_high: '1',
  joint_ranges: {
    cost_usd: { low: '1', high: '1' },
    energy_wh: { low: '1', high: '1', mean: '1' },
    carbon_gco2e: { low: '1', high: '1', mean: '1' },
  },
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  unpriced_invocations: 0,
  unknown_energy_invocations: 0,
  unknown_carbon_invocations: 0,
  output_states: {},
  confidence_bands: {},
  suppressed_groups: 0,
  ...members,
});
