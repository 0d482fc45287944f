import { getReconciliation } from '../../../../sdk/typescript/src/operations.ts';
import { useRead } from '../../api/useRead.ts';
import { Callout } from '../../components/Callout.tsx';
import { Card } from '../../components/Card.tsx';
import { Page } from '../../components/Page.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Later } from '../../components/reading/Later.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { formatDays, formatMoment } from '../../format/time.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { BillCoverageNote } from './BillCoverageNote.tsx';
import { BillSourcesCard } from './BillSourcesCard.tsx';
import { DifferenceParts } from './DifferenceParts.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { ImportedBillsCard } from './ImportedBillsCard.tsx';
import { ModelRows } from './ModelRows.tsx';
import { SuggestedPricesCard } from './SuggestedPricesCard.tsx';
import './reconciliation.css';

/** What providers billed against what was recorded, and where the difference comes from. */
export const ReconciliationPage = () => {
  const reading = useRead(['reconciliation'], (client, options) =>
    getReconciliation(client, { limit: 200 }, options),
  );
  const upload = useDialog('import-bills');
  const canImport = useCan('finance:config');
  const report = reading.data;
  return (
    <Page
      title="Reconciliation"
      lead={
        <>
          Bills against records{' '}
          <Later
            text={report && `of ${formatDays(report.period)} in UTC.`}
            sample="30 Sep 2000 – 30 Sep 2000 in UTC."
          />
        </>
      }
      actions={
        canImport && (
          <button type="button" className="button primary" onClick={() => upload.open()}>
            Import bills
          </button>
        )
      }
    >
      {report?.as_of.billed === null && (
        <Callout tone="note">
          <strong>No bill is imported yet.</strong> Import the FOCUS rows of your providers to compare them
          with the records.
        </Callout>
      )}
      {report !== undefined && report.as_of.billed !== null && report.stale && (
        <Callout>
          The bills end{' '}
          {report.as_of.billed_until === null
            ? 'at an unknown time'
            : formatMoment(report.as_of.billed_until)}
          . The newest days cannot be compared yet.
        </Callout>
      )}
      {report !== undefined && <BillCoverageNote coverage={report.bill_coverage} />}
      <Loaded of={reading} height={520}>
        {({ totals, data, page, suggested_prices: suggested }) =>
          data.length === 0 ? (
            <Card title="Models">
              <Empty title="Nothing to compare">Send events, then import the bills of the same days.</Empty>
            </Card>
          ) : (
            <>
              <Card title="Where the difference comes from">
                <DifferenceParts totals={totals} />
              </Card>
              {suggested.length > 0 && <SuggestedPricesCard suggestions={suggested} />}
              <Card title="By provider and model">
                <ModelRows rows={data} hasMore={page.next_cursor !== null} />
              </Card>
            </>
          )
        }
      </Loaded>
      {canImport && <BillSourcesCard />}
      <ImportedBillsCard />
      <ImportDialog of={upload} />
    </Page>
  );
};
