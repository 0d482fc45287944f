import { expect, it } from 'vitest';
import * as z from 'zod';
import { pagesOf, sendBills } from '../../console/src/pages/reconciliation/sendBills.ts';
import { BILL_ROWS_MAXIMUM } from '../../schemas/chargeback/reconciliation.ts';
import { postBills } from '../../schemas/routes/chargeback/bills.ts';
import { createClient } from '../../sdk/typescript/src/client.ts';

const Sent = z.object({
  rows: z.array(z.object({ BilledCost: z.string() })),
  complete: z.boolean().optional(),
  delivery: z.object({ id: z.string(), page: z.int(), from: z.string(), to: z.string() }).optional(),
});

/** A service that refuses the first row of each request, and what it was sent. */
const service = () => {
  const sent: z.infer<typeof Sent>[] = [];
  const keys: (string | null)[] = [];
  const client = createClient({
    baseUrl: 'https://service.example.com',
    credential: { apiKey: 'a-key' },
    fetch: async (_, init) => {
      const body: unknown = JSON.parse(String(init?.body));
      postBills.body?.schema.parse(body);
      sent.push(Sent.parse(body));
      keys.push(new Headers(init?.headers).get('Idempotency-Key'));
      const rejected = [{ index: 0, errors: [] }];
      const delivery = { rows: 1, rejected_rows: sent.length, billed_usd: '1', from: '', to: '' };
      return Response.json({ rows: 1, rejected_rows: 1, rejected, delivery });
    },
  });
  return { client, sent, keys };
};

const rowsOf = (count: number, provider = 'OpenAI') =>
  Array.from({ length: count }, (_, index) => ({
    BilledCost: String(index),
    BillingCurrency: 'USD',
    ServiceProviderName: provider,
    ChargePeriodStart: `2026-05-0${1 + (index % 3)}T00:00:00Z`,
    ChargePeriodEnd: `2026-05-0${2 + (index % 3)}T00:00:00Z`,
  }));

it('sends the rows of one request without a delivery', async () => {
  const { client, sent } = service();
  await sendBills(client, { rows: rowsOf(BILL_ROWS_MAXIMUM) }, {});

  expect(sent).toHaveLength(1);
  expect(sent[0]?.delivery).toBeUndefined();
});

it('sends more rows as the pages of one delivery, which its last request completes', async () => {
  const { client, sent, keys } = service();
  const rows = rowsOf(2 * BILL_ROWS_MAXIMUM + 1);
  const [bill] = await sendBills(client, { rows }, { idempotencyKey: 'of-the-form' });

  expect(sent.map(({ delivery, complete }) => [delivery?.page, complete])).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ]);
  expect(sent.flatMap((one) => one.rows.map(({ BilledCost }) => BilledCost))).toEqual(
    rows.map(({ BilledCost }) => BilledCost),
  );
  expect(new Set(sent.map(({ delivery }) => delivery?.id)).size).toBe(1);
  expect(sent[0]?.delivery).toMatchObject({ from: '2026-05-01', to: '2026-05-04' });
  expect(new Set(keys).size).toBe(3);
  expect(bill?.rejected.map(({ index }) => index)).toEqual([0, 5_000, 10_000]);
});

it('continues the same delivery when the same file is sent again, and has another one for each provider', async () => {
  const { client, sent } = service();
  const rows = [...rowsOf(BILL_ROWS_MAXIMUM), ...rowsOf(3, 'Mistral AI')];
  const [, mistral] = await sendBills(client, { rows }, {});
  await sendBills(client, { rows }, {});
  const ids = sent.map(({ delivery }) => delivery?.id);

  expect(ids.slice(0, 2)).toEqual(ids.slice(2));
  expect(new Set(ids).size).toBe(2);
  expect(mistral?.rejected[0]?.index).toBe(BILL_ROWS_MAXIMUM);
});

it('divides rows by their size, too', () => {
  const rows = rowsOf(4).map((row) => ({ ...row, ChargeDescription: 'x'.repeat(700_000) }));

  expect(pagesOf(rows).map(({ length }) => length)).toEqual([2, 2]);
});

it('says why a large file without columns of FOCUS is not sent', async () => {
  const { client, sent } = service();
  const rows = rowsOf(BILL_ROWS_MAXIMUM + 1).map((row) => ({ ...row, ServiceProviderName: '' }));

  await expect(sendBills(client, { rows }, {})).rejects.toThrow('by days');
  expect(sent).toEqual([]);
});
