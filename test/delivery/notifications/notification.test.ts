import { describe, expect, it } from 'vitest';
import { toNotification } from '../../../functions/delivery/notifications/notification.ts';
import { sampleEvent } from '../../../functions/delivery/webhooks/streams/sampleEvents.ts';
import { createEvent } from '../../../functions/platform/outbox/createEvent.ts';
import { type EventData, type EventType, eventData } from '../../../schemas/delivery/events.ts';
import {
  NotifiableEventType,
  Notification,
  notifiableEventTypes,
} from '../../../schemas/delivery/notifications.ts';
import { subscribableTypes } from '../../../schemas/delivery/webhooks.ts';

const CAUSE = {
  ulid: '01KA3Z5V7JQ2M6X9R8T4B1C0DE',
  at: Date.parse('2026-03-14T09:30:00Z'),
  tenant: { tenant_id: 'acme', tag: 'abcdefgh' },
};

/** The notification of a sample of this type, with `members` replaced. */
const notificationFor = <Type extends Exclude<EventType, 'webhook.verification'>>(
  type: Type,
  members: Partial<EventData<Type>> = {},
): Notification | null => {
  const { data } = sampleEvent(type, CAUSE);
  return toNotification({ ...sampleEvent(type, CAUSE), data: { ...data, ...members } });
};

it.each(subscribableTypes.filter((type) => !NotifiableEventType.safeParse(type).success))(
  'makes no notification of %s',
  (type) => {
    expect(notificationFor(type)).toBeNull();
  },
);

