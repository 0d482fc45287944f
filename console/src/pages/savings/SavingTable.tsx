import { Link } from 'wouter';
import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { Saving, SavingsReport } from '../../../../sdk/typescript/src/types.ts';
import { Pill } from '../../components/Pill.tsx';
import { type RowAction, RowActions } from '../../components/tables/RowActions.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatRange } from '../../format/amount.ts';
import { useCan } from '../../session/session.ts';
import { exploreLink } from '../explore/exploreState.ts';
import { recordsOf } from '../explore/groups/recordsPath.ts';
import { daysOf, type RecordFilters } from '../records/recordFilters.ts';
import { DismissalNote } from './DismissalNote.tsx';
import { SavingEvidence } from './SavingEvidence.tsx';
import { SavingNames } from './SavingNames.tsx';
import { keyOf, NAMES, type Name } from './savingsState.ts';
import { energyText, realisedText, titleOf } from './savingText.ts';

interface SavingTableProps {
  readonly rows: readonly Saving[];
  readonly period: SavingsReport['period'];
  readonly choose: (name: Name, value: string) => void;
  /** The buttons of a row. */
  readonly actions: (row: Saving) => readonly RowAction[];
}

const columnsOf = (choose: SavingTableProps['choose']): readonly Column<Saving>[] => [
  {
    title: 'Suggestion',
    cell: (row) => (
      <>
        {titleOf(row)}
        <SavingNames row={row} choose={choose} />
        <DismissalNote row={row} />
      </>
    ),
    order: titleOf,
  },
  {
    title: 'Saves in 30 days',
    right: true,
    cell: (row) => (
      <>
        {magnitude(row.high_usd) === 0 ? (
          <span className="quiet">nothing more</span>
        ) : (
          <strong>{formatRange(row.low_usd, row.high_usd, 'cost')}</strong>
        )}
        {row.realised.unknown === null && <span className="sub">{realisedText(row)}</span>}
      </>
    ),
    order: ({ high_usd: high }) => high,
  },
  {
    title: 'Energy in 30 days',
    cell: (row) => <span className={row.energy_wh === null ? 'unknown' : 'num'}>{energyText(row)}</span>,
  },
  {
    title: 'Confidence',
    cell: ({ confidence }) => <Pill tone={confidence === 'low' ? 'warn' : 'accent'}>{confidence}</Pill>,
  },
  { title: 'Rests on', cell: (row) => <SavingEvidence row={row} /> },
];

/** Suggestions with their figures. A name filters, the links open the calls. */
export const SavingTable = ({ rows, period, choose, actions }: SavingTableProps) => {
  const canReadRecords = useCan('read:attribution');
  const columns: readonly Column<Saving>[] = [
    ...columnsOf(choose),
    {
      title: 'Open',
      isAction: true,
      cell: (row) => (
        <>
          <Links row={row} period={period} canReadRecords={canReadRecords} />
          <RowActions actions={actions(row)} />
        </>
      ),
    },
  ];
  return <Table label="Savings" columns={columns} rows={rows} keyOf={keyOf} />;
};

/** The calls that a suggestion is about, among those of its names. The longest calls cost most. */
const callsOf: Partial<Record<Saving['saving'], Partial<RecordFilters>>> = {
  failed_calls: { outcome: 'error', sort: '-cost_usd' },
  long_context: { sort: '-cost_usd' },
};

interface LinksProps extends Pick<SavingTableProps, 'period'> {
  readonly row: Saving;
  readonly canReadRecords: boolean;
}

/** The pages with the calls of a suggestion. A group that has a hidden name has none. */
const Links = ({ row, period, canReadRecords }: LinksProps) => {
  const names = NAMES.map((name) => [name, row[name]] as const);
  const known = names.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  if (row.kind !== 'group' || known.length < names.length) return null;
  const records = canReadRecords ? recordsOf(period, known, callsOf[row.saving]) : null;
  const named = known.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return (
    <>
      {records !== null && (
        <Link className="link" href={records}>
          Calls
        </Link>
      )}
      {/* Explore filters by names only. */}
      {named.length === known.length && (
        <Link
          className="link"
          href={exploreLink({ ...daysOf(period), ...Object.fromEntries(named), group: ['served_model'] })}
        >
          Explore
        </Link>
      )}
    </>
  );
};
