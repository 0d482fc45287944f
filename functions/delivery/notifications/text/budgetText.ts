import type { EventData } from '../../../../schemas/delivery/events.ts';
import type { ForecastMembers } from '../../../../schemas/insight/forecast.ts';
import { formatPercent, formatPeriod, formatUsd } from './formatText.ts';
import type { NotificationText } from './notificationText.ts';

/** Percent of the budget ceiling from which a crossing is critical. */
const CRITICAL_THRESHOLD = 150;

const describeForecast = ({ forecast_usd: usd, forecast_unknown: reason }: ForecastMembers): string => {
  if (usd !== null) return ` Forecast for the end of the period: ${formatUsd(usd)}.`;
  if (reason === 'unpriced_calls') return ' The forecast is unknown, because calls have no known price.';
  return '';
};

/**
 * Describes a crossed threshold. A threshold is a figure too: of a budget that counts records, only readers of single records see
 * it. Channels have readers without scopes, so its text names ceiling and threshold, but not the spend.
 */
export const describeBudgetCrossing = (data: EventData<'budget.threshold.crossed'>): NotificationText => {
  const { name, basis, threshold, exact, period, budget_id } = data;
  const ceiling = formatUsd(exact.ceiling_usd);
  const spent =
    basis === 'records'
      ? `At least ${threshold} % of ${ceiling} was spent ${formatPeriod(period)}.`
      : `${formatUsd(exact.period_to_date_usd)} of ${ceiling} was spent (${formatPercent(exact.period_to_date_usd, exact.ceiling_usd)}) ${formatPeriod(period)}.`;
  const forecast = basis === 'records' ? '' : describeForecast(exact);
  return {
    severity: threshold < CRITICAL_THRESHOLD ? 'warning' : 'critical',
    title: `Budget "${name}" reached ${threshold} % of its ceiling`,
    text: `${spent}${forecast} A budget does not stop calls.`,
    link: `/api/v1/budgets/${budget_id}`,
    ...(basis === 'records' && { of_records: true }),
  };
};

/** Describes a threshold that the forecast reached. Its readers are those of {@link describeBudgetCrossing}. */
export const describeForecastCrossing = (data: EventData<'budget.forecast.crossed'>): NotificationText => {
  const { name, basis, threshold, likelihood, period, budget_id, ceiling_usd: ceiling } = data;
  const { forecast_usd: usd, forecast_range_usd: range } = data;
  const figures =
    basis === 'records' || usd === null || range === null
      ? ''
      : ` Forecast for the end of the period: ${formatUsd(usd)}, between ${formatUsd(range.low)} and ${formatUsd(range.high)}. ${formatUsd(data.period_to_date_usd)} was spent so far.`;
  const part = likelihood === 'likely' ? 'The whole range' : 'A part of the range';
  return {
    severity: 'warning',
    title: `Budget "${name}" ${likelihood === 'likely' ? 'will probably' : 'may'} reach ${threshold} % of its ceiling`,
    text: `${part} of the forecast reaches ${threshold} % of ${formatUsd(ceiling)} ${formatPeriod(period)}.${figures} A budget does not stop calls.`,
    link: `/api/v1/budgets/${budget_id}`,
    ...(basis === 'records' && { of_records: true }),
  };
};
