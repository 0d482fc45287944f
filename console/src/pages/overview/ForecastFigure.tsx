import { Link } from 'wouter';
import { getForecastReport, listBudgets } from '../../../../sdk/typescript/src/operations.ts';
import { everyRow, useRead } from '../../api/useRead.ts';
import { RangeBar } from '../../charts/RangeBar.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { formatRange, formatUsd } from '../../format/amount.ts';
import { budgetOfMonth, unknownForecasts } from './forecastFigure.ts';
import { Kpi } from './Kpi.tsx';

/** What the month will have cost at its end, against its budget. */
export const ForecastFigure = () => {
  const forecast = useRead(['forecast', 'month'], (client, options) =>
    getForecastReport(client, { limit: 1 }, options),
  );
  const budgets = useRead(['budgets', 'all'], (client, options) =>
    everyRow(listBudgets(client, {}, options)),
  );
  const against = budgetOfMonth(budgets.data ?? []);
  return (
    <Loaded of={forecast} height={114}>
      {({
        time_zone: zone,
        totals: { forecast_usd: expected, forecast_range_usd: range, forecast_unknown: reason, ...totals },
      }) => (
        <Kpi
          label="Forecast of the month"
          note={`in ${zone}`}
          value={expected === null ? 'unknown' : formatUsd(expected)}
          isUnknown={expected === null}
        >
          <RangeBar
            low={range?.low ?? null}
            central={expected}
            high={range?.high ?? null}
            label={range === null ? 'Range unknown' : `Range ${formatRange(range.low, range.high, 'cost')}`}
          />
          <span className="foot num">
            <span>
              {range === null
                ? unknownForecasts[reason ?? 'too_few_days']
                : formatRange(range.low, range.high, 'cost')}
            </span>
            <span>{formatUsd(totals.spent_usd)} so far</span>
          </span>
          <span className="foot num">
            {against === null ? (
              <Link href="/budgets">No budget for all calls</Link>
            ) : (
              <span className={against.tone === 'good' ? '' : 'unknown'}>{against.text}</span>
            )}
          </span>
        </Kpi>
      )}
    </Loaded>
  );
};
