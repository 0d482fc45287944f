export { challengeAnswer, type WebhookEvent } from './event.ts';
export {
  type Delivery,
  type RejectedDelivery,
  type VerifyOptions,
  verifySignature,
  verifyWebhook,
  WebhookVerificationError,
} from './verify.ts';
