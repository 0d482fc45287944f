import { decimal, ZERO } from '../../../platform/shared/decimal.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';

const CENT_DIGITS = 2;
/** Significant digits of amounts below one dollar. */
const SMALL_DIGITS = 3;

/** Formats a decimal amount: to the cent, or to three significant digits below one dollar. */
export const formatUsd = (amount: string): string => {
  const value = decimal(amount);
  const precise = value.prec(SMALL_DIGITS);
  const isSmall = precise.gt(ZERO) && precise.lt(decimal('1'));
  const text = isSmall ? precise.toFixed() : value.toFixed(CENT_DIGITS);
  const [whole = '', fraction = ''] = text.split('.');
  return `USD ${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${fraction}`;
};

/** Formats `part` as a rounded percentage of `whole`, which must be positive. */
export const formatPercent = (part: string, whole: string): string =>
  `${decimal(part).times(decimal('100')).div(decimal(whole)).round(0).toFixed()} %`;

/** `2026-03-14 09:30 UTC` */
export const formatMinute = (instant: string): string =>
  `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** When something happened: as dates if it is whole days of UTC, otherwise to the minute. `to` is exclusive. */
export const formatPeriod = ({ from, to }: { readonly from: string; readonly to: string }): string => {
  const isWholeDays = [from, to].every((instant) => instant.slice(11).replace(/[0:.Z]/g, '') === '');
  if (!isWholeDays) return `from ${formatMinute(from)} to ${formatMinute(to)}`;
  const last = utcDateOf(Date.parse(to) - 1);
  const first = from.slice(0, 10);
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
};

/** Formats an enum value or field name as words: `gateway_mediated` → `gateway mediated`. */
export const toWords = (name: string): string => name.replaceAll('_', ' ');
