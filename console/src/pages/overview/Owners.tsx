import { Link } from 'wouter';
import { magnitude, shareOf, sum } from '../../../../sdk/shared/decimal.ts';
import type { UsageReport, UsageRow } from '../../../../sdk/typescript/src/types.ts';
import { Sparkline } from '../../charts/Sparkline.tsx';
import type { Series, Timeline } from '../../charts/series.ts';
import { Swatch } from '../../charts/Textures.tsx';
import { groupOf } from '../../charts/usage.ts';
import { formatAmount, formatShareOf, formatShareRange, type Measure } from '../../format/amount.ts';
import { useCan } from '../../session/session.ts';
import { ownersLink } from '../owners/ownersState.ts';
import { daysOf, recordsLink } from '../records/recordFilters.ts';

interface OwnersProps {
  readonly timeline: Timeline;
  readonly rows: readonly UsageRow[];
  readonly measure: Measure;
  readonly period: UsageReport['period'];
}

const notes: Readonly<Record<Exclude<Series['kind'], 'named'>, string>> = {
  folded: 'Each too small to show',
  nobody: 'Name an owner',
  other: 'Beyond the six largest',
};

/** How much of an owner's spend is sure enough to be charged. */
const readiness = (rows: readonly UsageRow[], key: string): string => {
  const own = rows.filter((row) => groupOf(row, ['owner']).key === key);
  const cost = sum(own.map((row) => row.cost_usd));
  if (cost === null) return 'No known price';
  if (magnitude(cost) === 0) return 'Free of charge';
  const confirmed = sum(own.map((row) => row.owner_states['confirmed']?.cost_usd)) ?? '0';
  const hidden = sum(own.map((row) => row.owner_states['mixed']?.cost_usd));
  const range = { least: shareOf(confirmed, cost), most: shareOf(sum([confirmed, hidden]), cost) };
  if (range.least >= 0.995) return 'All confirmed';
  return range.most < 0.005 ? 'None confirmed yet' : `${formatShareRange(range)} confirmed`;
};

const linkOf = ({ kind, values: [owner] }: Series, days: ReturnType<typeof daysOf>): string | null => {
  if (kind === 'named') return recordsLink({ ...days, owner: owner ?? '' });
  return kind === 'nobody' ? ownersLink(days) : null;
};

export const Owners = ({ timeline: { intervals, series }, rows, measure, period }: OwnersProps) => {
  const canReadRecords = useCan('read:attribution');
  const all = sum(series.map(({ total }) => total));
  const hidden = sum(series.filter(({ kind }) => kind === 'folded').map(({ total }) => total));
  return (
    <ul className="owners">
      {series.map((each) => {
        const link = canReadRecords ? linkOf(each, daysOf(period)) : null;
        const content = (
          <>
            <Swatch of={each} />
            <span className={each.kind === 'named' ? 'cut' : undefined}>
              <span className="name">{each.label}</span>
              <span className={each.kind === 'named' ? 'sub cut' : 'sub'}>
                {each.kind === 'named' ? readiness(rows, each.key) : notes[each.kind]}
              </span>
            </span>
            {each.total === null ? (
              <span />
            ) : (
              <Sparkline
                values={intervals.map(({ values }) => magnitude(values.get(each.key)))}
                color={each.color}
              />
            )}
            <span className={each.total === null ? 'amount unknown' : 'amount'}>
              {formatAmount(each.total, measure)}
              <span className="sub">
                {formatShareOf(each.total, all, each.kind === 'folded' ? null : hidden)}
              </span>
            </span>
          </>
        );
        return (
          <li key={each.key}>
            {link === null ? (
              <div className="owner">{content}</div>
            ) : (
              <Link className="owner" href={link}>
                {content}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
};
