import { Link } from 'wouter';
import { listAttribution } from '../../../../sdk/typescript/src/operations.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Page } from '../../components/Page.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Listed } from '../../components/tables/Listed.tsx';
import { warningText } from '../../format/warnings.ts';
import { SavedViews } from '../../savedViews/SavedViews.tsx';
import { useSettled } from '../../url/useSettled.ts';
import { useUrlState } from '../../url/useUrlState.ts';
import { RecordFilterBar } from './RecordFilterBar.tsx';
import { RecordSums } from './RecordSums.tsx';
import { RecordTable } from './RecordTable.tsx';
import { countOf, queryOf, recordsCodec } from './recordFilters.ts';

/** The calls behind the totals, one row a call. */
export const Records = () => {
  const [filters, change] = useUrlState(recordsCodec);
  const settled = useSettled(filters);
  const records = useList(['records', settled], (client, cursor, options) =>
    listAttribution(client, { ...queryOf(settled), ...cursor, limit: 50 }, options),
  );
  return (
    <Page
      title="Records"
      lead="One row for each call, with its owner, its price and how certain both are. Times in UTC."
      actions={<SavedViews page="records" />}
    >
      <RecordFilterBar filters={filters} change={change} />
      <Card title="Calls">
        <Listed
          of={records}
          height={520}
          empty={
            countOf(filters) === 0 ? (
              <Empty title="No call yet" action={<Link href="/">Send the first event</Link>}>
                Each call appears here within seconds, with the evidence for its owner and its price.
              </Empty>
            ) : (
              <Empty title="No call matches">
                {records.warnings.map((warning) => `${warningText(warning)} `)}
                Change a filter. Totals of reports can include calls that no filter of records shows, such as
                calls of another data-residency lane.
              </Empty>
            )
          }
        >
          {(rows) => (
            <div className="stack">
              <RecordSums filters={settled} rows={rows} hasMore={records.hasNextPage} />
              <RecordTable records={rows} hasMore={records.hasNextPage} />
            </div>
          )}
        </Listed>
      </Card>
    </Page>
  );
};
