import type { Integration } from '../../../../sdk/typescript/src/types.ts';
import { Card } from '../../components/Card.tsx';
import { Copyable } from '../../components/Copyable.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Pill } from '../../components/Pill.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { wordFor } from '../../format/words.ts';
import { Dialog } from '../../forms/Dialog.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { integrationTone } from './coverageState.ts';

/** Every way to send calls: whether it works, and how to enable it. */
export const IntegrationsCard = ({ integrations }: { integrations: readonly Integration[] }) => {
  const setup = useDialog('integration-setup');
  const chosen = integrations.find(({ integration }) => integration === setup.subject);
  const columns: readonly Column<Integration>[] = [
    {
      title: 'Integration',
      cell: ({ integration, source_systems: systems }) => (
        <>
          {wordFor(integration)}
          {systems.length > 0 && <span className="sub">{systems.join(', ')}</span>}
        </>
      ),
    },
    {
      title: 'State',
      cell: ({ status }) => <Pill tone={integrationTone[status]}>{wordFor(status).toLowerCase()}</Pill>,
    },
    {
      title: 'Last event',
      cell: ({ last_seen: at }) =>
        at === null ? <span className="quiet">none</span> : <Moment at={at} ago />,
    },
    {
      title: 'How to enable',
      cell: ({ integration }) => (
        <button
          type="button"
          className="link"
          aria-label={`Set up ${wordFor(integration)}`}
          onClick={() => setup.open(integration)}
        >
          Set up
        </button>
      ),
    },
  ];
  return (
    <Card title="Integrations">
      <Table
        label="Integrations"
        columns={columns}
        rows={integrations}
        keyOf={({ integration }) => integration}
      />
      {chosen !== undefined && (
        <Dialog title={`Set up ${wordFor(chosen.integration)}`} isWide close={setup.close}>
          <p>{chosen.setup.instruction} Replace YOUR_INGEST_KEY by a key that may send events.</p>
          <Copyable text={chosen.setup.snippet} label="the snippet" />
          <footer>
            <button type="button" className="button" onClick={setup.close}>
              Close
            </button>
          </footer>
        </Dialog>
      )}
    </Card>
  );
};
