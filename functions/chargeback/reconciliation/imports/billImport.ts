import * as z from 'zod';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { BillImport } from '../../../../schemas/routes/chargeback/bills.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { type KeyedRow, sumOf } from '../bill.ts';

/** An import with the part of its key that tells it apart from others of the same day. */
export const StoredImport = BillImport.extend({ ref: z.string() });
export type StoredImport = z.infer<typeof StoredImport>;

/** Who sent the rows, or which bill source read them, and when. `at` is epoch milliseconds. */
export type ImportOrigin = { readonly at: number } & (
  | { readonly by: string; readonly sourceId: null }
  | { readonly by: null; readonly sourceId: string }
);

/** A row with the account that its bill names. */
export interface AccountRow {
  readonly account: string | null;
  readonly keyedRow: KeyedRow;
}

/** Entries of one request. A transaction has room for 100 writes. */
const ENTRIES_MAXIMUM = 50;

type Names = Pick<BillImport, 'provider' | 'account'>;

export const toStoredImport = (
  ref: string,
  names: Names,
  rows: readonly KeyedRow[],
  days: { readonly first: string; readonly last: string },
  { at, by, sourceId }: ImportOrigin,
): StoredImport => ({
  ref,
  ...names,
  from: days.first,
  to: toIso(Date.parse(days.last) + DAY_MS).slice(0, 10),
  rows: rows.length,
  billed_usd: sumOf(rows.flatMap(({ row }) => (row.usage ? row.cost : []))),
  other_charges_usd: sumOf(rows.flatMap(({ row }) => (row.usage ? [] : row.cost))),
  imported_at: toIso(at),
  imported_by: by,
  source_id: sourceId,
});

/** The only value. Null when there are several. */
const onlyOf = (values: readonly (string | null)[]): string | null => {
  const [value = null, ...others] = new Set(values);
  return others.length === 0 ? value : null;
};

/**
 * The entries of a request: one for each provider and account. With very many accounts, those with the fewest rows share one
 * entry. `ref` names the request.
 */
export const importsOf = (rows: readonly AccountRow[], ref: string, origin: ImportOrigin): StoredImport[] => {
  const groups = [
    ...Map.groupBy(rows, ({ account, keyedRow: { line } }) => JSON.stringify([line.provider, account])),
  ]
    .map(([, group]) => group)
    .sort((one, other) => other.length - one.length);
  const rest = groups.slice(ENTRIES_MAXIMUM - 1).flat();
  const entries = [...groups.slice(0, ENTRIES_MAXIMUM - 1), ...(rest.length > 0 ? [rest] : [])];
  return entries.map((group, index) => {
    const names = {
      provider: onlyOf(group.map(({ keyedRow: { line } }) => line.provider)),
      account: onlyOf(group.map(({ account }) => account)),
    };
    const days = group.map(({ keyedRow: { day } }) => day).sort();
    const [first = ''] = days;
    return toStoredImport(
      `${ref}#${String(index).padStart(2, '0')}`,
      names,
      group.map(({ keyedRow }) => keyedRow),
      { first, last: days.at(-1) ?? first },
      origin,
    );
  });
};
