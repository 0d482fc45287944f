import * as z from 'zod';
import { label } from '../values.ts';
import { ChannelName } from './notifications.ts';

/** The most report subscriptions of a tenant. */
export const REPORT_SUBSCRIPTIONS_MAXIMUM = 100;

const subscriptionMembers = {
  every: z.enum(['week', 'month']).meta({
    description:
      'week: from Monday to Sunday. month: a calendar month. Both in the time zone of the tenant, and sent after their end',
  }),
  channel: ChannelName.meta({
    description: 'email: to the recipient. chat: to the chat of the notification channels',
  }),
};
const Owner = label(256).nullable();

export const ReportSubscriptionRequest = z
  .strictObject({
    ...subscriptionMembers,
    owner: Owner.optional().meta({ description: 'Only its calls. Default: null, the whole tenant' }),
    recipient: z
      .string()
      .regex(/^usr_[a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be the id of a user')
      .optional()
      .meta({
        description:
          'Id of the user who gets the e-mail. Default: the user who calls. Another one needs admin:config',
      }),
  })
  .refine(({ channel, recipient }) => channel === 'email' || recipient === undefined, {
    message: 'is only for e-mail',
    path: ['recipient'],
  })
  .meta({ id: 'ReportSubscriptionRequest', example: { every: 'week', channel: 'chat' } });

export const ReportSubscription = z
  .object({
    id: z.string(),
    ...subscriptionMembers,
    owner: Owner,
    recipient: z.string().nullable().meta({ description: 'Id of a user. Null: the chat' }),
    residency: z.string().nullable().meta({ description: 'The lane whose calls it counts. Null: all' }),
    created_at: z.iso.datetime(),
    created_by: z.string(),
  })
  .meta({ id: 'ReportSubscription' });
export type ReportSubscription = z.infer<typeof ReportSubscription>;
