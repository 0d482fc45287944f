import { CsvButton } from '../../components/tables/CsvButton.tsx';
import { formatAmount, formatRange, type Measure } from '../../format/amount.ts';
import type { Timeline } from '../series.ts';
import { type IntervalLength, intervalName } from './intervalLabels.ts';

/** The same figures as the chart, for reading aloud and for copying. */
export const TimelineTable = ({
  intervals,
  series,
  measure,
  length,
  source,
}: Timeline & {
  readonly measure: Measure;
  readonly length: IntervalLength;
  /** The rows of the API. */
  readonly source: readonly object[];
}) => (
  <details className="table">
    <summary>Show as a table</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached with the keyboard. */}
    <section className="scroll" tabIndex={0} aria-label="The chart as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">Time (UTC)</th>
            {series.map(({ key, label }) => (
              <th scope="col" key={key} className="right">
                {label}
              </th>
            ))}
            <th scope="col" className="right">
              Total
            </th>
            <th scope="col" className="right">
              Range
            </th>
          </tr>
        </thead>
        <tbody>
          {intervals.map((interval) => (
            <tr key={interval.at}>
              <th scope="row">{intervalName(interval.at, length)}</th>
              {series.map(({ key }) => (
                <td key={key} className="right">
                  {interval.values.has(key) ? formatAmount(interval.values.get(key), measure) : 'no calls'}
                </td>
              ))}
              <td className="right">
                {interval.values.size > 0 ? formatAmount(interval.total, measure) : 'no calls'}
              </td>
              <td className="right">
                {interval.values.size > 0 ? formatRange(interval.low, interval.high, measure) : ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    <CsvButton label="Amounts over time" rows={source} />
  </details>
);
