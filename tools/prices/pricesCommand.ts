import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadFactors } from '../../functions/impact/factors.ts';
import { compareCommand } from './compare/compareCommand.ts';
import { loadCommand } from './load/loadCommand.ts';
import { PriceListFile, priceListText } from './priceListFile.ts';
import { readPriceTable } from './priceTable.ts';
import type { TablePrice } from './tables/tablePrice.ts';
import { applyChanges, isConfirmed, type PriceChange, priceChanges } from './updatePrices.ts';

const USAGE = `Usage: npm run prices -- update FILE --source TEXT [options]
       npm run prices -- compare FILE@DAY ...     see npm run prices -- compare --help
       npm run prices -- load FILE [options]      see npm run prices -- load --help
       npm run prices -- show [VERSION] [options]

Compares a price table with the prices in use, in every kind of tokens, band of context and service tier, and writes what
is not in use to functions/impact/price/lists/priceList.json. The next build and deployment uses it. FILE is the table of
LiteLLM (model_prices_and_context_window.json), of models.dev (api.json), of pi-ai (MODELS as JSON), of genai-prices
(data.json), or a file in the format of priceList.json.

An unknown model is added. What the price in use lacks completes it. Another price is a disagreement of two sources, and
the cost is a range over both, unless --from says that the price has changed.

  --source TEXT       where the table is from, with its version. Each list names it
  --checked DAY       day of the table (default: today)
  --from DAY          other prices are new ones, which apply from this day
  --providers NAMES   read only these providers, as the table names them, separated by commas
  --additions-only    add unknown models, and leave known prices as they are
  --confirmed-only    add an unknown model only if the price in use of its family is the same. For tables of some months ago
  --leave-out NAMES   price members that the format cannot hold and that may be left out, separated by commas. Each
                      model keeps the names of its own. Without this, the command fails and names them
  --dry-run           report what would change, write nothing`;

const PRICE_LIST = fileURLToPath(
  new URL('../../functions/impact/price/lists/priceList.json', import.meta.url),
);
const REPORTED_MAXIMUM = 200;

const WORDS = { unknown: 'added', richer: 'completed', different: 'other price' } as const;

const describe = ({ table, before, comparison }: PriceChange): string => {
  const { provider, region, model, price } = table;
  const name = [provider, region, model].filter((part) => part !== null).join(' ');
  const was = before === null ? 'unknown' : `${before.input ?? '-'} / ${before.output ?? '-'}`;
  return `${name}: ${was} -> ${price.input ?? '-'} / ${price.output ?? '-'} (${WORDS[comparison]})`;
};

const reportOf = (changes: readonly PriceChange[], total: number, found: number): string => {
  const count = (wanted: PriceChange['comparison']): number =>
    changes.filter(({ comparison }) => comparison === wanted).length;
  const lines = changes.slice(0, REPORTED_MAXIMUM).map(describe);
  const rest = changes.length - lines.length;
  const left = found > changes.length ? `, ${found - changes.length} not taken over` : '';
  return [
    ...lines,
    ...(rest > 0 ? [`… and ${rest} more`] : []),
    `${total} prices read: ${count('unknown')} added, ${count('richer')} completed, ${count('different')} with another price, ${total - found} equal${left}.`,
  ].join('\n');
};

/** Refuses a table with prices that would be lost. */
const requireHeld = (tables: readonly TablePrice[], leftOut: ReadonlySet<string>): void => {
  const models = new Map<string, string[]>();
  for (const { model, price } of tables) {
    for (const name of price.not_held ?? []) {
      if (!leftOut.has(name)) models.set(name, [...(models.get(name) ?? []), model]);
    }
  }
  if (models.size === 0) return;
  const lines = [...models].map(([name, of]) => `  ${name}: ${of.length} models, such as ${of[0]}`);
  throw new Error(
    `The table has prices that priceList.json cannot hold. Nothing was written.\n${lines.join('\n')}\nName them with --leave-out to go on without them.`,
  );
};

const namesOf = (text: string | undefined): ReadonlySet<string> =>
  new Set((text ?? '').split(',').filter((name) => name !== ''));

/** Runs the command `prices` and returns its output. */
export const pricesCommand = async (args: readonly string[]): Promise<string> => {
  if (args[0] === 'compare') return compareCommand(args);
  if (args[0] === 'load' || args[0] === 'show') return loadCommand(args);
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      source: { type: 'string' },
      checked: { type: 'string', default: new Date().toISOString().slice(0, 10) },
      from: { type: 'string' },
      list: { type: 'string', default: PRICE_LIST },
      providers: { type: 'string' },
      'additions-only': { type: 'boolean', default: false },
      'confirmed-only': { type: 'boolean', default: false },
      'leave-out': { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [action, file] = positionals;
  if (values.help || action !== 'update' || file === undefined || values.source === undefined) return USAGE;
  const { source, checked, from, list } = values;

  const tables = readPriceTable(await readFile(file, 'utf8'), {
    day: checked,
    providers: values.providers === undefined ? undefined : namesOf(values.providers),
  });
  requireHeld(tables, namesOf(values['leave-out']));
  const { prices } = await loadFactors();
  const current = PriceListFile.parse(JSON.parse(await readFile(list, 'utf8')));
  const day = new Date(`${from ?? checked}T00:00:00Z`);
  const found = priceChanges(tables, prices, day, current);
  const changes = found
    .filter(({ comparison }) => comparison === 'unknown' || !values['additions-only'])
    .filter((change) => !values['confirmed-only'] || isConfirmed(change, prices, day));
  if (!values['dry-run']) {
    const updated = applyChanges(current, changes, { source, checked, changedFrom: from ?? null });
    await writeFile(list, priceListText(updated));
  }
  return reportOf(changes, tables.length, found.length);
};
