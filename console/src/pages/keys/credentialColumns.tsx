import { Moment } from '../../components/Moment.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import { LaneOfCredential } from './LaneField.tsx';

interface Credential {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly residency: string | null;
  readonly last_used_at: string | null;
}

/** The columns that API keys and OAuth clients have alike. */
export const nameColumn = <Row extends Credential>(idOf: (row: Row) => string): Column<Row> => ({
  title: 'Name',
  cell: (row) => (
    <>
      {row.name}
      <span className="sub mono">{idOf(row)}</span>
    </>
  ),
  order: ({ name }) => name,
});

export const scopesColumn: Column<Credential> = {
  title: 'Scopes',
  cell: ({ scopes, residency }) => (
    <>
      <span className="small">{scopes.join(', ')}</span>
      <LaneOfCredential lane={residency} />
    </>
  ),
};

export const lastUsedColumn: Column<Credential> = {
  title: 'Last used',
  cell: ({ last_used_at: at }) =>
    at === null ? <span className="quiet">never</span> : <Moment at={at} ago />,
  order: ({ last_used_at: at }) => at,
};
