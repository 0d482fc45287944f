import { type EventData, eventData, type RaisedEvent } from '../../schemas/events.ts';
import { NotifiableEventType, type Notification } from '../../schemas/notifications.ts';
import { idOf, tagInId, ulidInId } from '../shared/ids.ts';
import { formatMinute, formatPercent, formatPeriod, formatUsd, toWords } from './formatText.ts';

type NotificationText = Pick<Notification, 'severity' | 'title' | 'text' | 'link'> & {
  /** The lane it is about, where it is about one. */
  readonly residency?: string | null;
};

/** Percent of a ceiling from which on people are told, and from which on it is critical. */
const BUDGET_THRESHOLDS = { told: 100, critical: 150 };
/** How many times as far out of its range as the range's own end an anomaly is critical. */
const CRITICAL_SCORE = 5;

const describeBudgetCrossing = (data: EventData<'budget.threshold.crossed'>): NotificationText | null => {
  const { name, threshold, exact, period, budget_id } = data;
  if (threshold < BUDGET_THRESHOLDS.told) return null;
  const forecast =
    exact.forecast_usd === null ? '' : ` At this rate it ends at ${formatUsd(exact.forecast_usd)}.`;
  return {
    severity: threshold < BUDGET_THRESHOLDS.critical ? 'warning' : 'critical',
    title: `Budget "${name}" reached ${threshold} % of its ceiling`,
    text: `${formatUsd(exact.period_to_date_usd)} of ${formatUsd(exact.ceiling_usd)} were spent (${formatPercent(exact.period_to_date_usd, exact.ceiling_usd)}) in ${formatPeriod(period)}.${forecast} A budget does not stop calls.`,
    link: `/api/v1/budgets/${budget_id}`,
  };
};

const anomalySubject = ({ dimension, value }: EventData<'anomaly.detected'>): string =>
  value === null ? 'All calls' : `${dimension === 'served_model' ? 'Model' : toWords(dimension)} "${value}"`;

const describeAnomaly = (data: EventData<'anomaly.detected'>): NotificationText => {
  const { observed_usd, expected_usd, period, score, drivers } = data;
  const causes = drivers.map(
    ({ dimension, value, share }) =>
      `${toWords(dimension)} "${value}" (${Math.round(share * 100)} % of the excess)`,
  );
  const subject = anomalySubject(data);
  return {
    severity: score < CRITICAL_SCORE ? 'warning' : 'critical',
    title: `${subject.charAt(0).toUpperCase()}${subject.slice(1)} cost far more than expected`,
    text: `${formatUsd(observed_usd)} in ${formatPeriod(period)}, where ${formatUsd(expected_usd.central)} was expected and up to ${formatUsd(expected_usd.high)} would have been no surprise.${causes.length === 0 ? '' : ` Mostly: ${causes.join(', ')}.`}`,
    link: '/api/v1/anomalies',
    residency: data.residency,
  };
};

const describeCoverageLoss = (data: EventData<'coverage.degraded'>): NotificationText => {
  const { pathway_category, previous, state, missing, last_seen } = data;
  const seen =
    last_seen === null
      ? 'Its last call is longer ago than 35 days.'
      : `Its last call came ${formatMinute(last_seen)}.`;
  const layers = missing.length === 0 ? '' : ` Missing: ${missing.join(', ')}.`;
  return {
    severity: state === 'lost' ? 'critical' : 'warning',
    title: `Coverage of ${toWords(pathway_category)} calls is ${toWords(state)}`,
    text: `It was ${toWords(previous)}. ${seen}${layers} What is not captured is missing from every total.`,
    link: '/api/v1/coverage',
  };
};

/** The states of serving, each worse than the one before. */
const DEGRADATION_ORDER = ['none', 'degraded_serving', 'model_recalled', 'disabled'] as const;
const degradationReasons: Readonly<Record<EventData<'degradation.state.changed'>['state'], string>> = {
  none: '',
  degraded_serving: 'The trained model cannot be had, so a heuristic stands in for it.',
  model_recalled: 'The trained model was recalled, and what it said is taken back.',
  disabled: 'Trained models were switched off in the settings.',
};

const describeDegradation = (data: EventData<'degradation.state.changed'>): NotificationText | null => {
  const { previous, state, model_version } = data;
  if (DEGRADATION_ORDER.indexOf(state) <= DEGRADATION_ORDER.indexOf(previous)) return null;
  const model = model_version === null ? '' : ` Model: ${model_version}.`;
  return {
    severity: state === 'model_recalled' ? 'critical' : 'warning',
    title: `Attribution by a trained model is ${state === 'disabled' ? 'switched off' : 'degraded'}`,
    text: `${degradationReasons[state]} Calls that the rules cannot place are placed less well, or not at all.${model}`,
    link: '/api/v1/models',
  };
};

const describeExportFailure = ({
  job_id,
  period,
  reason,
  detail,
}: EventData<'export.failed'>): NotificationText => ({
  severity: reason === 'inconsistent' ? 'critical' : 'warning',
  title: `An export failed: ${toWords(reason)}`,
  text: `The export of ${period.from} to ${period.to} came to no end, and nothing of it was delivered. ${detail}`,
  link: `/api/v1/jobs/${job_id}`,
});

const whyDisabled: Readonly<Record<EventData<'webhook.disabled'>['reason'], string>> = {
  gone: 'It answered 410 Gone',
  no_success: 'No delivery succeeded for five days',
  unauthorized: 'The key, client or user that authorized it may not read its events any more',
};

const describeWebhookDisabled = ({
  endpoint_id,
  reason,
  disabled_at,
}: EventData<'webhook.disabled'>): NotificationText => ({
  severity: 'warning',
  title: 'A webhook endpoint was disabled',
  text: `${whyDisabled[reason]}, so it is sent nothing since ${formatMinute(disabled_at)}. Events of the last 30 days can be replayed once it is enabled again.`,
  link: `/api/v1/webhooks/${endpoint_id}`,
});

const describers: { readonly [Type in NotifiableEventType]: (data: unknown) => NotificationText | null } = {
  'anomaly.detected': (data) => describeAnomaly(eventData['anomaly.detected'].parse(data)),
  'budget.threshold.crossed': (data) =>
    describeBudgetCrossing(eventData['budget.threshold.crossed'].parse(data)),
  'coverage.degraded': (data) => describeCoverageLoss(eventData['coverage.degraded'].parse(data)),
  'degradation.state.changed': (data) =>
    describeDegradation(eventData['degradation.state.changed'].parse(data)),
  'export.failed': (data) => describeExportFailure(eventData['export.failed'].parse(data)),
  'webhook.disabled': (data) => describeWebhookDisabled(eventData['webhook.disabled'].parse(data)),
};

/**
 * What people are told of an event; null where it is none to tell of. Its id follows from the event's. Throws a ZodError
 * where the data is not that of its type.
 */
export const toNotification = (event: RaisedEvent): Notification | null => {
  const { data: type } = NotifiableEventType.safeParse(event.type);
  const content = type === undefined ? null : describers[type](event.data);
  if (type === undefined || content === null) return null;
  const { severity, title, text, link, residency = null } = content;
  return {
    id: idOf('ntf', tagInId(event.id), ulidInId(event.id)),
    created_at: event.created_at,
    type,
    severity,
    title,
    text,
    link,
    event_id: event.id,
    residency,
  };
};
