/**
 * Sends a bill of any size as one delivery: FOCUS, or an export of a provider that the service reads, as CSV, JSON or lines
 * of JSON. A run that was interrupted can be repeated: each request is a page of its own, and replaces the same page.
 * Usage: sendBill.ts FILE DELIVERY_ID PROVIDER FROM TO. Environment: API_KEY (required), BASE_URL (default
 * http://127.0.0.1:3000).
 */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { type BillRow, createClient, postBills } from '../sdk/typescript/src/index.ts';

const { API_KEY, BASE_URL = 'http://127.0.0.1:3000' } = process.env;
const [file, id, provider, from, to] = process.argv.slice(2);
if (!API_KEY || !file || !id || !provider || !from || !to) {
  console.error('Usage: API_KEY=… sendBill.ts FILE DELIVERY_ID PROVIDER FROM TO');
  process.exit(1);
}

/** What a request may have: 5,000 rows, and with its other members 5 MiB. */
const ROWS_MAXIMUM = 5_000;
const BYTES_MAXIMUM = 4_900_000;

const readRows = (text: string): BillRow[] => {
  const [first] = text.trimStart();
  if (first === '[') return JSON.parse(text);
  if (first !== '{') return parse<BillRow>(text, { columns: true, bom: true });
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
};

/** Empty cells say nothing, and wide files have many. */
const withoutEmpty = (row: BillRow): BillRow =>
  JSON.parse(JSON.stringify(row, (_, cell: unknown) => (cell === '' || cell === null ? undefined : cell)));

/** Rows in their order, in as few requests as they fit into. */
const pagesOf = (rows: readonly BillRow[]): BillRow[][] => {
  const pages: BillRow[][] = [[]];
  let bytes = 0;
  for (const row of rows.map(withoutEmpty)) {
    const size = Buffer.byteLength(JSON.stringify(row)) + 1;
    if (bytes + size > BYTES_MAXIMUM || pages.at(-1)?.length === ROWS_MAXIMUM) {
      pages.push([]);
      bytes = 0;
    }
    pages.at(-1)?.push(row);
    bytes += size;
  }
  return pages;
};

const client = createClient({ baseUrl: BASE_URL, credential: { apiKey: API_KEY } });
const delivery = { id, provider, from, to };
const sent = { rows: 0, rejected: 0 };
for (const [index, rows] of pagesOf(readRows(readFileSync(file, 'utf8'))).entries()) {
  if (rows.length === 0) continue;
  const reply = await postBills(client, { delivery: { ...delivery, page: index + 1 }, rows });
  sent.rows += reply.rows;
  sent.rejected += reply.rejected_rows;
  for (const { index: row, errors } of reply.rejected)
    console.error(
      `Request ${index + 1}, row ${row}: ${errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ')}`,
    );
}
// Nothing counts before the end. Rows that were rejected are missing in the bill.
if (sent.rejected > 0) {
  console.error(
    `${sent.rejected} rows were rejected. The delivery is still open: correct them and run this again.`,
  );
  process.exit(1);
}
await postBills(client, { delivery, complete: true, rows: [] });
console.log(`${sent.rows} rows are the bill of ${provider} from ${from} to ${to}.`);
