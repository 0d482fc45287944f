import { Link } from 'wouter';
import type { ReconciliationRow } from '../../../../sdk/typescript/src/types.ts';
import { Pill } from '../../components/Pill.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatCount, formatUsd } from '../../format/amount.ts';
import { HIDDEN } from '../../format/words.ts';
import { recordsLink } from '../records/recordFilters.ts';
import { differenceText } from './differenceText.ts';

/** A known cost of records. If the price of every call is unknown, so is the cost. */
const Recorded = ({ row, amount }: { row: ReconciliationRow; amount: string }) =>
  row.recorded_usd === null ? <span className="unknown">unknown</span> : formatUsd(amount);

const columns: readonly Column<ReconciliationRow>[] = [
  {
    title: 'Model',
    cell: ({ kind, provider, model }) =>
      kind === 'folded' ? (
        HIDDEN
      ) : (
        <>
          {model ?? 'no model'}
          <span className="sub">{provider}</span>
        </>
      ),
  },
  {
    title: 'Billed',
    right: true,
    cell: ({ billed_usd: billed }) =>
      billed === null ? <span className="quiet">no bill</span> : formatUsd(billed),
    order: ({ billed_usd: billed }) => billed,
  },
  {
    title: 'Attributed',
    right: true,
    cell: (row) => <Recorded row={row} amount={row.attributed_usd} />,
    order: ({ attributed_usd: attributed }) => attributed,
  },
  {
    title: 'Unattributed',
    right: true,
    cell: (row) => <Recorded row={row} amount={row.unattributed_usd} />,
    order: ({ unattributed_usd: unattributed }) => unattributed,
  },
  {
    title: 'Difference',
    right: true,
    cell: ({ difference_usd: difference, recorded_usd: recorded }) =>
      difference === null || recorded === null ? (
        <span className="quiet">not comparable</span>
      ) : (
        differenceText(difference)
      ),
    order: ({ difference_usd: difference }) => difference,
  },
  {
    title: 'Calls',
    right: true,
    cell: ({ invocations }) => formatCount(invocations),
    order: ({ invocations }) => invocations,
  },
  {
    title: 'Note',
    cell: ({
      changed_since_bill: changed,
      unpriced_invocations: unpriced,
      implausible_invocations: implausible,
    }) => (
      <>
        {changed && <Pill tone="warn">changed since the bill</Pill>}
        {unpriced > 0 && <span className="sub unknown">{formatCount(unpriced)} of unknown price</span>}
        {implausible > 0 && (
          <span className="sub">
            {formatCount(implausible)} of them{' '}
            <Link href={recordsLink({ price: 'implausible_cost' })}>wait for a confirmation</Link>: the
            difference may come from them
          </span>
        )}
      </>
    ),
  },
];

export const ModelRows = ({ rows, hasMore }: { rows: readonly ReconciliationRow[]; hasMore: boolean }) => (
  <Table
    label="Models"
    columns={columns}
    rows={rows}
    hasMore={hasMore}
    keyOf={({ kind, provider, model }) => `${kind} ${provider} ${model}`}
  />
);
