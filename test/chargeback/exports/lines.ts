import {
  type RowTotals,
  readRowTotals,
} from '../../../functions/chargeback/exports/aggregation/rowTotals.ts';
import type { Amounts, Line, LineKey } from '../../../functions/chargeback/exports/focus/line.ts';
import { withDatabase } from '../../../functions/chargeback/exports/lines/database.ts';
import { createLineTable } from '../../../functions/chargeback/exports/lines/lineTable.ts';
import { loadLines, storeLines } from '../../../functions/chargeback/exports/lines/storedLines.ts';
import { simulatedBuckets } from './simulatedBucket.ts';

const ONE = 10n ** 12n;

const KEY: LineKey = {
  start: 0,
  end: 1_000,
  owner: 'team-search',
  service: 'ranking',
  ownerState: 'confirmed',
  serviceState: 'confirmed',
  provider: 'openai',
  model: 'gpt-4o',
  servedModel: 'gpt-4o',
  pathway: null,
  region: null,
  tags: null,
  requestedModel: null,
  recordId: null,
  invocationId: null,
  price: { meter: 'input', per: 'millions', unit: '1', listUnit: '1', list: 'list', terms: 'on-demand' },
  consumed: 'Tokens',
  energyMethod: null,
  carbonMethod: null,
  rollup: null,
};
const AMOUNTS: Amounts = {
  consumed: 10n * ONE,
  priced: ONE,
  cost: ONE,
  listCost: ONE,
  energy: 2n * ONE,
  carbon: 3n * ONE,
  confidence: 1,
  records: 1,
};

/** A line with these members. */
export const aLine = (key: Partial<LineKey> = {}, amounts: Partial<Amounts> = {}): Line => ({
  key: { ...KEY, ...key },
  amounts: { ...AMOUNTS, ...amounts },
});

/** The totals of lines that one step reads. */
export const totalsOf = async (lines: readonly Line[]): Promise<RowTotals> => {
  const { work } = simulatedBuckets();
  await withDatabase(async (database) => {
    const table = await createLineTable(database);
    for (const line of lines) table.add(line);
    table.end();
    await storeLines(database, work, 'lines');
  });
  return withDatabase(async (database) => {
    await loadLines(
      database,
      work,
      lines.length === 0 ? [] : ['lines'],
      {
        from: 0,
        to: Number.MAX_SAFE_INTEGER,
      },
      [],
    );
    return readRowTotals(database);
  });
};