it.each(notifiableEventTypes)(
  'makes a complete notification of %s with an id derived from the event',
  (type) => {
    const members = type === 'budget.threshold.crossed' ? { threshold: 100 as const } : {};

    const notification = Notification.parse(notificationFor(type, members));

    expect(notification).toMatchObject({
      id: 'ntf_abcdefgh01KA3Z5V7JQ2M6X9R8T4B1C0DE',
      event_id: 'evt_abcdefgh01KA3Z5V7JQ2M6X9R8T4B1C0DE',
      type,
      created_at: '2026-03-14T09:30:00.000Z',
    });
    expect(`${notification.title} ${notification.text}`).not.toMatch(/undefined|null|NaN|\[object|_| {2}/);
  },
);

describe('budget.threshold.crossed', () => {
  it.each([
    [1, 'warning'],
    [75, 'warning'],
    [100, 'warning'],
    [150, 'critical'],
  ] as const)('at %d %% has the severity %s', (threshold, severity) => {
    expect(notificationFor('budget.threshold.crossed', { threshold })?.severity).toBe(severity);
  });

  it('reports threshold, ceiling and period of a budget that counts records, but no spend', () => {
    expect(notificationFor('budget.threshold.crossed', { threshold: 100 })).toMatchObject({
      title: 'Budget "Search" reached 100 % of its ceiling',
      text: 'At least 100 % of USD 5,000.00 was spent from 2026-03-01 to 2026-03-31. A budget does not stop calls.',
      of_records: true,
    });
  });

  it('reports spend, ceiling, period and forecast of a budget that counts cohorts', () => {
    const notification = notificationFor('budget.threshold.crossed', { threshold: 100, basis: 'cohorts' });
    expect(notification).not.toHaveProperty('of_records');
    expect(notification).toMatchObject({
      title: 'Budget "Search" reached 100 % of its ceiling',
      text: 'USD 3,751.25 of USD 5,000.00 was spent (75 %) from 2026-03-01 to 2026-03-31. Forecast for the end of the period: USD 7,480.10. A budget does not stop calls.',
      link: '/api/v1/budgets/bud_aaaaaaaa01KA3Z5V7JQ2M6X9R8T4B1C0DE',
    });
  });

  it.each([
    ['unpriced_calls', ' The forecast is unknown, because calls have no known price.'],
    ['too_few_days', ''],
  ] as const)('says why there is no forecast: %s', (reason, expected) => {
    const exact = {
      period_to_date_usd: '3751.25',
      ceiling_usd: '5000',
      forecast_usd: null,
      forecast_range_usd: null,
      forecast_unknown: reason,
    };
    const { text } =
      notificationFor('budget.threshold.crossed', { threshold: 100, basis: 'cohorts', exact }) ?? {};

    expect(text).toContain(`to 2026-03-31.${expected} A budget`);
  });
});

/** The types whose data says in which lane its subject counts calls. */
const typesOfLanes = notifiableEventTypes.filter((type) => 'residency' in eventData[type].shape);

it.each(typesOfLanes)('shows %s to the credentials of its lane', (type) => {
  const { data } = sampleEvent(type, CAUSE);
  const ofLane = (residency: string | null | undefined) =>
    toNotification({ ...sampleEvent(type, CAUSE), data: { ...data, residency } })?.residency;

  expect(ofLane('eu')).toBe('eu');
  expect(ofLane(null)).toBeNull();
});

it('knows a lane of each type that is about a budget, an export or calls', () => {
  expect(typesOfLanes).toEqual(
    expect.arrayContaining(
      notifiableEventTypes.filter((type) => /^(?:anomaly|budget|cost|export)\./.test(type)),
    ),
  );
});

describe('budget.forecast.crossed', () => {
  it('says how sure it is, and no figure of a budget that counts records', () => {
    expect(notificationFor('budget.forecast.crossed', {})).toMatchObject({
      severity: 'warning',
      title: 'Budget "Search" will probably reach 100 % of its ceiling',
      text: 'The whole range of the forecast reaches 100 % of USD 5,000.00 from 2026-03-01 to 2026-03-31. A budget does not stop calls.',
      of_records: true,
    });
  });

  it('has the range of a budget that counts cohorts', () => {
    const possible = { likelihood: 'possible', basis: 'cohorts' } as const;
    expect(notificationFor('budget.forecast.crossed', possible)).toMatchObject({
      title: 'Budget "Search" may reach 100 % of its ceiling',
      text: 'A part of the range of the forecast reaches 100 % of USD 5,000.00 from 2026-03-01 to 2026-03-31. Forecast for the end of the period: USD 7,480.10, between USD 7,012.40 and USD 8,011.90. USD 3,751.25 was spent so far. A budget does not stop calls.',
      link: '/api/v1/budgets/bud_aaaaaaaa01KA3Z5V7JQ2M6X9R8T4B1C0DE',
    });
  });
});

describe('anomaly.detected', () => {
  it('reports the expected range, the drivers and the lane', () => {
    expect(
      notificationFor('anomaly.detected', { residency: 'eu', observed_by_owner_state: undefined }),
    ).toMatchObject({
      severity: 'critical',
      title: 'Owner "team-search" cost far more than expected',
      text: 'USD 310.40 was spent from 2026-03-14 09:00 UTC to 2026-03-14 10:00 UTC. Expected: USD 40.10, at most USD 75.60. Main drivers: served model "gpt-4o" (85 % of the excess).',
      residency: 'eu',
    });
  });

  it('says once which names explain all of the excess', () => {
    const drivers = [
      { dimension: 'owner' as const, value: 'team-search', share: 1 },
      { dimension: 'provider' as const, value: 'openai', share: 0.996 },
      { dimension: 'served_model' as const, value: 'gpt-4o', share: 0.85 },
    ];

    expect(notificationFor('anomaly.detected', { drivers })?.text).toMatch(
      / All of the excess is from owner "team-search", provider "openai"\. Main drivers: served model "gpt-4o" \(85 % of the excess\)\.$/,
    );
  });

  it.each([
    [
      { confirmed: '200', provisional: '10.4', allocated: '0', unassigned: '99.5', mixed: '0.5' },
      ' Of this: USD 200.00 with a confirmed owner, USD 10.40 with an unsure owner, USD 99.50 without an owner, USD 0.5 hidden (fewer than 5 people).',
    ],
    [{ allocated: '310.4' }, ' Of this: USD 310.40 divided among owners.'],
    [{}, ''],
    [undefined, ''],
  ])('says what of its cost anybody can be charged for: %j', (observed_by_owner_state, expected) => {
    const { text } = notificationFor('anomaly.detected', { observed_by_owner_state }) ?? {};

    expect(text).toContain(`to 2026-03-14 10:00 UTC.${expected} Expected: USD 40.10`);
  });

  it('names no owner when it concerns the whole tenant', () => {
    expect(
      notificationFor('anomaly.detected', { dimension: 'tenant', value: null, score: 1.2 }),
    ).toMatchObject({
      severity: 'warning',
      title: 'All calls cost far more than expected',
    });
  });
});

describe('degradation.state.changed', () => {
  const states = ['none', 'degraded_serving', 'model_recalled', 'disabled'] as const;
  const moves = states.flatMap((previous, before) =>
    states.map((state, after) => [previous, state, after > before] as const),
  );

  it.each(moves)('from %s to %s makes a notification: %s', (previous, state, isNotified) => {
    expect(notificationFor('degradation.state.changed', { previous, state }) !== null).toBe(isNotified);
  });

  it('is critical when a model was recalled', () => {
    expect(
      notificationFor('degradation.state.changed', { state: 'model_recalled', model_version: 'mdl_1' }),
    ).toMatchObject({
      severity: 'critical',
      link: '/api/v1/models',
      text: expect.stringContaining('Model: mdl_1.'),
    });
  });
});

it.each([
  ['degraded', 'warning'],
  ['lost', 'critical'],
] as const)('reports coverage that is %s as %s', (state, severity) => {
  expect(notificationFor('coverage.degraded', { state })).toMatchObject({
    severity,
    title: `Coverage of gateway mediated calls is ${state}`,
    text: 'The previous state was active. Missing capture layers: gateway. Totals do not include calls that are not captured.',
  });
});

it.each([
  ['timed_out', 'warning', 'timed out'],
  ['inconsistent', 'critical', 'inconsistent'],
] as const)('reports an export that failed as %s', (reason, severity, words) => {
  expect(notificationFor('export.failed', { reason })).toMatchObject({
    severity,
    title: `An export failed: ${words}`,
    link: '/api/v1/jobs/job_aaaaaaaa01KA3Z5V7JQ2M6X9R8T4B1C0DE',
  });
});

it.each([
  [
    'role_refused',
    '2026-03-02T06:06:00.000Z',
    'fails',
    'trust policy does not admit this destination. It is tried again from 2026-03-02 06:06 UTC on.',
  ],
  ['unavailable', null, 'was given up', 'several times in a row. It is not tried again.'],
  ['destination_deleted', null, 'was given up', 'Its destination was deleted. It is not tried again.'],
] as const)('reports a delivery that fails with %s, next at %s', (error, next_attempt_at, words, text) => {
  expect(notificationFor('export.delivery.failed', { error, next_attempt_at })).toMatchObject({
    severity: 'warning',
    title: `The delivery of "chargeback" for 2026-02 ${words}`,
    text: expect.stringContaining(text),
    link: '/api/v1/jobs/job_aaaaaaaa01KA3Z5V7JQ2M6X9R8T4B1C0DE',
  });
});

describe('bill_source.health.changed', () => {
  it.each([
    ['failing', 'refused', 'Bills of "OpenAI, research" cannot be imported', 'Replace the credential.'],
    ['failing', null, 'Bills of "OpenAI, research" cannot be imported', 'Imports do not complete.'],
    ['late', null, 'Bills of "OpenAI, research" are late', 'a lower billed amount is not a saving.'],
    ['working', null, 'Bills of "OpenAI, research" arrive again', 'Billed until 2026-03-13 00:00 UTC.'],
  ] as const)('to %s with the error %s says so', (state, error, title, text) => {
    const notification = notificationFor('bill_source.health.changed', { state, error });

    expect(notification).toMatchObject({
      title,
      text: expect.stringContaining(text),
      severity: 'warning',
      link: '/api/v1/bill-sources/bls_aaaaaaaa01KA3Z5V7JQ2M6X9R8T4B1C0DE',
    });
  });

  it('names no day when nothing is billed yet', () => {
    const text = notificationFor('bill_source.health.changed', { published_until: null })?.text;

    expect(text).toContain('No day is billed yet.');
  });
});

it('reports why a webhook endpoint was disabled', () => {
  expect(notificationFor('webhook.disabled')?.text).toContain('No delivery succeeded for five days');
  expect(notificationFor('webhook.disabled', { reason: 'gone' })?.text).toContain(
    'The endpoint answered 410 Gone',
  );
});

it('throws when the data does not match the type', () => {
  const event = createEvent('apikey.rotated', sampleKey, CAUSE);

  expect(() => toNotification({ ...event, type: 'export.failed' })).toThrow();
});

const sampleKey: EventData<'apikey.rotated'> = {
  api_key_id: 'key_1',
  name: 'Gateway',
  rotated_at: '2026-03-14T09:30:00.000Z',
  previous_secret_valid_until: null,
};
