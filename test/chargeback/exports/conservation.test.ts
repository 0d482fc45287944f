import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { Big, decimal } from '../../../functions/platform/shared/decimal.ts';
import { costModes, granularities, UNASSIGNED_ACCOUNT } from '../../../schemas/chargeback/focus.ts';
import { COHORT_MINIMUM, cohortFields } from '../../../schemas/insight/reports.ts';
import { exportInMemory } from './inMemoryExport.ts';
import { ledgers } from './records.ts';

const RUNS = 60;

const sumOf = (texts: readonly (string | null | undefined)[]): string =>
  texts.reduce((sum, text) => sum.plus(decimal(text || '0')), Big('0')).toFixed();

const kinds = fc.record({
  granularity: fc.constantFrom(...granularities),
  cost_mode: fc.constantFrom(...costModes),
  group_by: fc.subarray([...cohortFields], { maxLength: 4 }),
});

const rowsOf = (contents: ReadonlyMap<string, Buffer>): Record<string, string>[] =>
  [...contents.values()].flatMap((content) => parse<Record<string, string>>(content, { columns: true }));

const column = (rows: readonly Record<string, string>[], name: string) => rows.map((row) => row[name]);

const personsOf = (ledger: readonly Attribution[], month: string, owner: string): number =>
  new Set(
    ledger
      .filter(({ record }) => record.owner === owner && record.occurred_at.startsWith(month))
      .flatMap(({ storedEvent }) => storedEvent.attributed_identity ?? []),
  ).size;

it('exports of arbitrary ledgers sum to the ledger, have exact prices, keep the floor and name no group of fewer than five persons', async () => {
  await fc.assert(
    fc.asyncProperty(ledgers, kinds, async (ledger, kind) => {
      const { contents, manifest } = await exportInMemory(ledger, kind);
      const rows = rowsOf(contents);
      const { excluded } = manifest;

      const written = {
        cost: sumOf(column(rows, 'ContractedCost')),
        energy: sumOf(column(rows, 'x_EnergyWattHours')),
        carbon: sumOf(column(rows, 'x_CarbonEmissionsGrams')),
      };
      expect(sumOf([written.cost, ...excluded.map(({ cost_usd }) => cost_usd)])).toBe(
        sumOf(ledger.map(({ record }) => record.cost_usd)),
      );
      expect(sumOf([written.energy, ...excluded.map(({ energy_wh }) => energy_wh)])).toBe(
        sumOf(ledger.map(({ record }) => record.energy_wh)),
      );
      expect(sumOf([written.carbon, ...excluded.map(({ carbon_gco2e }) => carbon_gco2e)])).toBe(
        sumOf(ledger.map(({ record }) => record.carbon_gco2e)),
      );
      expect(manifest.totals.records + excluded.reduce((sum, { records }) => sum + records, 0)).toBe(
        ledger.length,
      );
      expect(manifest.totals.costs).toMatchObject([
        { contracted_cost: written.cost, list_cost: sumOf(column(rows, 'ListCost')) },
      ]);
      for (const row of rows) {
        const product = decimal(row['ListUnitPrice'] ?? '').times(row['PricingQuantity'] ?? '');
        expect(product.toFixed()).toBe(decimal(row['ListCost'] ?? '').toFixed());
        expect(Number(row['x_ConfidenceLevel'])).toBeGreaterThanOrEqual(0.8);
        const owner = row['SubAccountId']?.replace(/^'/, '');
        if (!owner || owner === UNASSIGNED_ACCOUNT) continue;
        const persons = personsOf(ledger, row['BillingPeriodStart']?.slice(0, 7) ?? '', owner);
        // Calls of a program name no person.
        expect(persons >= COHORT_MINIMUM || isProgram(ledger, owner)).toBe(true);
      }
    }),
    { numRuns: RUNS },
  );
});

/** Whether some calls of an owner name no person. These may be shown as a separate group. */
const isProgram = (ledger: readonly Attribution[], owner: string): boolean =>
  ledger.some(
    ({ record, storedEvent }) => record.owner === owner && storedEvent.attributed_identity === undefined,
  );
