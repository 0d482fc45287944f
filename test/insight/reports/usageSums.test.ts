import { describe, expect, it } from 'vitest';
import { sumUsage } from '../../../functions/insight/reports/reportTotals.ts';
import type { Cell, Labels } from '../../../functions/ledger/cohorts/cell.ts';
import type { Cohort } from '../../../functions/ledger/cohorts/cohorts.ts';
import { noFigures } from '../../../functions/ledger/rollups/figures.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import type { Figures } from '../../../schemas/ledger/rollup.ts';

const cell: Cell = {
  day: 0,
  lane: null,
  labels: {
    owner: null,
    service: null,
    provider: null,
    served_model: null,
    pathway_category: null,
    output_state: null,
    confidence_band: null,
    owner_state: null,
    service_state: null,
    region: null,
  },
  persons: [],
  isPersonal: false,
  invocations: 0,
  parts: [],
};
const aCohort = (labels: Partial<Labels>, ...figures: readonly Partial<Figures>[]): Cohort => ({
  at: 0,
  length: LENGTH.day,
  labels,
  parts: figures.map((some) => ({
    at: 0,
    length: LENGTH.day,
    persons: [],
    figures: { ...noFigures, ...some },
    cell,
  })),
});
const unknown = { low: '0', central: '0', high: '0' };

describe('the sums of a usage report', () => {
  it('contain every figure of the calls under its own name', () => {
    const hidden = { mixed: { invocations: 9, cost_usd: '2', unpriced_invocations: 1 } };
    const figures: Partial<Figures> = {
      invocations: 9,
      cost_usd: { low: '1', central: '2', high: '3', unknown: 1 },
      energy_wh: { low: '4', central: '5', high: '6', unknown: 2 },
      carbon_gco2e: { low: '7', central: '8', high: '9', unknown: 3 },
      input_tokens: 11,
      cached_input_tokens: 12,
      cache_write_tokens: 13,
      output_tokens: 14,
      reasoning_tokens: 15,
    };

    expect(sumUsage([aCohort({}, figures)], 4)).toEqual({
      invocations: 9,
      cost_usd: '2',
      cost_usd_low: '1',
      cost_usd_high: '3',
      joint_ranges: {
        cost_usd: { low: '1', high: '3' },
        energy_wh: { low: '4', high: '6', mean: '5.038115825' },
        carbon_gco2e: { low: '7', high: '9', mean: '8.0233742' },
      },
      energy_wh: '5',
      energy_wh_low: '4',
      energy_wh_high: '6',
      carbon_gco2e: '8',
      carbon_gco2e_low: '7',
      carbon_gco2e_high: '9',
      input_tokens: 11,
      cached_input_tokens: 12,
      cache_write_tokens: 13,
      output_tokens: 14,
      reasoning_tokens: 15,
      unpriced_invocations: 1,
      unknown_energy_invocations: 2,
      unknown_carbon_invocations: 3,
      output_states: hidden,
      confidence_bands: hidden,
      owner_states: hidden,
      service_states: hidden,
      suppressed_groups: 4,
    });
  });

  it('are null for a quantity that no call has, and zero without calls', () => {
    const unpriced = { invocations: 2, cost_usd: { ...unknown, unknown: 2 } };

    expect(sumUsage([aCohort({}, unpriced)], 0)).toMatchObject({
      cost_usd: null,
      cost_usd_low: null,
      cost_usd_high: null,
      energy_wh: '0',
    });
    expect(sumUsage([aCohort({}, unpriced, { invocations: 1 })], 0)).toMatchObject({ cost_usd: '0' });
    expect(sumUsage([], 0)).toMatchObject({ invocations: 0, cost_usd: '0', output_states: {} });
  });

  it('are divided by the states and bands that cohorts show, and mixed otherwise', () => {
    const costing = (central: string) => ({
      invocations: 1,
      cost_usd: { low: central, central, high: central, unknown: 0 },
    });
    const cohorts = [
      aCohort({ output_state: 'unresolved', confidence_band: 'provisional' }, costing('1'), costing('2')),
      aCohort({ output_state: 'unresolved', confidence_band: 'chargeback_ready' }, costing('4')),
      aCohort({ output_state: 'mixed' }, costing('8')),
    ];

    expect(sumUsage(cohorts, 0)).toMatchObject({
      output_states: {
        unresolved: { invocations: 3, cost_usd: '7' },
        mixed: { invocations: 1, cost_usd: '8' },
      },
      confidence_bands: {
        provisional: { invocations: 2, cost_usd: '3' },
        chargeback_ready: { invocations: 1, cost_usd: '4' },
        mixed: { invocations: 1, cost_usd: '8' },
      },
    });
  });
});
