import { namedKinds } from '../focus/cells.ts';
import type { LineKey } from '../focus/line.ts';
import { SEVERAL } from '../focus/shownDimensions.ts';
import type { Database } from './database.ts';
import type { Sql } from './sql.ts';

/** What lines show of calls, in the order in which rows are sorted. */
const SHOWN = [
  'rollup',
  'service',
  'owner',
  'serviceState',
  'ownerState',
  'provider',
  'model',
  'servedModel',
  'pathway',
  'region',
  'requestedModel',
  'tags',
  'billedIn',
] satisfies (keyof LineKey)[];

const termsOf = ({ price, consumed, energyMethod, carbonMethod }: LineKey) => ({
  meter: price.meter,
  pricedPer: price.per,
  priceList: price.list,
  priceTerms: price.terms,
  consumedUnit: consumed,
  energyMethod,
  carbonMethod,
});

const TERMS = [
  'meter',
  'pricedPer',
  'priceList',
  'priceTerms',
  'consumedUnit',
  'energyMethod',
  'carbonMethod',
] satisfies (keyof ReturnType<typeof termsOf>)[];

const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

/** UTF-8 has no code for half a surrogate pair, which JSON escapes. */
const asWellFormed = (text: string): string =>
  text.includes('\\ud') ? JSON.stringify(JSON.parse(text, wellFormed)) : text;

/**
 * The kind of a line as two texts, what it shows and its terms: equal for equal kinds. An export has few kinds and many
 * lines, so what follows from the kind is computed once for each.
 */
export const kindOf = (key: LineKey): readonly [shown: string, terms: string] => [
  asWellFormed(JSON.stringify(key, SHOWN)),
  asWellFormed(JSON.stringify(termsOf(key), TERMS)),
];

const structOf = (members: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(members.map((member) => [member, 'VARCHAR'])));

/** The members of a kind, each as a column. */
const kindColumns: Sql = `unnest(from_json(shown, '${structOf(SHOWN)}')), unnest(from_json(terms, '${structOf(TERMS)}'))`;

/**
 * Numbers the kinds of the lines of a source in the table `keys`, and creates the table `texts` with what follows from each:
 * whether its price and footprint are known, and the expressions `texts` as `text0`, `text1` … These are enumerations: a row
 * holds the number of a text, which a writer looks up.
 */
export const createTexts = async ({ run }: Database, source: Sql, texts: readonly Sql[]): Promise<void> => {
  const names = texts.map((_, index) => `text${index}`);
  await run(`CREATE OR REPLACE TEMP TABLE keys AS
    SELECT shown, terms, ${kindColumns},
      (row_number() OVER ())::INTEGER AS kind,
      dense_rank() OVER (ORDER BY shown) AS shownRank, dense_rank() OVER (ORDER BY terms) AS termsRank
    FROM (SELECT DISTINCT shown, terms FROM ${source})`);
  await run(`CREATE OR REPLACE TEMP TABLE spelled AS
    SELECT * ${texts.map((text, index) => `, ${text} AS text${index}`).join('')} FROM (${namedKinds('keys')})`);
  for (const name of names)
    await run(`CREATE OR REPLACE TEMP TYPE ${name}_type AS
      ENUM (SELECT DISTINCT ${name} FROM spelled WHERE ${name} IS NOT NULL ORDER BY ${name})`);
  await run(`CREATE OR REPLACE TEMP TABLE texts AS
    SELECT kind, shownRank, termsRank, billedIn, ownerState, serviceState, consumedUnit, priceList = '${SEVERAL}' AS isTotal,
      energyMethod IS NOT NULL AS hasEnergy, carbonMethod IS NOT NULL AS hasCarbon
      ${names.map((name) => `, ${name}::${name}_type AS ${name}`).join('')}
    FROM spelled`);
};
