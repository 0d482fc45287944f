import * as z from 'zod';
import { type EventData, eventData, type RaisedEvent } from '../../../schemas/delivery/events.ts';
import { NotifiableEventType } from '../../../schemas/delivery/notifications.ts';
import { EventLane } from '../../../schemas/eventLane.ts';
import type { SpendByState } from '../../../schemas/insight/budgets.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import { idOf, tagInId, ulidInId } from '../../platform/shared/ids.ts';
import type { NewNotification } from './notification.store.ts';
import { describeBudgetCrossing, describeForecastCrossing } from './text/budgetText.ts';
import {
  describeDeliveryFailure,
  describeExportFailure,
  describeSourceHealth,
} from './text/chargebackText.ts';
import { formatMinute, formatPeriod, formatUsd, toWords } from './text/formatText.ts';
import type { NotificationText } from './text/notificationText.ts';

/** The anomaly score from which an anomaly is critical. */
const CRITICAL_SCORE = 5;

const anomalySubject = ({ dimension, value }: EventData<'anomaly.detected'>): string =>
  value === null ? 'All calls' : `${dimension === 'served_model' ? 'Model' : toWords(dimension)} "${value}"`;

/** The order in which states are named, and how. */
const OWNER_STATES: Readonly<Record<keyof SpendByState, string>> = {
  confirmed: 'with a confirmed owner',
  provisional: 'with an unsure owner',
  allocated: 'divided among owners',
  unassigned: 'without an owner',
  mixed: 'hidden (fewer than 5 people)',
};

/** How much of a spend anybody can be charged for. Empty if it is not known. */
const describeStates = (spend: SpendByState | undefined): string => {
  const parts = Object.entries(OWNER_STATES).flatMap(([state, words]) => {
    const amount = Object.entries(spend ?? {}).find(([name]) => name === state)?.[1];
    return amount === undefined || decimal(amount).eq('0') ? [] : [`${formatUsd(amount)} ${words}`];
  });
  return parts.length === 0 ? '' : ` Of this: ${parts.join(', ')}.`;
};

/** What the excess is from. The names that explain all of it are said once, together. */
const describeDrivers = (drivers: EventData<'anomaly.detected'>['drivers']): string => {
  const named = drivers.map(({ dimension, value, share }) => ({
    name: `${toWords(dimension)} "${value}"`,
    percent: Math.round(share * 100),
  }));
  const all = named.filter(({ percent }) => percent === 100).map(({ name }) => name);
  const parts = named
    .filter(({ percent }) => percent !== 100)
    .map(({ name, percent }) => `${name} (${percent} % of the excess)`);
  return [
    ...(all.length === 0 ? [] : [` All of the excess is from ${all.join(', ')}.`]),
    ...(parts.length === 0 ? [] : [` Main drivers: ${parts.join(', ')}.`]),
  ].join('');
};

const describeAnomaly = (data: EventData<'anomaly.detected'>): NotificationText => {
  const { observed_usd, observed_by_owner_state: states, expected_usd, period, score, drivers } = data;
  const subject = anomalySubject(data);
  return {
    severity: score < CRITICAL_SCORE ? 'warning' : 'critical',
    title: `${subject.charAt(0).toUpperCase()}${subject.slice(1)} cost far more than expected`,
    text: `${formatUsd(observed_usd)} was spent ${formatPeriod(period)}.${describeStates(states)} Expected: ${formatUsd(expected_usd.central)}, at most ${formatUsd(expected_usd.high)}.${describeDrivers(drivers)}`,
    link: '/api/v1/anomalies',
  };
};

/** Its readers may read single records: see the scope of its type. */
const describeSetAside = (data: EventData<'cost.implausible'>): NotificationText => ({
  severity: 'warning',
  title: 'A cost is implausible and waits for a confirmation',
  text: `A call of ${formatMinute(data.occurred_at)} would cost ${data.reported_cost_usd === null ? 'an amount' : formatUsd(data.reported_cost_usd)} by what was reported, far above what its usage explains, above every call or above the limit of the settings. Its cost is unknown, and no total, budget or export counts it, until somebody confirms it. Others of this hour have no notification of their own.`,
  link: '/v1/attribution?cost_unknown=implausible_cost',
});

