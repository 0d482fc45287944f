import type { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';
import { decimal, ZERO } from '../../../platform/shared/decimal.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import { type AppliedRate, CROSS_RATE_DIGITS } from './exchange.ts';

/**
 * The rate by which the provider itself made the amount of a row from USD. Azure states how much of the billing currency one unit
 * of the pricing currency is, Google how much of the local currency a US dollar is. Null if the row states none from USD.
 */
export const statedRate = (row: BillRow, day: string): AppliedRate | null => {
  const isPricedInUsd = (row.PricingCurrency ?? row.x_PricingCurrency) === 'USD';
  const [column, units] =
    isPricedInUsd && row.x_BillingExchangeRate
      ? (['x_BillingExchangeRate', row.x_BillingExchangeRate] as const)
      : (['x_CurrencyConversionRate', row.x_CurrencyConversionRate ?? '0'] as const);
  if (!decimal(units).gt(ZERO)) return null;
  const dated = column === 'x_BillingExchangeRate' ? row.x_BillingExchangeRateDate : null;
  return {
    rate: decimal('1').div(units).round(CROSS_RATE_DIGITS).toFixed(),
    rate_day: dated ? utcDateOf(Date.parse(dated)) : day,
    source: `${column} of the bill`,
  };
};
