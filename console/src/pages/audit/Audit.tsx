import { listAuditLog } from '../../../../sdk/typescript/src/operations.ts';
import type { AuditEntry } from '../../../../sdk/typescript/src/types.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Page } from '../../components/Page.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Segments } from '../../components/Segments.tsx';
import { ListTable } from '../../components/tables/ListTable.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import { formatCount } from '../../format/amount.ts';
import { choice, codec, text } from '../../url/codec.ts';
import { useUrlState } from '../../url/useUrlState.ts';
import { useNames } from './useNames.ts';

const auditCodec = codec({
  outcome: choice(['all', 'succeeded', 'refused'], 'all'),
  actor: text(),
  resource: text(),
});

const OUTCOMES = [
  { value: 'all', label: 'All' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'refused', label: 'Refused' },
] as const;

/** Enough of an id to tell two apart at a glance. Its title has all of it. */
const shortId = (id: string): string => (id.length > 20 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id);

interface IdButtonProps {
  readonly id: string;
  readonly name: string | undefined;
  readonly title: string;
  readonly choose: (id: string) => void;
}

/** Shows the entries of one id. Without a name, it shows the id. */
const IdButton = ({ id, name, title, choose }: IdButtonProps) => (
  <button
    type="button"
    className={name === undefined ? 'link mono' : 'link'}
    title={`${title}: ${id}`}
    onClick={() => choose(id)}
  >
    {name ?? shortId(id)}
  </button>
);

/** Who changed what, and what was refused. */
export const Audit = () => {
  const [{ outcome, actor, resource }, change] = useUrlState(auditCodec);
  const entries = useList(['audit', outcome, actor, resource], (client, cursor, options) =>
    listAuditLog(
      client,
      {
        ...cursor,
        ...(outcome !== 'all' && { outcome }),
        ...(actor !== '' && { actor }),
        ...(resource !== '' && { resource }),
      },
      options,
    ),
  );
  const names = useNames();
  const columns: readonly Column<AuditEntry>[] = [
    { title: 'Time (UTC)', cell: ({ at }) => <Moment at={at} bare /> },
    { title: 'Action', cell: ({ action }) => <span className="mono">{action}</span> },
    {
      title: 'Who',
      cell: ({ actor: { type, id } }) => (
        <IdButton
          id={id}
          name={type === 'operator' ? 'operator' : names.get(id)}
          title="Show this actor only"
          choose={(chosen) => change({ actor: chosen })}
        />
      ),
    },
    {
      title: 'Resource',
      cell: ({ resource: id }) =>
        id === null ? (
          <span className="quiet">none</span>
        ) : (
          <IdButton
            id={id}
            name={names.get(id)}
            title="Show this resource only"
            choose={(chosen) => change({ resource: chosen })}
          />
        ),
    },
    {
      title: 'Outcome',
      cell: ({ outcome: own, error_code: code }) => (
        <>
          <Pill tone={own === 'succeeded' ? 'good' : 'bad'}>{own}</Pill>
          {code !== null && <span className="sub mono">{code}</span>}
        </>
      ),
    },
    {
      title: 'Changes',
      cell: ({ changes, more_changes: more }) =>
        changes.length === 0 ? (
          <span className="quiet">none</span>
        ) : (
          <details>
            <summary>{formatCount(changes.length + more)}</summary>
            <ul className="rows small">
              {changes.map(({ pointer, before, after }) => (
                <li key={pointer}>
                  <span className="mono">{pointer.slice(1)}</span>
                  <span className="sub">
                    {before ?? 'none'} → {after ?? 'none'}
                  </span>
                </li>
              ))}
              {more > 0 && <li className="quiet">and {formatCount(more)} more</li>}
            </ul>
          </details>
        ),
    },
    { title: 'From', cell: ({ source_ip: address }) => address ?? <span className="quiet">unknown</span> },
  ];
  return (
    <Page
      title="Audit log"
      lead="Who changed what, who read single calls, and what was refused."
      actions={
        <>
          {(actor !== '' || resource !== '') && (
            <button type="button" className="button" onClick={() => change({ actor: '', resource: '' })}>
              Show everybody and everything
            </button>
          )}
          <Segments
            label="Outcome"
            options={OUTCOMES}
            value={outcome}
            onChange={(next) => change({ outcome: next })}
          />
        </>
      }
    >
      <Card title="Entries">
        <ListTable
          of={entries}
          height={520}
          label="Entries"
          columns={columns}
          keyOf={({ id }) => id}
          empty={<p className="quiet small">No entry matches.</p>}
        />
      </Card>
    </Page>
  );
};
