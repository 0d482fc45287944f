import type { IntervalLength } from '../../charts/columns/intervalLabels.ts';
import { nextStart } from '../../charts/series.ts';
import {
  DIMENSIONS,
  type Dimension,
  dimensionOf,
  isTagDimension,
  keyOfTag,
  type TagDimension,
} from '../../charts/usage.ts';
import { DAY_MS, isoDay, rangeOfDays } from '../../format/time.ts';
import { choice, choices, codec, day, text } from '../../url/codec.ts';

/** As many as a table row and a colour can still name. */
export const GROUPS_MAXIMUM = 3;

export const exploreCodec = codec({
  days: choice(['1', '7', '14', '30', '90', 'month'], '7'),
  from: day(),
  to: day(),
  interval: choice(['auto', 'hour', 'day', 'month'], 'auto'),
  group: choices(dimensionOf, ['owner'], GROUPS_MAXIMUM),
  measure: choice(['cost', 'energy', 'carbon'], 'cost'),
  view: choice(['time', 'treemap', 'flow', 'change', 'unit', 'forecast'], 'time'),
  /** Whether the axis of time ends below columns that flatten all others. */
  axis: choice(['whole', 'cut'], 'whole'),
  /** Which unit costs are columns. */
  units: choice(['calls', 'tokens', 'cache'], 'calls'),
  /** The period to compare with: the one before, or one that begins on the day `since` and is as long. */
  since: day(),
  owner: text(),
  service: text(),
  provider: text(),
  served_model: text(),
  pathway_category: text(),
  region: text(),
  /** Tags separated by commas, such as `env:prod`. */
  tags: text(),
});

export type ExploreState = ReturnType<typeof exploreCodec.read>;

export interface ExplorePeriod {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly interval: IntervalLength;
}

/** The reports take ends on a whole minute. */
const MINUTE_MS = 60_000;
/** Hourly reports cover at most 31 days. */
const HOURLY_DAYS_MAXIMUM = 31;
const DAILY_DAYS_MAXIMUM = 92;

const intervalOf = (chosen: ExploreState['interval'], days: number): IntervalLength => {
  if (chosen === 'hour' && days > HOURLY_DAYS_MAXIMUM) return 'day';
  if (chosen !== 'auto') return chosen;
  if (days <= 2) return 'hour';
  return days <= DAILY_DAYS_MAXIMUM ? 'day' : 'month';
};

/** Whether the period is the current month. */
export const isMonth = ({ days, from, to }: Pick<ExploreState, 'days' | 'from' | 'to'>): boolean =>
  days === 'month' && from === null && to === null;

/** The chosen days, the current month as a whole, or the last days up to and including today. */
export const periodOf = (state: ExploreState, now: number): ExplorePeriod => {
  const month = isoDay(now).slice(0, 7);
  const start = Date.parse(`${month}-01`);
  const days = state.days === 'month' ? '31' : state.days;
  const range = isMonth(state)
    ? { from: start, to: nextStart(start, 'month') }
    : rangeOfDays({ ...state, days }, now);
  return { ...range, interval: intervalOf(state.interval, (range.to - range.from) / DAY_MS) };
};

/**
 * The period to compare with that begins on a day, as long as the part of `range` that has passed. Null: the default of the
 * service, which is the period before.
 */
export const earlierPeriod = (
  { from, to }: { readonly from: number; readonly to: number },
  since: string | null,
  now: number,
): { readonly from: number; readonly to: number } | null => {
  if (since === null) return null;
  const start = Date.parse(since);
  const passed = Math.min(to, Math.floor(now / MINUTE_MS) * MINUTE_MS) - from;
  return { from: start, to: start + (passed > 0 ? passed : to - from) };
};

/** The page with these filters. */
export const exploreLink = (members: Partial<ExploreState>): string => {
  const search = exploreCodec.write({ ...exploreCodec.read(''), ...members });
  return search === '' ? '/explore' : `/explore?${search}`;
};

const tagsOf = (text: string): ReadonlyMap<TagDimension, string> =>
  new Map(
    text.split(',').flatMap((tag) => {
      const [key = '', ...value] = tag.split(':');
      return key === '' || value.join(':') === '' ? [] : [[`tag:${key}` as const, value.join(':')] as const];
    }),
  );

export const filtersOf = (state: ExploreState): ReadonlyMap<Dimension, string> =>
  new Map([
    ...DIMENSIONS.flatMap((dimension) =>
      state[dimension] === '' ? [] : [[dimension, state[dimension]] as const],
    ),
    ...tagsOf(state.tags),
  ]);

/** The members of the state that change when these dimensions have these values only. No value removes the filter. */
export const withFilters = (
  state: ExploreState,
  chosen: Iterable<readonly [Dimension, string | null]>,
): Partial<ExploreState> => {
  const tags = new Map(tagsOf(state.tags));
  const changes: Partial<Record<(typeof DIMENSIONS)[number], string>> = {};
  for (const [dimension, value] of chosen) {
    const field = DIMENSIONS.find((one) => one === dimension);
    if (field !== undefined) changes[field] = value ?? '';
    else if (!isTagDimension(dimension)) continue;
    else if (value === null) tags.delete(dimension);
    else tags.set(dimension, value);
  }
  const texts = [...tags].map(([dimension, value]) => `${keyOfTag(dimension)}:${value}`);
  return { ...changes, tags: texts.join() };
};
