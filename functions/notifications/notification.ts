import { type EventData, eventData, type RaisedEvent } from '../../schemas/events.ts';
import { CriticalType, type Notification } from '../../schemas/notifications.ts';
import { idOf, tagInId, ulidInId } from '../shared/ids.ts';
import { minuteOf, percentOf, stretchOf, usd, wordsOf } from './words.ts';

type Told = Pick<Notification, 'severity' | 'title' | 'text' | 'link'> & {
  /** The lane it is about, where it is about one. */
  readonly residency?: string | null;
};

/** Percent of a ceiling from which on people are told, and from which on it is critical. */
const BUDGET = { told: 100, critical: 150 };
/** How many times as far out of its range as the range's own end an anomaly is critical. */
const CRITICAL_SCORE = 5;

const budgetCrossed = (data: EventData<'budget.threshold.crossed'>): Told | null => {
  const { name, threshold, exact, period, budget_id } = data;
  if (threshold < BUDGET.told) return null;
  const forecast = exact.forecast_usd === null ? '' : ` At this rate it ends at ${usd(exact.forecast_usd)}.`;
  return {
    severity: threshold < BUDGET.critical ? 'warning' : 'critical',
    title: `Budget "${name}" reached ${threshold} % of its ceiling`,
    text: `${usd(exact.period_to_date_usd)} of ${usd(exact.ceiling_usd)} were spent (${percentOf(exact.period_to_date_usd, exact.ceiling_usd)}) in ${stretchOf(period)}.${forecast} A budget does not stop calls.`,
    link: `/api/v1/budgets/${budget_id}`,
  };
};

const subjectOf = ({ dimension, value }: EventData<'anomaly.detected'>): string =>
  value === null ? 'All calls' : `${dimension === 'served_model' ? 'Model' : wordsOf(dimension)} "${value}"`;

const anomalyDetected = (data: EventData<'anomaly.detected'>): Told => {
  const { observed_usd, expected_usd, period, score, drivers } = data;
  const causes = drivers.map(
    ({ dimension, value, share }) =>
      `${wordsOf(dimension)} "${value}" (${Math.round(share * 100)} % of the excess)`,
  );
  const subject = subjectOf(data);
  return {
    severity: score < CRITICAL_SCORE ? 'warning' : 'critical',
    title: `${subject.charAt(0).toUpperCase()}${subject.slice(1)} cost far more than expected`,
    text: `${usd(observed_usd)} in ${stretchOf(period)}, where ${usd(expected_usd.central)} was expected and up to ${usd(expected_usd.high)} would have been no surprise.${causes.length === 0 ? '' : ` Mostly: ${causes.join(', ')}.`}`,
    link: '/api/v1/anomalies',
    residency: data.residency,
  };
};

const coverageDegraded = (data: EventData<'coverage.degraded'>): Told => {
  const { pathway_category, previous, state, missing, last_seen } = data;
  const seen =
    last_seen === null
      ? 'Its last call is longer ago than 35 days.'
      : `Its last call came ${minuteOf(last_seen)}.`;
  const layers = missing.length === 0 ? '' : ` Missing: ${missing.join(', ')}.`;
  return {
    severity: state === 'lost' ? 'critical' : 'warning',
    title: `Coverage of ${wordsOf(pathway_category)} calls is ${wordsOf(state)}`,
    text: `It was ${wordsOf(previous)}. ${seen}${layers} What is not captured is missing from every total.`,
    link: '/api/v1/coverage',
  };
};

/** The states of serving, each worse than the one before. */
const WORSENING = ['none', 'degraded_serving', 'model_recalled', 'disabled'] as const;
const whyDegraded: Readonly<Record<EventData<'degradation.state.changed'>['state'], string>> = {
  none: '',
  degraded_serving: 'The trained model cannot be had, so a heuristic stands in for it.',
  model_recalled: 'The trained model was recalled, and what it said is taken back.',
  disabled: 'Trained models were switched off in the settings.',
};

const degradationChanged = (data: EventData<'degradation.state.changed'>): Told | null => {
  const { previous, state, model_version } = data;
  if (WORSENING.indexOf(state) <= WORSENING.indexOf(previous)) return null;
  const model = model_version === null ? '' : ` Model: ${model_version}.`;
  return {
    severity: state === 'model_recalled' ? 'critical' : 'warning',
    title: `Attribution by a trained model is ${state === 'disabled' ? 'switched off' : 'degraded'}`,
    text: `${whyDegraded[state]} Calls that the rules cannot place are placed less well, or not at all.${model}`,
    link: '/api/v1/models',
  };
};

const exportFailed = ({ job_id, period, reason, detail }: EventData<'export.failed'>): Told => ({
  severity: reason === 'inconsistent' ? 'critical' : 'warning',
  title: `An export failed: ${wordsOf(reason)}`,
  text: `The export of ${period.from} to ${period.to} came to no end, and nothing of it was delivered. ${detail}`,
  link: `/api/v1/jobs/${job_id}`,
});

const whyDisabled: Readonly<Record<EventData<'webhook.disabled'>['reason'], string>> = {
  gone: 'It answered 410 Gone',
  no_success: 'No delivery succeeded for five days',
  unauthorized: 'The key, client or user that authorized it may not read its events any more',
};

const webhookDisabled = ({ endpoint_id, reason, disabled_at }: EventData<'webhook.disabled'>): Told => ({
  severity: 'warning',
  title: 'A webhook endpoint was disabled',
  text: `${whyDisabled[reason]}, so it is sent nothing since ${minuteOf(disabled_at)}. Events of the last 30 days can be replayed once it is enabled again.`,
  link: `/api/v1/webhooks/${endpoint_id}`,
});

const tellers: { readonly [Type in CriticalType]: (data: unknown) => Told | null } = {
  'anomaly.detected': (data) => anomalyDetected(eventData['anomaly.detected'].parse(data)),
  'budget.threshold.crossed': (data) => budgetCrossed(eventData['budget.threshold.crossed'].parse(data)),
  'coverage.degraded': (data) => coverageDegraded(eventData['coverage.degraded'].parse(data)),
  'degradation.state.changed': (data) =>
    degradationChanged(eventData['degradation.state.changed'].parse(data)),
  'export.failed': (data) => exportFailed(eventData['export.failed'].parse(data)),
  'webhook.disabled': (data) => webhookDisabled(eventData['webhook.disabled'].parse(data)),
};

/**
 * What people are told of an event; null where it is none to tell of. Its id follows from the event's. Throws a ZodError
 * where the data is not that of its type.
 */
export const notificationOf = (event: RaisedEvent): Notification | null => {
  const { data: type } = CriticalType.safeParse(event.type);
  const told = type === undefined ? null : tellers[type](event.data);
  if (type === undefined || told === null) return null;
  const { severity, title, text, link, residency = null } = told;
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
