import type { CallOptions, Client } from '../../../../sdk/typescript/src/client.ts';
import { postBills } from '../../../../sdk/typescript/src/operations.ts';
import type { BillRow, Bills, BillsImported } from '../../../../sdk/typescript/src/types.ts';
import { DAY_MS } from '../../format/time.ts';
import { cellOf } from './billRows.ts';

/** What the service takes in one request: rows, and characters with room for other members. */
const ROWS_MAXIMUM = 5_000;
const CHARACTERS_MAXIMUM = 1_500_000;

/** What one bill of a file became. */
export type ImportedBill = Pick<
  BillsImported,
  'rows' | 'rejected_rows' | 'rejected' | 'billed_usd' | 'from' | 'to'
>;

/** The rows in pages that one request each can have. */
export const pagesOf = (rows: readonly BillRow[]): BillRow[][] => {
  const pages: BillRow[][] = [[]];
  let characters = 0;
  for (const row of rows) {
    const size = JSON.stringify(row).length;
    const last = pages.at(-1) ?? [];
    const isFull = last.length === ROWS_MAXIMUM || characters + size > CHARACTERS_MAXIMUM;
    if (isFull && last.length > 0) {
      pages.push([row]);
      characters = size;
    } else {
      last.push(row);
      characters += size;
    }
  }
  return pages;
};

const providerOf = (row: BillRow): string =>
  cellOf(row, 'ServiceProviderName') || cellOf(row, 'ProviderName');

/** The same for the same file, so that sending it again continues the delivery. */
const deliveryIdOf = async (rows: readonly BillRow[]): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(rows)));
  const letters = [...new Uint8Array(digest.slice(0, 12))].map((byte) => byte.toString(16).padStart(2, '0'));
  return `file-${letters.join('')}`;
};

const scopeOf = (
  rows: readonly BillRow[],
): Pick<NonNullable<Bills['delivery']>, 'provider' | 'from' | 'to'> => {
  const [first] = rows;
  const provider = first === undefined ? '' : providerOf(first);
  const days = rows.map((row) => cellOf(row, 'ChargePeriodStart').slice(0, 10)).toSorted();
  const last = Date.parse(days.at(-1) ?? '');
  if (provider === '' || Number.isNaN(last) || days[0] === '') {
    throw new Error(
      `A file of more than ${ROWS_MAXIMUM} rows needs the provider and the start of each charge in columns of FOCUS. Import the file by days instead.`,
    );
  }
  return { provider, from: days[0] ?? '', to: new Date(last + DAY_MS).toISOString().slice(0, 10) };
};

/** Sends the bill of one provider as one delivery of several requests. It counts from its end on. */
const deliver = async (
  client: Client,
  { rows, ...bills }: Bills,
  options: CallOptions,
): Promise<ImportedBill> => {
  const [delivery, pages] = [{ id: await deliveryIdOf(rows), ...scopeOf(rows) }, pagesOf(rows)];
  const rejected: BillsImported['rejected'][number][] = [];
  let [offset, reply]: [number, BillsImported | undefined] = [0, undefined];
  for (const [at, page] of pages.entries()) {
    reply = await postBills(
      client,
      { ...bills, rows: page, delivery: { ...delivery, page: at + 1 }, complete: at === pages.length - 1 },
      // Each request has a key of its own.
      { ...(options.signal && { signal: options.signal }) },
    );
    const before = offset;
    rejected.push(...reply.rejected.map((row) => ({ ...row, index: row.index + before })));
    offset += page.length;
  }
  if (reply === undefined) throw new Error('A bill has no rows.');
  return { ...reply.delivery, rejected };
};

/**
 * Sends the rows of a file. One request merges them into the bill; more rows are one delivery for each provider, which replaces
 * the bill of its accounts and days.
 */
export const sendBills = async (
  client: Client,
  bills: Bills,
  options: CallOptions,
): Promise<readonly ImportedBill[]> => {
  if (pagesOf(bills.rows).length === 1) return [await postBills(client, bills, options)];
  const imported: ImportedBill[] = [];
  const placed = bills.rows.map((row, index) => ({ row, index }));
  for (const group of Map.groupBy(placed, ({ row }) => providerOf(row)).values()) {
    const bill = await deliver(client, { ...bills, rows: group.map(({ row }) => row) }, options);
    const rejected = bill.rejected.map((one) => ({ ...one, index: group[one.index]?.index ?? one.index }));
    imported.push({ ...bill, rejected });
  }
  return imported;
};
