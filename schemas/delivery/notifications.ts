import * as z from 'zod';
import type { Scope } from '../identity/scopes.ts';
import { distinct } from '../values.ts';
import type { EventType } from './events.ts';
import { Severity } from './severity.ts';

/** How long notifications are kept, in days. */
export const NOTIFICATION_DAYS = 30;
/** The most e-mail addresses of a tenant. */
export const ADDRESSES_MAXIMUM = 10;

/** Event types that can become notifications: those that want somebody to act, and about bills that arrive again. */
export const notifiableEventTypes = [
  'anomaly.detected',
  'bill_source.health.changed',
  'budget.forecast.crossed',
  'budget.threshold.crossed',
  'cost.implausible',
  'coverage.degraded',
  'degradation.state.changed',
  'export.delivery.failed',
  'export.failed',
  'webhook.disabled',
] as const satisfies readonly EventType[];
export const NotifiableEventType = z.enum(notifiableEventTypes).meta({ id: 'NotifiableEventType' });
export type NotifiableEventType = z.infer<typeof NotifiableEventType>;

/**
 * The scope that reads the notifications of each type. A notification about a budget is about spend, like a report. One
 * about a bill source says what the comparison with bills says too.
 */
export const notificationScopes = {
  'anomaly.detected': 'read:reporting',
  'bill_source.health.changed': 'read:reporting',
  'budget.forecast.crossed': 'read:reporting',
  'budget.threshold.crossed': 'read:reporting',
  'cost.implausible': 'read:attribution',
  'coverage.degraded': 'read:attribution',
  'degradation.state.changed': 'read:attribution',
  'export.delivery.failed': 'export:create',
  'export.failed': 'export:create',
  'webhook.disabled': 'webhooks:manage',
} as const satisfies Record<NotifiableEventType, Scope>;

/** The scopes that whoever sets a channel needs: a channel receives the notifications of all types. */
export const channelScopes: readonly Scope[] = [
  ...new Set<Scope>(['admin:config', ...Object.values(notificationScopes)]),
];

/** A readable description of an event. */
export const Notification = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime().meta({ description: 'When the event was created' }),
    type: NotifiableEventType,
    severity: Severity,
    title: z.string(),
    text: z.string(),
    link: z.string().meta({
      description: 'The API path of the affected resource',
      example: '/api/v1/budgets/bud_aaaaaaaa01KA3Z5V7JQ2M6X9R8T4B1C0DE',
    }),
    event_id: z
      .string()
      .meta({ description: 'The event. The id of the notification is derived from this id.' }),
    residency: z.string().nullable().meta({
      description: 'The data-residency lane it concerns. Null when it concerns more than one.',
    }),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof Notification>;

/** A notification in the inbox of a caller. */
export const InboxNotification = Notification.extend({
  is_read: z.boolean().meta({ description: 'Whether this caller has marked it as read' }),
}).meta({ id: 'InboxNotification' });
export type InboxNotification = z.infer<typeof InboxNotification>;

export const channelNames = ['email', 'chat'] as const;
export const ChannelName = z.enum(channelNames);
export type ChannelName = z.infer<typeof ChannelName>;

const minimumSeverity = Severity.meta({
  description: 'The lowest severity that is sent by e-mail and chat. Default: warning.',
});

/** A change of the channels that notifications are sent to. */
export const ChannelsChange = z
  .strictObject({
    email: distinct(z.array(z.email().max(254)).max(ADDRESSES_MAXIMUM), 'must name each address once').meta({
      description: 'The e-mail addresses. An empty list turns e-mail off.',
      example: ['finops@example.org'],
    }),
    chat: z
      // Any text, so that every invalid URL is reported with one error code (WEBHOOK_URL_REJECTED).
      .strictObject({ url: z.string().max(4_096).meta({ format: 'uri' }) })
      .nullable()
      .meta({
        description:
          'An incoming webhook that accepts {"text": …}, as Slack and others offer. It must use https on port 443 or 8443 and resolve to public addresses only. The URL is a secret: responses mask it, and sending the masked form back keeps it. null turns chat off.',
        example: { url: 'https://hooks.example.com/services/T0/B0/secret' },
      }),
    minimum_severity: minimumSeverity,
  })
  .partial()
  .meta({ id: 'NotificationChannelsChange', description: 'Omitted members keep their value' });
export type ChannelsChange = z.infer<typeof ChannelsChange>;

/** The API representation of the channels. */
export const Channels = z
  .object({
    email: z.array(z.string()),
    chat: z.object({ url: z.string().meta({ description: 'Masked after the host' }) }).nullable(),
    minimum_severity: minimumSeverity,
    authorized_by: z
      .string()
      .nullable()
      .meta({
        description: `Id of the key, client or user that set the channels last. Channels send while it has ${channelScopes.join(', ')}. Null before channels are set`,
      }),
  })
  .meta({ id: 'NotificationChannels' });
export type Channels = z.infer<typeof Channels>;
