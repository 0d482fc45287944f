import { listBillSources, listBills } from '../../../../sdk/typescript/src/operations.ts';
import type { BillDelivery } from '../../../../sdk/typescript/src/types.ts';
import { everyRow, useList, useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { ListTable } from '../../components/tables/ListTable.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import { formatCount, formatUsd } from '../../format/amount.ts';
import { formatDays } from '../../format/time.ts';
import { principalKind, wordFor } from '../../format/words.ts';
import { useCan } from '../../session/session.ts';

const STATES: Readonly<Record<string, string>> = {
  open: 'open, not counted',
  expired: 'expired, not counted',
};

const stateOf = ({ mode, state }: BillDelivery): string =>
  STATES[state] ?? (mode === 'merge' ? 'merged' : 'complete');

const columnsOf = (sources: ReadonlyMap<string, string>): readonly Column<BillDelivery>[] => [
  {
    title: 'Bill',
    cell: ({ provider, account }) => (
      <>
        {provider === null ? 'several providers' : wordFor(provider)}
        <span className="sub">{account ?? 'no account named'}</span>
      </>
    ),
  },
  { title: 'Days (UTC)', cell: formatDays },
  {
    title: 'Usage',
    right: true,
    cell: ({ billed_usd: billed, exchanged = [] }) => (
      <>
        {formatUsd(billed)}
        {exchanged.map(({ currency, billed: amount, billed_usd: usd, source }) => (
          <span className="sub" key={`${currency} ${source}`} title={`Rates: ${source}`}>
            {amount} {currency} were {formatUsd(usd)}
          </span>
        ))}
      </>
    ),
  },
  {
    title: 'Taxes, credits and others',
    right: true,
    cell: ({ other_charges_usd: other }) =>
      other === '0' ? <span className="quiet">none</span> : formatUsd(other),
  },
  {
    title: 'Rows',
    right: true,
    cell: ({ rows, rejected_rows: rejected }) => (
      <>
        {formatCount(rows)}
        {rejected > 0 && <span className="sub">{formatCount(rejected)} not read</span>}
      </>
    ),
  },
  { title: 'State', cell: stateOf },
  { title: 'Arrived', cell: ({ imported_at: at }) => <Moment at={at} /> },
  {
    title: 'Imported by',
    cell: ({ source_id: source, imported_by: by }) =>
      source === null ? (
        <span title={by ?? undefined}>{principalKind(by)}</span>
      ) : (
        (sources.get(source) ?? <span title={source}>a bill source</span>)
      ),
  },
];

/** The deliveries of bills: what they contain, who sent them, and whether they count. */
export const ImportedBillsCard = () => {
  const bills = useList(['bills'], (client, cursor, options) =>
    listBills(client, { limit: 20, ...cursor }, options),
  );
  const sources = useRead(
    ['bill-sources'],
    (client, options) => everyRow(listBillSources(client, {}, options)),
    { enabled: useCan('finance:config') },
  );
  const names = new Map(sources.data?.map(({ id, name }) => [id, name]));
  return (
    <Card title="Imported bills" aside={<p>newest billed day first</p>}>
      <ListTable
        of={bills}
        height={160}
        label="Imported bills"
        columns={columnsOf(names)}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No bill yet">
            Each delivery appears here with its account, its days, its sender and its state. A source has one
            entry for each day.
          </Empty>
        }
      />
    </Card>
  );
};
