import * as z from 'zod';
import type { EventType } from './events.ts';
import { Severity } from './severity.ts';

/** How long notifications are kept, in days. */
export const NOTIFICATION_DAYS = 30;
/** Addresses that e-mail of a tenant goes to. */
export const ADDRESSES_MAXIMUM = 10;

/** Events that people are told of, where they are about something that got worse. */
export const notifiableEventTypes = [
  'anomaly.detected',
  'budget.threshold.crossed',
  'coverage.degraded',
  'degradation.state.changed',
  'export.failed',
  'webhook.disabled',
] as const satisfies readonly EventType[];
export const NotifiableEventType = z.enum(notifiableEventTypes);
export type NotifiableEventType = z.infer<typeof NotifiableEventType>;

/** An event in plain words. */
export const Notification = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime().meta({ description: 'Of the event' }),
    type: NotifiableEventType,
    severity: Severity,
    title: z.string(),
    text: z.string(),
    link: z.string().meta({
      description: 'The route of what it is about',
      example: '/api/v1/budgets/bud_aaaaaaaa01KA3Z5V7JQ2M6X9R8T4B1C0DE',
    }),
    event_id: z.string().meta({ description: 'Its own id follows from this' }),
    residency: z.string().nullable().meta({
      description: 'The lane it is about; null where it is about more than one',
    }),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof Notification>;

export const channelNames = ['email', 'chat'] as const;
export const ChannelName = z.enum(channelNames);
export type ChannelName = z.infer<typeof ChannelName>;

const minimumSeverity = Severity.meta({
  description: 'What is sent by e-mail and chat: everything from this severity on; default warning',
});

/** Where notifications go, as a tenant sets it. */
export const ChannelsChange = z
  .strictObject({
    email: z
      .array(z.email().max(254))
      .max(ADDRESSES_MAXIMUM)
      .refine((addresses) => new Set(addresses).size === addresses.length, 'must name each address once')
      .meta({ description: 'Addresses; none: no e-mail', example: ['finops@example.org'] }),
    chat: z
      // Any text: what is wrong with a URL is told under one error code, however it is wrong.
      .strictObject({ url: z.string().max(4_096) })
      .nullable()
      .meta({
        description:
          'An incoming webhook that takes {"text": …}, as Slack and others offer: https on port 443, resolving to public addresses only. The URL is a secret: it is shown masked, and the masked form sent back leaves it as it is. null: no chat',
        example: { url: 'https://hooks.example.com/services/T0/B0/secret' },
      }),
    minimum_severity: minimumSeverity,
  })
  .partial()
  .meta({ id: 'NotificationChannelsChange', description: 'What is left out stays' });
export type ChannelsChange = z.infer<typeof ChannelsChange>;

/** The same as the tenant sees it. */
export const Channels = z
  .object({
    email: z.array(z.string()),
    chat: z.object({ url: z.string().meta({ description: 'Masked behind its host' }) }).nullable(),
    minimum_severity: minimumSeverity,
  })
  .meta({ id: 'NotificationChannels' });
export type Channels = z.infer<typeof Channels>;
