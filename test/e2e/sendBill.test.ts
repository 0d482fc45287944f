import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const run = promisify(execFile);
const folder = temporaryDirectory();

let instance: Instance;
let key: string;

beforeAll(async () => {
  instance = await sharedInstance();
  key = demoTenants(instance.credentials).acme.api_keys.admin;
});
afterAll(() => instance?.stop());

const ROWS = 5_001;
/** Charges of a month, of which no two are equal and many are of the same purchase. */
const rowsOf = <Row>(row: (day: string, index: number) => Row): Row[] =>
  Array.from({ length: ROWS }, (_, index) =>
    row(`2026-03-${String((index % 31) + 1).padStart(2, '0')}`, index),
  );
const costOf = (index: number): string => `0.${String(index + 1).padStart(6, '0')}`;
/** The sum of 0.000001 to 0.005001. */
const TOTAL = '12.507501';

/** CUR 2.0 as Athena writes it: quoted, hourly, with columns that this service does not read. */
const curCsv = (): string =>
  [
    'identity_line_item_id,bill_payer_account_id,bill_billing_entity,line_item_usage_account_id,line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date,line_item_product_code,line_item_usage_type,line_item_operation,line_item_resource_id,line_item_usage_amount,line_item_currency_code,line_item_unblended_rate,line_item_unblended_cost,line_item_line_item_description,pricing_unit,product_region_code,resource_tags',
    ...rowsOf((day, index) =>
      [
        `id${index}`,
        '111122223333',
        'AWS',
        '444455556666',
        'Usage',
        `${day} 0${index % 10}:00:00.000`,
        `${day} 0${(index % 10) + 1}:00:00.000`.replace('010:', '10:'),
        'AmazonBedrock',
        'USE1-Claude4.6Sonnet-input-tokens',
        'InvokeModelInference',
        '',
        '1.5',
        'USD',
        '0.003',
        costOf(index),
        '$0.003 per 1K input tokens for Claude Sonnet 4.6',
        '1K tokens',
        'us-east-1',
        '{"user_team": "chat, search"}',
      ]
        .map((cell) => `"${cell.replaceAll('"', '""')}"`)
        .join(','),
    ),
  ].join('\n');

/** The billing export of Google to BigQuery, as bq query prints it: numbers as text, structs as objects. */
const googleJson = (): string =>
  JSON.stringify(
    rowsOf((day, index) => ({
      billing_account_id: '01A2B3-C4D5E6-F7A8B9',
      service: { id: 'C7E2-9256-1C43', description: 'Vertex AI' },
      sku: { id: 'A1B2-C3D4-E5F6', description: 'Gemini 3 Flash Text Input - Predictions' },
      usage_start_time: `${day} 10:00:00 UTC`,
      usage_end_time: `${day} 11:00:00 UTC`,
      project: { id: 'search-prod', number: '1234' },
      labels: [{ key: 'team', value: 'search' }],
      location: { location: 'europe-west1', region: 'europe-west1' },
      cost: costOf(index),
      currency: 'USD',
      currency_conversion_rate: '1',
      usage: { amount: '1500', unit: 'count', amount_in_pricing_units: '1.5', pricing_unit: '1k count' },
      credits: [],
      invoice: { month: '202603' },
      cost_type: 'regular',
    })),
  );

/** What the query of the guide gives for system.billing.usage of Databricks, as lines of JSON. */
const databricksLines = (): string =>
  rowsOf((day, index) =>
    JSON.stringify({
      ServiceProviderName: 'Databricks',
      BillingAccountId: '23e22ba4-87b9-4cc2-9770-d10b894b7118',
      SubAccountId: '1234567890123456',
      ChargePeriodStart: day,
      ChargePeriodEnd: `${day}T23:59:59Z`,
      x_Model: 'databricks-claude-sonnet-4-6',
      SkuPriceId: 'ENTERPRISE_SERVERLESS_REAL_TIME_INFERENCE_US_EAST_N_VIRGINIA',
      ConsumedQuantity: '0.5',
      ConsumedUnit: 'DBU',
      BilledCost: costOf(index),
      BillingCurrency: 'USD',
    }),
  ).join('\n');

const send = (...args: readonly string[]) =>
  run(process.execPath, ['examples/sendBill.ts', ...args], {
    env: { ...process.env, BASE_URL: instance.baseUrl, API_KEY: key },
  });
const deliveryOf = async (id: string) => {
  const { body } = await call(instance.baseUrl, '/api/v1/reconciliation/bills', { key });
  return Object(body).data.find((delivery: { id: string }) => delivery.id === id);
};

it.each([
  ['CUR 2.0 as CSV', 'aws', 'AWS', curCsv],
  ['the BigQuery export of Google as JSON', 'google', 'Google Cloud', googleJson],
  ['the usage of Databricks as lines of JSON', 'databricks', 'Databricks', databricksLines],
])('sends a bill of more rows than a request takes: %s', async (_, name, provider, content) => {
  const file = join(folder, name);
  writeFileSync(file, content());
  const args = [file, `${name}-2026-03`, provider, '2026-03-01', '2026-04-01'];
  await send(...args);
  const delivery = await deliveryOf(`${name}-2026-03`);
  // A run that is repeated, here after its end, changes nothing.
  const { stdout } = await send(...args);

  expect(delivery).toMatchObject({ state: 'complete', rows: ROWS, billed_usd: TOTAL });
  expect(await deliveryOf(`${name}-2026-03`)).toEqual(delivery);
  expect(stdout).toBe(`5001 rows are the bill of ${provider} from 2026-03-01 to 2026-04-01.\n`);
});

it('leaves a bill open if rows were rejected, and names each', async () => {
  const file = join(folder, 'faulty');
  writeFileSync(file, databricksLines().replace('"0.000003"', '"three"'));
  const failed = await send(file, 'faulty', 'Databricks', '2026-03-01', '2026-04-01').catch((error) => error);

  expect(failed.stderr).toMatch(/^Request 1, row 2: \/rows\/2\/BilledCost .+\n1 rows were rejected/);
  expect(await deliveryOf('faulty')).toMatchObject({ state: 'open' });
});
