import type { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';

/**
 * The categories of FOCUS by the type of a line item of AWS, in lower case. A type that is not listed is an adjustment: it stays in
 * the bill and is not compared with calls. https://docs.aws.amazon.com/cur/latest/userguide/table-dictionary-cur2-line-item.html
 */
export const LINE_ITEM_CATEGORIES: Readonly<Record<string, NonNullable<BillRow['ChargeCategory']>>> = {
  usage: 'Usage',
  discountedusage: 'Usage',
  savingsplancoveredusage: 'Usage',
  credit: 'Credit',
  tax: 'Tax',
  fee: 'Purchase',
  rifee: 'Purchase',
  savingsplanupfrontfee: 'Purchase',
  savingsplanrecurringfee: 'Purchase',
};
