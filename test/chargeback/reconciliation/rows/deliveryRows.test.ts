import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../../../functions/chargeback/reconciliation/deliveries/delivery.ts';
import { readRows } from '../../../../functions/chargeback/reconciliation/rows/readRows.ts';
import { row } from './billRow.ts';

describe('the rows of a delivery', () => {
  it('of an Azure account can spell it in another case', () => {
    const account = '/providers/Microsoft.Billing/billingAccounts/AB12';
    const declared = { id: 'a', provider: 'Microsoft', account, from: '2026-05-01', to: '2026-05-02' };
    const sent = row({ ServiceProviderName: 'Azure', BillingAccountId: account.toLowerCase() });

    expect(readRows([sent], scopeOf(declared))).toMatchObject({
      rejected: [],
      lines: [{ day: '2026-05-01' }],
    });
  });

  const scope = { provider: 'openai', account: 'org-1', from: '2026-05-01', to: '2026-05-02' };

  it('have its provider and account, unless they name others', () => {
    const { lines, rejected } = readRows(
      [
        row({ ServiceProviderName: '', BillingAccountId: '' }),
        row({ BillingAccountId: 'org-2' }),
        row({ ServiceProviderName: 'Anthropic', BillingAccountId: 'org-1' }),
        row({ ChargePeriodStart: '2026-05-02T10:00:00Z', ChargePeriodEnd: '2026-05-02T11:00:00Z' }),
      ],
      scope,
    );

    expect(lines).toMatchObject([{ biller: 'openai', account: 'org-1' }]);
    expect(rejected.map(({ errors }) => errors.map(({ pointer }) => pointer))).toEqual([
      ['/rows/1/BillingAccountId'],
      ['/rows/2/ServiceProviderName'],
      ['/rows/3/ChargePeriodStart'],
    ]);
  });

  it('include the corrections of earlier days, on its first day', () => {
    const earlier = { ChargePeriodStart: '2026-04-01T10:00:00Z', ChargePeriodEnd: '2026-04-01T11:00:00Z' };

    const { lines, rejected } = readRows(
      [row({ ...earlier, ChargeClass: 'Correction', BilledCost: '-1' }), row(earlier)],
      scope,
    );

    expect(lines).toMatchObject([{ day: '2026-05-01', cost: '-1' }]);
    expect(rejected.map(({ index }) => index)).toEqual([1]);
  });
});
