import { getUsageReport } from '../../../../sdk/typescript/src/operations.ts';
import type { AttributionRecord } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { useCan } from '../../session/session.ts';
import { Remarks } from '../explore/Remarks.tsx';
import type { RecordFilters } from './recordFilters.ts';
import { reportOf, sumsOfRows, sumsText } from './recordSums.ts';

interface RecordSumsProps {
  readonly filters: RecordFilters;
  /** The loaded ones. */
  readonly rows: readonly AttributionRecord[];
  readonly hasMore: boolean;
}

/** The number and the cost of all calls that match: from a report where only some are loaded. */
export const RecordSums = ({ filters, rows, hasMore }: RecordSumsProps) => {
  const report = reportOf(filters);
  const canRead = useCan('read:reporting');
  const isReported = hasMore && canRead && typeof report !== 'string';
  const { data } = useRead(
    ['usage', 'records', JSON.stringify(report)],
    (client, options) => getUsageReport(client, typeof report === 'string' ? { limit: 1 } : report, options),
    { enabled: isReported },
  );
  if (isReported && data !== undefined)
    return (
      <>
        <p className="small">
          All that match:{' '}
          <strong className="num">{sumsText(data.totals, data.undetermined_invocations)}</strong>
        </p>
        <Remarks report={data} />
      </>
    );
  return (
    <p className="small">
      {hasMore ? 'Loaded so far: ' : 'All that match: '}
      <strong className="num">{sumsText(sumsOfRows(rows))}</strong>
      {hasMore && typeof report === 'string' && <span className="quiet"> {report}</span>}
    </p>
  );
};
