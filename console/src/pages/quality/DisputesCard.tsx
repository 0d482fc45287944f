import { Link } from 'wouter';
import { listDisputes } from '../../../../sdk/typescript/src/operations.ts';
import type { AttributionRecord } from '../../../../sdk/typescript/src/types.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Segments } from '../../components/Segments.tsx';
import { ListTable } from '../../components/tables/ListTable.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import { formatUsd } from '../../format/amount.ts';
import { choice, codec } from '../../url/codec.ts';
import { useUrlState } from '../../url/useUrlState.ts';

const qualityCodec = codec({ disputes: choice(['open', 'resolved'], 'open') });

const STATUSES = [
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
] as const;

const proposal = ({ dispute }: AttributionRecord): string =>
  [dispute?.proposed_owner ?? null, dispute?.proposed_service ?? null]
    .filter((name) => name !== null)
    .join(' · ');

const columns: readonly Column<AttributionRecord>[] = [
  {
    title: 'Opened (UTC)',
    cell: ({ id, dispute }) => (
      <Link href={`/records/${encodeURIComponent(id)}`}>
        {dispute === undefined ? 'Record' : <Moment at={dispute.opened_at} bare />}
      </Link>
    ),
  },
  { title: 'Reason', cell: ({ dispute }) => dispute?.reason },
  {
    title: 'Owner and service now',
    cell: ({ owner, service }) => (
      <>
        {owner ?? <span className="unknown">nobody named</span>}
        <span className="sub">{service ?? 'no service'}</span>
      </>
    ),
  },
  {
    title: 'Proposed',
    cell: (record) => proposal(record) || <span className="quiet">no proposal</span>,
  },
  {
    title: 'Cost',
    right: true,
    cell: ({ cost_usd: cost }) => <span className={cost === null ? 'unknown' : ''}>{formatUsd(cost)}</span>,
  },
];

/** The records whose attribution somebody disputes. Each leads to its evidence, where an override resolves the dispute. */
export const DisputesCard = () => {
  const [{ disputes: status }, change] = useUrlState(qualityCodec);
  const disputes = useList(['disputes', status], (client, cursor, options) =>
    listDisputes(client, { status, limit: 20, ...cursor }, options),
  );
  return (
    <Card
      title="Disputes"
      aside={
        <Segments
          label="Status"
          options={STATUSES}
          value={status}
          onChange={(next) => change({ disputes: next })}
        />
      }
    >
      <ListTable
        of={disputes}
        height={160}
        label="Disputes"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title={status === 'open' ? 'No open dispute' : 'No resolved dispute'}>
            An administrator disputes a call on the page of its record. An override resolves the dispute.
          </Empty>
        }
      />
    </Card>
  );
};
