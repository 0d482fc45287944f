import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Aggregator } from '../../../../functions/chargeback/exports/aggregation/aggregator.ts';
import {
  buildManifest,
  type ManifestInput,
} from '../../../../functions/chargeback/exports/files/manifest.ts';
import { columnsOf } from '../../../../functions/chargeback/exports/focus/columns.ts';
import type { Line } from '../../../../functions/chargeback/exports/focus/line.ts';
import { buildOutputPlan } from '../../../../functions/chargeback/exports/request/outputPlan.ts';
import { aRequest } from '../inMemoryExport.ts';
import { totalsOf } from '../lines.ts';
import { byPersons } from '../records.ts';
import { everyLabel } from '../shownCohorts.ts';

const AT = Date.parse('2026-11-02T00:10:00Z');

/** An export of five calls in October as one file. `lose` is the number of lines to drop. */
const manifestInputOf = async (lose: number): Promise<ManifestInput> => {
  const request = aRequest({ granularity: 'record' });
  const tenant = { tenant_id: 'acme', name: 'Acme' };
  const plan = buildOutputPlan(request, { tenant, lane: null, issuer: 'Acme AI Platform' });
  const lines: Line[] = [];
  const aggregator = new Aggregator(plan.grain, plan.admission, everyLabel, (line) => lines.push(line));
  for (const record of byPersons(5)) aggregator.add(record, AT);
  const summary = aggregator.summary();
  const totals = await totalsOf(lines.slice(lose));
  const { rows } = totals;
  const file = { key: 'k', billing_period: '2026-10', bytes: 1, sha256: '', rows };
  const at = { asOf: AT, isStale: false, createdAt: AT, finishedAt: AT };
  return {
    exportId: 'exp_1',
    request,
    plan,
    basis: 'records' as const,
    summary,
    folded: { groups: 0, cost: 0n },
    periods: [],
    totals,
    files: [file],
    ...at,
  };
};

it('sums written and excluded records to the ledger', async () => {
  expect(buildManifest(await manifestInputOf(0))).toMatchObject({
    row_count: 10,
    totals: { records: 5, consumed: [{ unit: 'Tokens', quantity: '9500' }] },
    excluded: [],
    ledger: { records: 5, cost_usd: '0.0062' },
    delivery: 'Overwrite',
    correction_style: 'Replacement',
    data_available_through: '2026-11-01T00:00:00.000Z',
  });
});

it('throws when a row was lost', async () => {
  const outcome = await manifestInputOf(1);

  expect(() => buildManifest(outcome)).toThrow('do not sum to the ledger');
});

it('throws when the files have a different number of rows than counted', async () => {
  const outcome = await manifestInputOf(0);
  const files = outcome.files.map((file) => ({ ...file, rows: file.rows - 1 }));

  expect(() => buildManifest({ ...outcome, files })).toThrow('rows, but');
});

it('documents every custom column', () => {
  const page = readFileSync('docs/focus-columns.md', 'utf8');
  const customColumns = columnsOf('1.4').filter(({ level }) => level === 'custom');

  expect(customColumns.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
});
