import { decimal } from '../shared/decimal.ts';

const CENTS = 2;
/** Significant digits of what is less than a dollar. */
const SMALL_DIGITS = 3;

/** An amount as a person reads it: to the cent, or to three digits where it is less than a dollar. */
export const formatUsd = (amount: string): string => {
  const value = decimal(amount);
  const precise = value.prec(SMALL_DIGITS);
  const isSmall = precise.gt(decimal('0')) && precise.lt(decimal('1'));
  const text = isSmall ? precise.toFixed() : value.toFixed(CENTS);
  const [whole = '', fraction = ''] = text.split('.');
  return `USD ${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${fraction}`;
};

/** Part of a whole in per cent, rounded; `whole` is more than 0. */
export const formatPercent = (part: string, whole: string): string =>
  `${decimal(part).times(decimal('100')).div(decimal(whole)).round(0).toFixed()} %`;

/** `2026-03-14 09:30 UTC` */
export const formatMinute = (instant: string): string =>
  `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The days of a stretch, or its hours where it is shorter than a day; its end is not part of it. */
export const formatPeriod = ({ from, to }: { readonly from: string; readonly to: string }): string => {
  const isWholeDays = [from, to].every((instant) => instant.slice(11).replace(/[0:.Z]/g, '') === '');
  if (!isWholeDays) return `${formatMinute(from)} to ${formatMinute(to)}`;
  const last = new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
  const first = from.slice(0, 10);
  return first === last ? first : `${first} to ${last}`;
};

/** Words for a name of the contract: `gateway_mediated` → `gateway mediated`. */
export const toWords = (name: string): string => name.replaceAll('_', ' ');
