import { getCoverage } from '../../../../sdk/typescript/src/operations.ts';
import type { CoverageMap } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Page } from '../../components/Page.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Later } from '../../components/reading/Later.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { NotPermitted } from '../../components/reading/NotPermitted.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatMoment } from '../../format/time.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { CoverageMatrix } from './CoverageMatrix.tsx';
import { ExpectationsDialog } from './ExpectationsDialog.tsx';
import { IntegrationsCard } from './IntegrationsCard.tsx';

type Connector = CoverageMap['connectors'][number];

const connectorColumns: readonly Column<Connector>[] = [
  { title: 'Connector', cell: ({ connector }) => connector },
  {
    title: 'State',
    cell: ({ status }) => (
      <Pill tone={status === 'healthy' ? 'good' : status === 'degraded' ? 'warn' : 'bad'}>{status}</Pill>
    ),
  },
  { title: 'Reported', cell: ({ reported_at: at }) => <Moment at={at} ago /> },
];

/** Which ways to a provider are observed, by which layer, and where use is known but not captured. */
export const Coverage = () => {
  const coverage = useRead(['coverage'], getCoverage);
  const expectations = useDialog('coverage-expectations');
  return (
    <Page
      title="Coverage"
      lead={
        <>
          Which calls are observed, and by what.{' '}
          <Later
            text={coverage.data && `As of ${formatMoment(coverage.data.as_of)}.`}
            sample="As of 30 Sep 2000, 00:00 UTC."
          />
        </>
      }
      actions={
        useCan('admin:config') ? (
          <button type="button" className="button" onClick={() => expectations.open()}>
            Set expectations
          </button>
        ) : (
          <NotPermitted scope="admin:config" to="set expectations" />
        )
      }
    >
      <Card title="Where calls are captured">
        <Loaded of={coverage} height={360}>
          {({ pathways, as_of: asOf }) =>
            pathways.length === 0 ? (
              <Empty title="Nothing captured yet">
                Each way in which calls reach a provider appears here with its first event. Set expectations
                to be warned when one is silent.
              </Empty>
            ) : (
              <CoverageMatrix pathways={pathways} asOf={Date.parse(asOf)} />
            )
          }
        </Loaded>
      </Card>
      {coverage.data !== undefined && coverage.data.connectors.length > 0 && (
        <Card title="Connectors">
          <Table
            label="Connectors"
            columns={connectorColumns}
            rows={coverage.data.connectors}
            keyOf={({ connector }) => connector}
          />
        </Card>
      )}
      {coverage.data !== undefined && <IntegrationsCard integrations={coverage.data.integrations} />}
      {coverage.data !== undefined && (
        <ExpectationsDialog of={expectations} pathways={coverage.data.pathways} />
      )}
    </Page>
  );
};
