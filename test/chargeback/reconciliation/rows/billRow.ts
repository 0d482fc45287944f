import { toBillLine } from '../../../../functions/chargeback/reconciliation/rows/bill.ts';
import { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';

export const row = (members: Record<string, unknown> = {}) => ({
  BilledCost: '1.50',
  BillingCurrency: 'USD',
  ServiceProviderName: 'OpenAI',
  ChargePeriodStart: '2026-05-01T10:00:00Z',
  ChargePeriodEnd: '2026-05-01T11:00:00Z',
  SkuId: 'gpt-4o',
  SkuMeter: 'Input Tokens',
  ...members,
});
export const line = (members?: Record<string, unknown>) => toBillLine(BillRow.parse(row(members)));
