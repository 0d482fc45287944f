import { getMetricCosts } from '../../../../../sdk/typescript/src/operations.ts';
import type { MetricCost } from '../../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../../api/useRead.ts';
import { PAGE_ROWS, wholeReport } from '../../../api/wholeReport.ts';
import { Card } from '../../../components/Card.tsx';
import { Loaded } from '../../../components/reading/Loaded.tsx';
import { type Column, Table } from '../../../components/tables/Table.tsx';
import { formatCount, formatUsd, plural } from '../../../format/amount.ts';
import { isoDay } from '../../../format/time.ts';
import { useDialog } from '../../../forms/useDialog.ts';
import { useCan } from '../../../session/session.ts';
import { DeleteMetricDialog, SendNumbersDialog } from './MetricDialogs.tsx';
import { metricRange, scopeOfMetric } from './metricText.ts';

const columns: readonly Column<MetricCost>[] = [
  {
    title: 'Metric',
    cell: (row) => (
      <>
        {row.name}
        <span className="sub">{scopeOfMetric(row)}</span>
      </>
    ),
    order: ({ name }) => name,
  },
  {
    title: 'Units',
    right: true,
    cell: ({ units, days, days_without_number: without }) => (
      <>
        {units === null ? <span className="unknown">unknown</span> : formatCount(Number(units))}
        <span className="sub">
          of {plural(days, 'day')}
          {without > 0 && `, ${without} without a number`}
        </span>
      </>
    ),
    order: ({ units }) => units,
  },
  {
    title: 'Cost of these days',
    right: true,
    cell: ({ cost_usd: cost, unpriced_invocations: unpriced }) => (
      <>
        <span className={cost === null ? 'unknown' : ''}>{formatUsd(cost)}</span>
        {unpriced > 0 && <span className="sub">{formatCount(unpriced)} of unknown cost</span>}
      </>
    ),
    order: ({ cost_usd: cost }) => cost,
  },
  {
    title: 'A unit',
    right: true,
    cell: (row) => (
      <>
        <strong className={row.cost_per_unit_usd === null ? 'unknown' : ''}>
          {formatUsd(row.cost_per_unit_usd)}
        </strong>
        <span className="sub">{metricRange(row)}</span>
      </>
    ),
    order: ({ cost_per_unit_usd: cost }) => cost,
  },
];

/** What a unit of each business metric costs, such as a ticket that was solved. */
export const BusinessMetrics = ({ range }: { range: { readonly from: number; readonly to: number } }) => {
  const [from, to] = [isoDay(range.from), isoDay(range.to)];
  const report = useRead(['metric-costs', from, to], (client, options) =>
    wholeReport(getMetricCosts(client, { from, to, limit: PAGE_ROWS }, options)),
  );
  const canSend = useCan('finance:config');
  const send = useDialog('send-metric-numbers');
  const remove = useDialog('delete-metric');
  const nameOf = (id: string): string =>
    report.data?.data.find(({ metric_id }) => metric_id === id)?.name ?? 'the metric';
  return (
    <Card
      title="Business metrics"
      aside={
        canSend && (
          <button type="button" className="button" onClick={() => send.open()}>
            Send numbers
          </button>
        )
      }
    >
      {from >= isoDay(Date.now()) ? (
        <p className="quiet small">Only days that have ended count. Choose earlier days.</p>
      ) : (
        <Loaded of={report} height={60}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="quiet small">
                Send daily numbers, such as tickets solved, by API, command line or here: then a unit has a
                cost.
              </p>
            ) : (
              <Table
                label="Business metrics"
                columns={columns}
                rows={data}
                keyOf={({ metric_id }) => metric_id}
                actions={
                  canSend
                    ? ({ metric_id, name }) => [
                        { label: 'Delete', subject: name, isDanger: true, run: () => remove.open(metric_id) },
                      ]
                    : undefined
                }
              />
            )
          }
        </Loaded>
      )}
      <SendNumbersDialog of={send} />
      <DeleteMetricDialog of={remove} name={nameOf(remove.subject)} />
    </Card>
  );
};
