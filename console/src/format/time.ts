/** Times are UTC, as in the API, unless a figure is one of days of another zone. */
const format = (options: Intl.DateTimeFormatOptions): ((instant: string | number) => string) => {
  const formatter = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (instant) => formatter.format(new Date(instant));
};

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

export const formatDay = format({ day: 'numeric', month: 'short' });
export const formatDayOfYear = format({ day: 'numeric', month: 'short', year: 'numeric' });
export const formatWeekday = format({ weekday: 'short' });
export const formatMonth = format({ month: 'short', year: 'numeric' });
export const formatClock = format({ hour: '2-digit', minute: '2-digit' });
export const formatMinute = format({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** The day of an instant in a time zone, in which the days of some periods are counted. */
export const formatDayIn = (instant: string | number, timeZone: string): string =>
  new Date(instant).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  });

export const formatMoment = (instant: string | number): string => `${formatMinute(instant)} UTC`;

export const startOfDay = (instant: number): number => Math.floor(instant / DAY_MS) * DAY_MS;

export const isoDay = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** The last day that lies in a period, whose end is exclusive. */
export const lastDayOf = (to: string): number => Date.parse(to) - 1;

/** The days of a period, whose end is exclusive: both ends with their year, and one day once. */
export const formatDays = ({
  from,
  to,
}: {
  readonly from: string | number;
  readonly to: string | number;
}): string => {
  const [first, last] = [formatDayOfYear(from), formatDayOfYear(new Date(to).getTime() - 1)];
  return first === last ? first : `${first} – ${last}`;
};

const UNITS = [
  { unit: 'd', ms: DAY_MS, from: 2 * DAY_MS },
  { unit: 'h', ms: HOUR_MS, from: 90 * 60_000 },
  { unit: 'min', ms: 60_000, from: 0 },
] as const;

const lengthOf = (ms: number): string => {
  const { unit, ms: size } = UNITS.find(({ from }) => ms >= from) ?? UNITS[2];
  return `${Math.round(ms / size)} ${unit}`;
};

/** `45 min ago`, or `in 3 d` for a time to come. */
export const formatAgo = (instant: string, now: number): string => {
  const past = now - Date.parse(instant);
  if (Math.abs(past) < 60_000) return past < 0 ? 'in a minute' : 'just now';
  return past > 0 ? `${lengthOf(past)} ago` : `in ${lengthOf(-past)}`;
};

export const formatDuration = (seconds: number): string => lengthOf(seconds * 1_000);

export interface ChosenDays {
  /** Days up to and including the last one, where no first day is chosen. */
  readonly days: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The chosen UTC days, or the last ones up to and including today. At least one day. The end is exclusive. */
export const rangeOfDays = (
  { days, from, to }: ChosenDays,
  now: number,
): { readonly from: number; readonly to: number } => {
  const end = (to === null ? startOfDay(now) : Date.parse(to)) + DAY_MS;
  return {
    from: from === null ? end - Number(days) * DAY_MS : Math.min(Date.parse(from), end - DAY_MS),
    to: end,
  };
};
