import type { BillingMode, InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { tierNameOf } from './rules/serviceTier.ts';

/**
 * Names of tiers whose capacity is paid in advance, by the hour or month: provisioned throughput of Azure, Vertex AI and
 * Amazon Bedrock, its reserved tier, and the scale tier of OpenAI.
 */
const PREPAID_TIER = /provisioned|^ptu|^reserved$|^scale$|^dedicated$/;

export const isPrepaidTier = (tier: string): boolean => PREPAID_TIER.test(tier);

/** How the call is paid. */
export const billingModeOf = (
  event: Pick<InvocationEvent, 'billing_mode' | 'service_tier' | 'batch'>,
): BillingMode => event.billing_mode ?? (isPrepaidTier(tierNameOf(event)) ? 'provisioned' : 'metered');
