import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadFactors } from '../../functions/impact/factors.ts';
import { PriceListFile } from './priceListFile.ts';
import { readPriceTable } from './priceTable.ts';
import { applyChanges, type PriceChange, priceChanges } from './updatePrices.ts';

const USAGE = `Usage: npm run prices -- update FILE --source TEXT [options]

Compares a price table with the prices in use and writes the differences to functions/impact/price/priceList.json, dated.
The next build and deployment uses them. FILE is the table of LiteLLM (model_prices_and_context_window.json), of
models.dev (api.json), or a file in the format of priceList.json.

  --source TEXT       where the table is from, with its version. Each list names it
  --checked DAY       day of the table (default: today)
  --from DAY          first day of changed prices (default: the day of the table)
  --additions-only    add unknown models, change no known price
  --dry-run           report what would change, write nothing`;

const PRICE_LIST = fileURLToPath(new URL('../../functions/impact/price/priceList.json', import.meta.url));
const REPORTED_MAXIMUM = 200;

const describe = ({ price, before }: PriceChange): string => {
  const { provider, region, model, input, output } = price;
  const name = [provider, region, model].filter((part) => part !== null).join(' ');
  const was = before === null ? 'unknown' : `${before.input ?? '-'} / ${before.output ?? '-'}`;
  return `${name}: ${was} -> ${input} / ${output ?? '-'}`;
};

const reportOf = (changes: readonly PriceChange[], total: number): string => {
  const added = changes.filter(({ before }) => before === null).length;
  const lines = changes.slice(0, REPORTED_MAXIMUM).map(describe);
  const rest = changes.length - lines.length;
  return [
    ...lines,
    ...(rest > 0 ? [`… and ${rest} more`] : []),
    `${total} prices read: ${added} added, ${changes.length - added} changed, ${total - changes.length} equal.`,
  ].join('\n');
};

/** Runs the command `prices` and returns its output. */
export const pricesCommand = async (args: readonly string[]): Promise<string> => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      source: { type: 'string' },
      checked: { type: 'string', default: new Date().toISOString().slice(0, 10) },
      from: { type: 'string' },
      list: { type: 'string', default: PRICE_LIST },
      'additions-only': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [action, file] = positionals;
  if (values.help || action !== 'update' || file === undefined || values.source === undefined) return USAGE;
  const { source, checked, from = checked, list } = values;

  const table = readPriceTable(await readFile(file, 'utf8'));
  const { prices } = await loadFactors();
  const changes = priceChanges(table, prices, new Date(`${from}T00:00:00Z`)).filter(
    ({ before }) => before === null || !values['additions-only'],
  );
  if (!values['dry-run']) {
    const current = PriceListFile.parse(JSON.parse(await readFile(list, 'utf8')));
    const updated = applyChanges(current, changes, { source, checked, from });
    await writeFile(list, `${JSON.stringify(updated, null, 2)}\n`);
  }
  return reportOf(changes, table.length);
};
