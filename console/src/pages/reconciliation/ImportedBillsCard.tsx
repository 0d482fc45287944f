import { listBillSources, listBills } from '../../../../sdk/typescript/src/operations.ts';
import type { BillImport } from '../../../../sdk/typescript/src/types.ts';
import { everyRow, useList, useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Moment } from '../../components/Moment.tsx';
import { More } from '../../components/More.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { formatCount, formatUsd } from '../../format/amount.ts';
import { formatDayOfYear, lastDayOf } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import { useCan } from '../../session/session.ts';

const SENDERS: Readonly<Record<string, string>> = {
  usr: 'a user',
  key: 'an API key',
  cli: 'an OAuth client',
};

const daysOf = ({ from, to }: BillImport): string => {
  const [first, last] = [formatDayOfYear(from), formatDayOfYear(lastDayOf(to))];
  return first === last ? first : `${first} – ${last}`;
};

const keyOf = (entry: BillImport): string =>
  [entry.to, entry.provider, entry.account, entry.imported_at, entry.source_id, entry.imported_by].join();

const columnsOf = (sources: ReadonlyMap<string, string>): readonly Column<BillImport>[] => [
  {
    title: 'Bill',
    cell: ({ provider, account }) => (
      <>
        {provider === null ? 'several providers' : wordFor(provider)}
        <span className="sub">{account ?? 'no account named'}</span>
      </>
    ),
  },
  { title: 'Days (UTC)', cell: daysOf },
  { title: 'Usage', right: true, cell: ({ billed_usd: billed }) => formatUsd(billed) },
  {
    title: 'Taxes, credits and others',
    right: true,
    cell: ({ other_charges_usd: other }) =>
      other === '0' ? <span className="quiet">none</span> : formatUsd(other),
  },
  { title: 'Rows', right: true, cell: ({ rows }) => formatCount(rows) },
  { title: 'Arrived', cell: ({ imported_at: at }) => <Moment at={at} /> },
  {
    title: 'Imported by',
    cell: ({ source_id: source, imported_by: by }) =>
      source === null ? (
        <span title={by ?? undefined}>{SENDERS[by?.slice(0, 3) ?? ''] ?? 'unknown'}</span>
      ) : (
        (sources.get(source) ?? <span title={source}>a bill source</span>)
      ),
  },
];

/** What was imported, by whom, and when it arrived. */
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
      <Loaded of={bills} height={160}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No bill yet">
              Each import appears here with its account, its days and its sender. A source has one entry for
              each day.
            </Empty>
          ) : (
            <>
              <Table label="Imported bills" columns={columnsOf(names)} rows={rows} keyOf={keyOf} />
              <More of={bills} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
};
