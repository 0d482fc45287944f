import type * as z from 'zod';
import type { ExchangeRates } from '../../../../schemas/chargeback/exchangeRates.ts';
import { BillRow, detailColumns } from '../../../../schemas/chargeback/reconciliation.ts';
import type { FieldError } from '../../../../schemas/fieldError.ts';
import { fieldErrors, WITH_INPUT } from '../../../platform/http/inputErrors.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import type { DeliveryScope } from '../deliveries/delivery.ts';
import { type BillLine, exactUsd, toBillLine } from './bill.ts';
import { Cells } from './cells.ts';
import { exchangeOn } from './exchange.ts';
import { withCredits } from './googleCredits.ts';
import { statedRate } from './statedRate.ts';

/** A row that cannot be stored: its index, and why. */
export interface RejectedRow {
  readonly index: number;
  readonly errors: readonly FieldError[];
}

export interface ReadRows {
  readonly lines: readonly BillLine[];
  readonly rejected: readonly RejectedRow[];
  /** Rows whose cost was rounded. */
  readonly rounded: number;
}

/**
 * Reads a row. A column that only says more about the charge is left out if it cannot be stored. `complete` adds what the row
 * does not say itself.
 */
export const readBillRow = (
  row: unknown,
  complete = (cells: Cells): Cells => cells,
): z.ZodSafeParseResult<BillRow> => {
  const parsed = Cells.safeParse(row);
  if (!parsed.success) return BillRow.safeParse(row, WITH_INPUT);
  const cells = complete(parsed.data);
  const first = BillRow.safeParse(cells, WITH_INPUT);
  if (first.success) return first;
  const unread = first.error.issues
    .map(({ path }) => String(path[0]))
    .filter((name) => detailColumns.has(name));
  return unread.length === 0
    ? first
    : BillRow.safeParse({ ...cells, ...Object.fromEntries(unread.map((name) => [name, null])) }, WITH_INPUT);
};

/** The provider and account of a delivery are those of its rows that name none. */
const completeFrom =
  ({ provider, account }: DeliveryScope) =>
  (cells: Cells): Cells => ({
    ...cells,
    ServiceProviderName: cells['ServiceProviderName'] ?? cells['ProviderName'] ?? provider,
    BillingAccountId: cells['BillingAccountId'] ?? account,
  });

/** Why a line does not belong to a delivery. */
const scopeErrors = (line: BillLine, { provider, account, from, to }: DeliveryScope): FieldError[] => {
  const errorIf = (isWrong: boolean, column: string, detail: string): FieldError[] =>
    isWrong ? [{ pointer: `/${column}`, detail }] : [];
  return [
    ...errorIf(line.biller !== provider, 'ServiceProviderName', 'is not the provider of the delivery'),
    ...errorIf(
      account !== null && line.account !== account,
      'BillingAccountId',
      'is not the account of the delivery',
    ),
    ...errorIf(line.day < from || line.day >= to, 'ChargePeriodStart', 'is not on a day of the delivery'),
  ];
};

/** A correction of earlier days stays in the bill that has it. */
const withinDelivery = (line: BillLine, { ChargeClass }: BillRow, { from }: DeliveryScope): BillLine =>
  ChargeClass === 'Correction' && line.day < from ? { ...line, day: from } : line;

type ReadLine =
  | { readonly line: BillLine; readonly isRounded: boolean }
  | { readonly line: null; readonly errors: readonly FieldError[] };

const readLine = (
  sent: unknown,
  delivery: DeliveryScope | null,
  rates: ExchangeRates | undefined,
): ReadLine => {
  const { data: row, error } = readBillRow(sent, delivery === null ? undefined : completeFrom(delivery));
  if (row === undefined) return { line: null, errors: fieldErrors(error, BillRow, sent) };
  const { BillingCurrency: currency } = row;
  const day = utcDateOf(Date.parse(row.ChargePeriodStart));
  const exchange =
    exchangeOn(rates, currency, day) ?? (currency === 'USD' ? undefined : statedRate(row, day));
  if (exchange === null) {
    const detail = `has no rate of ${currency} for ${day}, and the row states none: send it in exchange_rates`;
    return { line: null, errors: [{ pointer: '/BillingCurrency', detail }] };
  }
  const ownLine = toBillLine(row, exchange);
  const isRounded = !exactUsd(row, exchange).eq(ownLine.cost);
  if (delivery === null) return { line: ownLine, isRounded };
  const line = withinDelivery(ownLine, row, delivery);
  const errors = scopeErrors(line, delivery);
  return errors.length > 0 ? { line: null, errors } : { line, isRounded };
};

/** Reads the rows of a request, and of a delivery if there is one. One that cannot be read leaves the others as they are. */
export const readRows = (
  rows: readonly unknown[],
  delivery: DeliveryScope | null,
  rates?: ExchangeRates,
): ReadRows => {
  const lines: BillLine[] = [];
  const rejected: RejectedRow[] = [];
  let rounded = 0;
  for (const [index, sent] of rows.entries()) {
    const read = withCredits(sent).map((row) => readLine(row, delivery, rates));
    const errors = read.flatMap((one) => (one.line === null ? one.errors : []));
    if (errors.length > 0) {
      const errorAt = (error: FieldError) => ({ ...error, pointer: `/rows/${index}${error.pointer ?? ''}` });
      rejected.push({ index, errors: errors.map(errorAt) });
      continue;
    }
    const readable = read.filter((one) => one.line !== null);
    lines.push(...readable.map(({ line }) => line));
    if (readable.some(({ isRounded }) => isRounded)) rounded += 1;
  }
  return { lines, rejected, rounded };
};