const describeCoverageLoss = (data: EventData<'coverage.degraded'>): NotificationText => {
  const { pathway_category, previous, state, missing } = data;
  const layers = missing.length === 0 ? '' : ` Missing capture layers: ${missing.join(', ')}.`;
  return {
    severity: state === 'lost' ? 'critical' : 'warning',
    title: `Coverage of ${toWords(pathway_category)} calls is ${toWords(state)}`,
    text: `The previous state was ${toWords(previous)}.${layers} Totals do not include calls that are not captured.`,
    link: '/api/v1/coverage',
  };
};

/** The serving states, from best to worst. */
const DEGRADATION_ORDER = ['none', 'degraded_serving', 'model_recalled', 'disabled'] as const;
const degradationReasons: Readonly<Record<EventData<'degradation.state.changed'>['state'], string>> = {
  none: '',
  degraded_serving: 'The trained model is unavailable, so a heuristic replaces it.',
  model_recalled: 'The trained model was recalled, and its results are withdrawn.',
  disabled: 'Trained models were disabled in the settings.',
};

const describeDegradation = (data: EventData<'degradation.state.changed'>): NotificationText | null => {
  const { previous, state, model_version } = data;
  if (DEGRADATION_ORDER.indexOf(state) <= DEGRADATION_ORDER.indexOf(previous)) return null;
  const model = model_version === null ? '' : ` Model: ${model_version}.`;
  return {
    severity: state === 'model_recalled' ? 'critical' : 'warning',
    title: `Attribution by a trained model is ${state === 'disabled' ? 'disabled' : 'degraded'}`,
    text: `${degradationReasons[state]} Calls that the rules cannot attribute are attributed less accurately, or not at all.${model}`,
    link: '/api/v1/models',
  };
};

const disabledReasons: Readonly<Record<EventData<'webhook.disabled'>['reason'], string>> = {
  gone: 'The endpoint answered 410 Gone for 24 hours',
  no_success: 'No delivery succeeded for five days',
  unauthorized: 'The key, client or user that authorized it may no longer read its events',
};

const describeWebhookDisabled = ({
  endpoint_id,
  reason,
  disabled_at,
}: EventData<'webhook.disabled'>): NotificationText => ({
  severity: 'warning',
  title: 'A webhook endpoint was disabled',
  text: `${disabledReasons[reason]}, so it has received no events since ${formatMinute(disabled_at)}. Enable it again, then replay the events of the last 30 days.`,
  link: `/api/v1/webhooks/${endpoint_id}`,
});

const describers: { readonly [Type in NotifiableEventType]: (data: unknown) => NotificationText | null } = {
  'anomaly.detected': (data) => describeAnomaly(eventData['anomaly.detected'].parse(data)),
  'bill_source.health.changed': (data) =>
    describeSourceHealth(eventData['bill_source.health.changed'].parse(data)),
  'budget.forecast.crossed': (data) =>
    describeForecastCrossing(eventData['budget.forecast.crossed'].parse(data)),
  'budget.threshold.crossed': (data) =>
    describeBudgetCrossing(eventData['budget.threshold.crossed'].parse(data)),
  'cost.implausible': (data) => describeSetAside(eventData['cost.implausible'].parse(data)),
  'coverage.degraded': (data) => describeCoverageLoss(eventData['coverage.degraded'].parse(data)),
  'degradation.state.changed': (data) =>
    describeDegradation(eventData['degradation.state.changed'].parse(data)),
  'export.delivery.failed': (data) =>
    describeDeliveryFailure(eventData['export.delivery.failed'].parse(data)),
  'export.failed': (data) => describeExportFailure(eventData['export.failed'].parse(data)),
  'webhook.disabled': (data) => describeWebhookDisabled(eventData['webhook.disabled'].parse(data)),
};

/** The lane that an event concerns. Events of a whole tenant have none. */
const InLane = z.object({ residency: EventLane });

/**
 * The notification of an event. Null when the event needs none. Its id is derived from the id of the event. Throws a
 * ZodError when the data does not match the schema of its type.
 */
export const toNotification = (event: RaisedEvent): NewNotification | null => {
  const { data: type } = NotifiableEventType.safeParse(event.type);
  const content = type === undefined ? null : describers[type](event.data);
  if (type === undefined || content === null) return null;
  const { severity, title, text, link, of_records } = content;
  return {
    id: idOf('ntf', tagInId(event.id), ulidInId(event.id)),
    created_at: event.created_at,
    type,
    severity,
    title,
    text,
    link,
    event_id: event.id,
    residency: InLane.parse(event.data).residency,
    ...(of_records !== undefined && { of_records }),
  };
};
