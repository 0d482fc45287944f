import type { ReportContent } from '../../delivery/notifications/text/reportContent.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { calendarOf } from '../../platform/tenancy/tenant.ts';
import { readChanges } from '../reports/changes/readChanges.ts';
import { readForecast } from '../reports/readForecast.ts';
import { readSavings } from '../savings/readSavings.ts';
import { forecastSection, moversSection, savingsSection, spendSection } from './reportSections.ts';
import type { StoredSubscription } from './subscription.store.ts';

export type ReportStores = Parameters<typeof readSavings>[0];

/**
 * What a report says about a period, as of `now` (epoch milliseconds): sums of the reports that its reader may read, so it hides
 * what they hide.
 */
export const readReport = async (
  stores: ReportStores,
  reader: Pick<Caller, 'tenant' | 'residency' | 'scopes'>,
  { owner, every }: Pick<StoredSubscription, 'owner' | 'every'>,
  { from, to }: Interval,
  now: number,
): Promise<Pick<ReportContent, 'title' | 'sections' | 'page'>> => {
  const calendar = calendarOf(reader.tenant);
  const filter = owner === null ? {} : { owner };
  const query = { from: toIso(from), to: toIso(to), ...filter };
  const field = owner === null ? 'owner' : 'service';
  const changes = await readChanges(stores, reader, { ...query, group_by: [field] }, now);
  const forecast = await readForecast(stores, reader, filter, now);
  const savings = await readSavings(stores, reader, query, now);
  const [first, last] = [calendar.dateOf(from), calendar.dateOf(to - 1)];
  const sections = [
    spendSection(changes.envelope.totals, changes.envelope.previous.complete, owner === null),
    moversSection(changes.rows, field),
    forecastSection(forecast.envelope.totals, calendar.dateOf(now).slice(0, 'YYYY-MM'.length)),
    savingsSection(savings.rows),
  ];
  const page = new URLSearchParams({ from: first, to: last, ...(owner !== null && { owner }) });
  return {
    title: `${owner ?? 'All owners'}, ${every === 'week' ? `week of ${first}` : first.slice(0, 'YYYY-MM'.length)}: inference spend`,
    sections: sections.filter(({ rows }) => rows.length > 0),
    page: `explore?${page}`,
  };
};
