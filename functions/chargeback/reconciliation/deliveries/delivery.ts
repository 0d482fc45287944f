import * as z from 'zod';
import { type DeclaredDelivery, OPEN_DAYS } from '../../../../schemas/chargeback/billDeliveries.ts';
import { ExchangedAmount } from '../../../../schemas/chargeback/exchangeRates.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { canonicalProvider } from '../../../impact/usage/modelIdentity.ts';
import { sumDecimals } from '../../../platform/shared/decimal.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import type { BillLine } from '../rows/bill.ts';
import { addExchanged, exchangedOf } from '../rows/exchange.ts';
import { canonicalId } from '../rows/identifiers.ts';

/** How long an open delivery waits for its next request. */
export const OPEN_MS = OPEN_DAYS * DAY_MS;

/** Whose bill a delivery has. Without an account it is that of the whole provider. */
const Biller = z.object({ provider: z.string(), account: z.string().nullable() });
export type Biller = z.infer<typeof Biller>;

/** The rows of one request. */
const Page = z.object({
  billers: z.array(Biller),
  rows: z.int(),
  rejected: z.int(),
  usage: z.string(),
  other: z.string(),
  /** End of the newest charge. Null without rows. */
  until: z.int().nullable(),
  /** What is in other currencies. Absent if nothing is. */
  exchanged: z.array(ExchangedAmount).optional(),
});
type Page = z.infer<typeof Page>;

export const StoredDelivery = z.object({
  id: z.string(),
  mode: z.enum(['replace', 'merge']),
  /** As declared; null if the billers of the rows are its scope. The days are UTC dates, `to` excluded. */
  provider: z.string().nullable(),
  account: z.string().nullable(),
  from: z.iso.date(),
  to: z.iso.date(),
  state: z.enum(['open', 'complete', 'taken_back']),
  /** By a name that follows from the content, so that rows that are sent again are the same page. */
  pages: z.record(z.string(), Page),
  /** When its last request arrived, or its report was requested: epoch milliseconds. Of two deliveries the later one counts. */
  at: z.int(),
  by: z.string().nullable(),
  source_id: z.string().nullable(),
});
export type StoredDelivery = z.infer<typeof StoredDelivery>;

/** The scope of a declared delivery, in one spelling. */
export interface DeliveryScope {
  readonly provider: string;
  readonly account: string | null;
  readonly from: string;
  readonly to: string;
}

export const scopeOf = ({ provider, account, from, to }: DeclaredDelivery): DeliveryScope => ({
  provider: canonicalProvider(provider),
  account: account === undefined ? null : canonicalId(account),
  from: utcDateOf(Date.parse(from)),
  to: utcDateOf(Date.parse(to)),
});

const distinct = (billers: readonly Biller[]): Biller[] => [
  ...new Map(billers.map((biller) => [JSON.stringify([biller.provider, biller.account]), biller])).values(),
];

/** Whose bill it is. A declared delivery without rows and without an account is the bill of its provider. */
export const billersOf = ({ provider, account, pages }: StoredDelivery): Biller[] => {
  const named = distinct(Object.values(pages).flatMap(({ billers }) => billers));
  const isDeclared = provider !== null && (account !== null || named.length === 0);
  return isDeclared ? distinct([{ provider, account }, ...named]) : named;
};

const LENGTH = 22;
/** Equal for rows that mean the same, in whatever order they come and whatever other columns they have. */
export const contentOf = (lines: readonly BillLine[]): string =>
  sha256Of('bill rows', ...lines.map((line) => JSON.stringify(line)).sort())
    .toString('base64url')
    .slice(0, LENGTH);

/** Only where there is something: a page without is stored, and shown, as it is without currencies. */
const exchangedMember = (exchanged: readonly ExchangedAmount[]): Pick<Page, 'exchanged'> =>
  exchanged.length === 0 ? {} : { exchanged: [...exchanged] };

export const pageOf = (lines: readonly BillLine[], rejected: number): Page => ({
  ...exchangedMember(exchangedOf(lines)),
  billers: distinct(lines.map(({ biller, account }) => ({ provider: biller, account }))),
  rows: lines.length,
  rejected,
  usage: sumDecimals(lines.flatMap(({ usage, cost }) => (usage ? cost : []))),
  other: sumDecimals(lines.flatMap(({ usage, cost }) => (usage ? [] : cost))),
  until: lines.reduce<number | null>((until, { end }) => Math.max(until ?? end, end), null),
});

/** The first and last UTC days of rows, the last excluded. */
export const daysOf = (lines: readonly BillLine[]): { readonly from: string; readonly to: string } => {
  const days = lines.map(({ day }) => day).sort();
  const [first = ''] = days;
  return { from: first, to: utcDateOf(Date.parse(days.at(-1) ?? first) + DAY_MS) };
};

export const isExpired = ({ state, at }: Pick<StoredDelivery, 'state' | 'at'>, now: number): boolean =>
  state === 'open' && now >= at + OPEN_MS;

/** Whether requests can still name it: it is open, or complete. */
export const isActive = (delivery: Pick<StoredDelivery, 'state' | 'at'>, now: number): boolean =>
  delivery.state !== 'taken_back' && !isExpired(delivery, now);

/** The sums of its rows. */
export const totalsOf = ({ pages }: Pick<StoredDelivery, 'pages'>) => {
  const all = Object.values(pages);
  return {
    rows: all.reduce((total, { rows }) => total + rows, 0),
    rejected: all.reduce((total, { rejected }) => total + rejected, 0),
    usage: sumDecimals(all.map(({ usage }) => usage)),
    other: sumDecimals(all.map(({ other }) => other)),
    until: all.reduce<number | null>(
      (until, page) => (page.until === null ? until : Math.max(until ?? page.until, page.until)),
      null,
    ),
    ...exchangedMember(addExchanged(all.flatMap(({ exchanged = [] }) => exchanged))),
  };
};
