import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { readPriceTable } from '../priceTable.ts';
import type { DatedTable } from './callsOfTables.ts';
import { type ComparedCall, compareTables, isAgreed } from './compareTables.ts';

const USAGE = `Usage: npm run prices -- compare FILE@DAY FILE@DAY ... [options]

Compares the cost of calls with that of several price tables, each on its day: plain, with cached tokens, tokens written
to a cache for five minutes or an hour, reasoning, audio, images and web searches, each with a short and a long context,
and in the tiers batch, flex and priority, in a long context only by a table with a band for the tier. Models without prices for
tokens are compared by the page, second, character, image or search. A table counts for what it states a price for. Prints how many calls agree with
more than half of the tables within 1 %, or have a range that contains their cost, and each call that does not. Where the
tables are divided, a call must agree with one. FILE is a table that npm run prices -- update reads. At least two are
needed.

  --providers NAMES   compare only these providers, as records name them, separated by commas
  --contradicted      print also each other call that has a single cost although one of the tables states another`;

const readTable = async (argument: string, providers: ReadonlySet<string> | null): Promise<DatedTable> => {
  const [, file, day] = /^(.+)@(\d{4}-\d{2}-\d{2})$/.exec(argument) ?? [];
  if (file === undefined || day === undefined) throw new Error(`${argument} must be FILE@YYYY-MM-DD`);
  const prices = readPriceTable(await readFile(file, 'utf8'), { day });
  return {
    name: basename(file),
    day: new Date(`${day}T12:00:00Z`),
    prices: providers === null ? prices : prices.filter(({ provider }) => providers.has(provider)),
  };
};

const describe = ({ call, statements }: ComparedCall): string =>
  [call, ...statements.map(({ table, usd, ours }) => `  ${table}: ${usd}, ours ${ours}`)].join('\n');

const isDecided = ({ majority }: ComparedCall): boolean => majority.length > 0;

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((part / whole) * 100).toFixed(1)} %`;

const isExact = ({ majority, statements }: ComparedCall): boolean =>
  (majority.length > 0 ? majority : statements).every((statement) => statement.isExact);

/** Whether the cost is a single one although a table states another. */
const isContradicted = ({ statements }: ComparedCall): boolean =>
  statements.some(({ agreement, isExact: isSingle }) => agreement === 'different' && isSingle);

const reportOf = (calls: readonly ComparedCall[], listsContradicted: boolean): string => {
  const [decided, divided] = [calls.filter(isDecided), calls.filter((call) => !isDecided(call))];
  const against = calls.filter((call) => !isAgreed(call));
  const agreed = decided.filter(isAgreed).length;
  const withOne = divided.filter(isAgreed).length;
  const contradicted = calls.filter((call) => isAgreed(call) && isContradicted(call));
  return [
    ...against.map(describe),
    ...(listsContradicted ? contradicted.map(describe) : []),
    `${calls.length} calls in two or more tables.`,
    `Of ${decided.length} with a majority, ${agreed} agree with it (${share(agreed, decided.length)}).`,
    `On ${divided.length}, the tables are divided, and ${withOne} agree with one (${share(withOne, divided.length)}).`,
    `Of the ${against.length} that do not agree, ${against.filter(isExact).length} have no range.`,
    `Of the ${calls.length - against.length} that agree, ${contradicted.length} have no range, and a table states another cost.`,
  ].join('\n');
};

/** Runs `prices compare` and returns its report. */
export const compareCommand = async (args: readonly string[]): Promise<string> => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      providers: { type: 'string' },
      contradicted: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const files = positionals.slice(1);
  if (values.help || files.length < 2) return USAGE;
  const providers = values.providers === undefined ? null : new Set(values.providers.split(','));
  const tables = await Promise.all(files.map((file) => readTable(file, providers)));
  return reportOf(compareTables(tables, await loadFactors()), values.contradicted);
};
