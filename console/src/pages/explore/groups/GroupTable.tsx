import { Link } from 'wouter';
import { changeSince } from '../../../../../sdk/shared/comparison.ts';
import { sum } from '../../../../../sdk/shared/decimal.ts';
import type { UsageReport } from '../../../../../sdk/typescript/src/types.ts';
import { changeText } from '../../../charts/comparison.ts';
import { measureNames, nameOfDimension } from '../../../charts/usage.ts';
import { Card } from '../../../components/Card.tsx';
import { Empty } from '../../../components/reading/Empty.tsx';
import { Loaded } from '../../../components/reading/Loaded.tsx';
import { type Column, Table } from '../../../components/tables/Table.tsx';
import { formatAmount, formatCount, formatRange, formatShareOf } from '../../../format/amount.ts';
import { selectionText } from '../../../format/selectionText.ts';
import { useCan } from '../../../session/session.ts';
import { type ExploreState, withFilters } from '../exploreState.ts';
import { nameOfGroup } from './nameOfGroup.ts';
import { recordsPath } from './recordsPath.ts';
import { type GroupSummary, summarize } from './regroup.ts';

interface GroupTableProps {
  readonly state: ExploreState;
  readonly totals: { data: UsageReport | undefined; error: Error | null; refetch: () => unknown };
  readonly change: (members: Partial<ExploreState>) => void;
}

/** The groups over the whole period, with the change from the period before. A name filters, the link opens the calls. */
export const GroupTable = ({ state, totals, change }: GroupTableProps) => {
  const { group, measure } = state;
  const canReadRecords = useCan('read:attribution');
  // A family is several models, and a filter is one.
  const canFilter = !group.includes('model_family');
  const columnsOf = (report: UsageReport, rows: readonly GroupSummary[]): readonly Column<GroupSummary>[] => {
    const all = sum(rows.map(({ central }) => central));
    const folded = rows.filter(({ kind }) => kind === 'folded');
    const hidden = sum(folded.map(({ central }) => central));
    const hiddenBefore = sum(folded.map(({ previous }) => previous));
    return [
      {
        title: group.map(nameOfDimension).join(' and '),
        cell: ({ kind, values }) =>
          kind === 'named' && canFilter && values.some((value) => value !== null) ? (
            <button
              type="button"
              className="link"
              onClick={() =>
                change(
                  withFilters(
                    state,
                    group.map((dimension, index) => [dimension, values[index] ?? null]),
                  ),
                )
              }
            >
              {nameOfGroup({ kind, values }, group)}
            </button>
          ) : (
            nameOfGroup({ kind, values }, group)
          ),
        order: ({ kind, values }) => nameOfGroup({ kind, values }, group),
      },
      {
        title: measureNames[measure],
        right: true,
        cell: ({ central }) => (
          <span className={central === null ? 'unknown' : ''}>{formatAmount(central, measure)}</span>
        ),
        order: ({ central }) => central,
      },
      {
        title: 'Share',
        right: true,
        cell: ({ kind, central }) => formatShareOf(central, all, kind === 'folded' ? null : hidden),
      },
      { title: 'Range', right: true, cell: ({ low, high }) => formatRange(low, high, measure) },
      {
        title: 'Change',
        right: true,
        cell: ({ kind, previous: past, central }) => {
          const others = kind === 'folded' || folded.length === 0;
          const change = changeSince(
            report,
            central,
            past,
            others ? undefined : { now: hidden, before: hiddenBefore },
          );
          return change === null ? <span className="quiet">not known</span> : changeText(change, measure);
        },
      },
      {
        title: 'Calls',
        right: true,
        cell: ({ invocations }) => formatCount(invocations),
        order: ({ invocations }) => invocations,
      },
      {
        title: 'Tokens',
        right: true,
        cell: ({ tokens }) => formatCount(tokens),
        order: ({ tokens }) => tokens,
      },
      {
        title: 'Unknown',
        right: true,
        cell: ({ unknown }) =>
          unknown === 0 ? (
            <span className="quiet">none</span>
          ) : (
            <span className="unknown">{formatCount(unknown)}</span>
          ),
        order: ({ unknown }) => unknown,
      },
      {
        title: 'Open',
        isAction: true,
        cell: ({ kind, values }) => {
          const href =
            kind === 'named' || kind === 'nobody' ? recordsPath(state, report.period, values) : null;
          return (
            canReadRecords &&
            href !== null && (
              <Link className="link" href={href}>
                Calls
              </Link>
            )
          );
        },
      },
    ];
  };
  return (
    <Card title="Groups" aside={<p>over the whole period</p>}>
      <Loaded of={totals} height={320}>
        {(report) => {
          const rows = summarize(report.data, group, measure);
          return rows.length === 0 ? (
            <Empty title="No group">Groups appear here with the calls of the period.</Empty>
          ) : (
            <Table
              label="Groups"
              columns={columnsOf(report, rows)}
              rows={rows}
              source={report.data}
              sumOf={(chosen) => selectionText(chosen, measure)}
              keyOf={({ key }) => key}
            />
          );
        }}
      </Loaded>
    </Card>
  );
};
