import { Link } from 'wouter';
import { listAnomalies } from '../../../../sdk/typescript/src/operations.ts';
import type { Anomaly } from '../../../../sdk/typescript/src/types.ts';
import { useList, useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Page } from '../../components/Page.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { CsvButton } from '../../components/tables/CsvButton.tsx';
import { Listed } from '../../components/tables/Listed.tsx';
import { formatShare, formatUsd } from '../../format/amount.ts';
import { DAY_MS, formatDays, formatMoment, isoDay, lastDayOf } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { type ExploreState, exploreLink } from '../explore/exploreState.ts';
import { recordsOf } from '../explore/groups/recordsPath.ts';
import { groupsOf } from './anomalyGroups.ts';
import { ExpectedRange } from './ExpectedRange.tsx';
import { Explanation } from './Explanation.tsx';
import { MuteDialog, UnmuteDialog } from './MuteDialogs.tsx';

/** Hours and days whose spend lies outside of what the weeks before lead to expect. */
export const Anomalies = () => {
  const anomalies = useList(['anomalies'], (client, cursor, options) =>
    listAnomalies(client, cursor, options),
  );
  const mute = useDialog('mute-anomaly');
  const unmute = useDialog('unmute-anomaly');
  const canMute = useCan('finance:config');
  const nameOf = (id: string): string => {
    const anomaly = anomalies.data?.find((candidate) => candidate.id === id);
    return anomaly === undefined ? 'the series' : titleOf(anomaly);
  };
  return (
    <Page
      title="Anomalies"
      lead="Spend outside of its expected range, by hour and by day in UTC. The range follows weekdays and growth."
    >
      <Listed of={anomalies} height={420} empty={<NothingFound />}>
        {(rows) => (
          <>
            {groupsOf(rows).map((group) => (
              <Card
                key={group[0].id}
                title={titleOf(group[0])}
                aside={group.length > 1 && <p>{group.length} series of this time, probably of one cause</p>}
              >
                <ul className="rows">
                  {group.map((anomaly) => (
                    <AnomalyRow
                      key={anomaly.id}
                      anomaly={anomaly}
                      isNamed={group.length > 1}
                      {...(canMute && { mute: mute.open, unmute: unmute.open })}
                    />
                  ))}
                </ul>
              </Card>
            ))}
            <CsvButton label="Anomalies" rows={rows} hasMore={anomalies.hasNextPage} />
          </>
        )}
      </Listed>
      <MuteDialog of={mute} name={nameOf(mute.subject)} />
      <UnmuteDialog of={unmute} name={nameOf(unmute.subject)} />
    </Page>
  );
};

/** Without a check, an empty list does not mean that nothing is unusual. */
const NothingFound = () => {
  const { data } = useRead(['anomalies', 'evaluation'], (client, options) =>
    listAnomalies(client, { limit: 1 }, options),
  );
  const checkedAt = data?.evaluated_at;
  return (
    <Card title="Anomalies">
      <Empty
        title={checkedAt ? 'Nothing unusual' : 'Not checked yet'}
        action={<Link href="/explore">Explore the spend</Link>}
      >
        The spend of the tenant, and of each owner, service and model, is compared with its weeks before. A
        week of data is needed. What is unusual appears here, in notifications and in webhooks.{' '}
        {checkedAt ? `Last checked ${formatMoment(checkedAt)}.` : 'A check runs every 15 minutes.'}
      </Empty>
    </Card>
  );
};

const titleOf = ({ dimension, value }: Anomaly): string => value ?? wordFor(dimension);

/** How much of the observed spend has an owner, state by state. */
const ownersText = (spend: NonNullable<Anomaly['observed_by_owner_state']>): string =>
  `Owner: ${Object.entries(spend)
    .map(([state, amount]) => `${wordFor(state).toLowerCase()} ${formatUsd(amount)}`)
    .join(' · ')}`;

const periodText = ({ grain, period }: Anomaly): string =>
  grain === 'hour' ? `${formatMoment(period.from)} – ${formatMoment(period.to)}` : formatDays(period);

const WEEK_MS = 7 * DAY_MS;

/** Hours show in which one an anomaly began. */
const spendLink = (anomaly: Anomaly): string => exploreLink({ ...placeOf(anomaly), interval: 'hour' });

