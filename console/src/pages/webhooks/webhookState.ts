import type { WebhookDelivery, WebhookEndpoint } from '../../../../sdk/typescript/src/types.ts';
import type { Tone } from '../../components/tone.ts';

export const statusTone: Readonly<Record<WebhookEndpoint['status'], Tone>> = {
  pending: 'warn',
  verified: 'good',
  disabled: 'bad',
};

export const outcomeTone: Readonly<Record<WebhookDelivery['outcome'], Tone>> = {
  acknowledged: 'good',
  retried: 'warn',
  dead_lettered: 'bad',
};

export const disabledReasons: Readonly<Record<NonNullable<WebhookEndpoint['disabled_reason']>, string>> = {
  admin: 'disabled by hand',
  gone: 'it answered 410 for 24 hours',
  no_success: 'no delivery succeeded for five days',
  unauthorized: 'its authorization was withdrawn',
};
