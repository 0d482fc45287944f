import { listPeriods } from '../../../../sdk/typescript/src/operations.ts';
import type { Period } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { changeText } from '../../charts/comparison.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { NotPermitted } from '../../components/reading/NotPermitted.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import type { Tone } from '../../components/tone.ts';
import { formatUsd, plural } from '../../format/amount.ts';
import { principalKind } from '../../format/words.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { useNames } from '../audit/useNames.ts';
import { ClosePeriodDialog, ReopenPeriodDialog } from './PeriodDialogs.tsx';
import { actionsIn, adjustmentOf, foldPeriods, monthText } from './periodState.ts';

const stateTone: Readonly<Record<Period['state'], Tone>> = {
  open: 'plain',
  closed: 'good',
  adjusted: 'warn',
};

const signed = (difference: string): string => changeText({ difference, relative: null }, 'cost');

const columnsOf = (names: ReadonlyMap<string, string>): readonly Column<Period>[] => [
  { title: 'Month', cell: ({ period }) => monthText(period) },
  { title: 'State', cell: ({ state }) => <Pill tone={stateTone[state]}>{state}</Pill> },
  {
    title: 'Closed',
    cell: ({ closed }) =>
      closed === null ? (
        <span className="quiet">not yet</span>
      ) : (
        <>
          <Moment at={closed.at} />
          <span className="sub" title={closed.by}>
            by {names.get(closed.by) ?? principalKind(closed.by)}
          </span>
        </>
      ),
  },
  {
    title: 'Closed cost',
    right: true,
    cell: ({ closed }) =>
      closed === null ? (
        <span className="quiet">follows the records</span>
      ) : (
        <>
          {formatUsd(closed.sums.cost_usd)}
          <span className="sub">{plural(closed.sums.records, 'call')}</span>
        </>
      ),
  },
  {
    title: 'Adjustment',
    right: true,
    cell: (row) => {
      const { adjustments } = row;
      if (adjustments.length === 0) return <span className="quiet">none</span>;
      return (
        <>
          {signed(adjustmentOf(row) ?? '0')}
          {adjustments.map(({ booked_in: month, sums }) => (
            <span key={month} className="sub">
              {signed(sums.cost_usd)} in the exports of {monthText(month)}
            </span>
          ))}
        </>
      );
    },
  },
];

/** `11 more months, open`. */
const foldedText = (periods: readonly Period[]): string =>
  `${plural(periods.length, 'more month')}, ${[...new Set(periods.map(({ state }) => state))].join(' or ')}`;

/** Which months are closed, by whom, and what they have changed by since. */
export const PeriodsCard = () => {
  // All of them on one page: what can be closed or reopened follows from the others.
  const periods = useRead(['periods'], (client, options) => listPeriods(client, { limit: 200 }, options));
  const names = useNames();
  const close = useDialog('close-period');
  const reopen = useDialog('reopen-period');
  const canClose = useCan('finance:config');
  const actionsOf = (items: readonly Period[]) => {
    const { closable, reopenable } = actionsIn(items, Date.now());
    return ({ period }: Period): readonly RowAction[] => {
      const subject = monthText(period);
      if (closable.has(period)) return [{ label: 'Close', subject, run: () => close.open(period) }];
      if (period !== reopenable) return [];
      return [{ label: 'Reopen', subject, isDanger: true, run: () => reopen.open(period) }];
    };
  };
  return (
    <Card title="Billing periods" aside={<p>UTC months</p>}>
      <div className="stack">
        <p className="small quiet">
          The exports of a closed month stay the same. What changes later is a correction in the next open
          month.
        </p>
        <Loaded of={periods} height={420}>
          {({ data, page }) => {
            const { shown, folded } = foldPeriods(data, actionsIn(data, Date.now()));
            const tableOf = (label: string, rows: readonly Period[]) => (
              <Table
                label={label}
                columns={columnsOf(names)}
                rows={rows}
                hasMore={page.next_cursor !== null}
                keyOf={({ period }) => period}
                actions={canClose ? actionsOf(data) : undefined}
              />
            );
            return (
              <>
                {tableOf('Billing periods', shown)}
                {folded.length > 0 && (
                  <details>
                    <summary>{foldedText(folded)}</summary>
                    {tableOf('Other billing periods', folded)}
                  </details>
                )}
              </>
            );
          }}
        </Loaded>
        {!canClose && <NotPermitted scope="finance:config" to="close a month" />}
      </div>
      <ClosePeriodDialog of={close} />
      <ReopenPeriodDialog of={reopen} />
    </Card>
  );
};
