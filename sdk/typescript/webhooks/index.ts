export { challengeAnswer, type WebhookEvent } from './event.ts';
export {
  type Delivery,
  type RejectedDelivery,
  type VerifyOptions,
  verifySignature,
  verifyWebhook,
  verifyWebhookEvents,
  WebhookVerificationError,
} from './verify.ts';