/** What led from the same weekdays, a week or more before, to the cost of the anomaly. */
const whyLink = (anomaly: Anomaly): string => {
  const { from, to } = anomaly.period;
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const weeks = Math.ceil((end - start) / WEEK_MS);
  const group = anomaly.dimension === 'owner' ? ['service' as const] : ['owner' as const];
  return exploreLink({
    ...placeOf(anomaly),
    view: 'change',
    group,
    since: isoDay(start - weeks * WEEK_MS),
  });
};

/** The days and the filter of the explore page. */
const placeOf = ({ dimension, value, period }: Anomaly): Partial<ExploreState> => ({
  from: period.from.slice(0, 10),
  to: isoDay(lastDayOf(period.to)),
  ...(dimension !== 'tenant' && value !== null && { [dimension]: value }),
});

const callsLink = ({ dimension, value, period }: Anomaly): string | null =>
  recordsOf(period, dimension === 'tenant' ? [] : [[dimension, value]], { sort: '-cost_usd' });

interface AnomalyRowProps {
  readonly anomaly: Anomaly;
  /** Whether the row says which series it is. The card of a single one does. */
  readonly isNamed: boolean;
  readonly mute?: (id: string) => void;
  readonly unmute?: (id: string) => void;
}

type LinksProps = Omit<AnomalyRowProps, 'isNamed'>;

const Links = ({ anomaly, mute, unmute }: LinksProps) => {
  const canReadRecords = useCan('read:attribution');
  const calls = callsLink(anomaly);
  const isMuted = anomaly.muted_until !== null;
  const run = isMuted ? unmute : mute;
  return (
    <span className="controls">
      {anomaly.muted_until !== null && (
        <span className="small quiet">Muted until {formatMoment(anomaly.muted_until)}</span>
      )}
      <Link href={whyLink(anomaly)}>Why</Link>
      <Link href={spendLink(anomaly)}>Hours</Link>
      {canReadRecords && calls !== null && <Link href={calls}>Calls</Link>}
      {run !== undefined && (
        <button type="button" className="link" onClick={() => run(anomaly.id)}>
          {isMuted ? 'Unmute' : 'Mute'}
          <span className="visually-hidden"> {titleOf(anomaly)}</span>
        </button>
      )}
    </span>
  );
};

/** A share that is shown as 100 %. */
const ALL = 0.995;

/** What the excess is from. The names that explain all of it are said once, together. */
const Drivers = ({ drivers }: Pick<Anomaly, 'drivers'>) => {
  const [all, parts] = [
    drivers.filter(({ share }) => Number(share) >= ALL),
    drivers.filter(({ share }) => Number(share) < ALL),
  ];
  return (
    <div className="stack small">
      {all.length > 0 && (
        <p>
          <span className="quiet">All of it from</span> {all.map(({ value }) => value).join(' · ')}
        </p>
      )}
      {parts.length > 0 && (
        <dl className="facts">
          {parts.map(({ dimension, value, share }) => (
            <div key={`${dimension}${value}`} className="fact">
              <dt>{wordFor(dimension)}</dt>
              <dd>
                {value} <span className="quiet num">· {formatShare(share)} of the excess</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
};

const AnomalyRow = ({ isNamed, ...row }: AnomalyRowProps) => {
  const { anomaly } = row;
  return (
    <li>
      <div className="stack">
        <div className="line">
          <span>
            {isNamed && <strong>{titleOf(anomaly)} </strong>}
            {anomaly.value !== null && <span className="quiet">{wordFor(anomaly.dimension)}, </span>}
            <span className="quiet">{periodText(anomaly)} </span>
            <Pill tone={anomaly.score >= 2 ? 'bad' : 'warn'}>{anomaly.score.toFixed(1)} × the range</Pill>
          </span>
          <Links {...row} />
        </div>
        <div className="halves">
          <div className="stack">
            <ExpectedRange observed={anomaly.observed_usd} expected={anomaly.expected_usd} />
            <div className="line small num">
              <strong>{formatUsd(anomaly.observed_usd)} observed</strong>
              <span className="quiet">
                {formatUsd(anomaly.expected_usd.central)} expected, range{' '}
                {formatUsd(anomaly.expected_usd.low)} – {formatUsd(anomaly.expected_usd.high)}
              </span>
            </div>
            {anomaly.observed_by_owner_state !== undefined && (
              <span className="sub num">{ownersText(anomaly.observed_by_owner_state)}</span>
            )}
          </div>
          <Drivers drivers={anomaly.drivers} />
        </div>
        <Explanation anomaly={anomaly} name={titleOf(anomaly)} />
      </div>
    </li>
  );
};
