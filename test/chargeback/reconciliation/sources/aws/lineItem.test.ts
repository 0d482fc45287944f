import { expect, it } from 'vitest';
import {
  type LineItemColumn,
  toBedrockCharge,
  toReportedCharge,
} from '../../../../../functions/chargeback/reconciliation/sources/aws/lineItem.ts';

const ITEM: Readonly<Partial<Record<LineItemColumn, unknown>>> = {
  bill_billing_entity: 'AWS Marketplace',
  line_item_product_code: 'a-product',
  product_name: 'Claude Haiku 4.5 (Amazon Bedrock Edition)',
  line_item_line_item_type: 'Usage',
  line_item_usage_start_date: '2026-05-08T00:00:00Z',
  line_item_usage_type: 'USE1-MP:USE1_InputTokenCount-Units',
  line_item_usage_amount: 2.5,
  line_item_currency_code: 'USD',
  line_item_unblended_cost: 2.75,
  pricing_unit: 'Units',
};

/** An export without the column has no such value. */
it.each([
  ['AWS Marketplace software usage|us-east-1|Million Input Tokens Regional CRIS', 2_500_000],
  ['AWS Marketplace software usage|us-east-1|Price of an input', undefined],
  [undefined, undefined],
])(
  'Units of AWS Marketplace that are described as %s have a known number of tokens, or none',
  (text, count) => {
    const item = { ...ITEM, line_item_line_item_description: text };
    const charge = toBedrockCharge((column) => item[column]);

    expect(charge && toReportedCharge(charge).tokens?.count).toBe(count);
  },
);
