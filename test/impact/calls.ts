import type { PriceSheet, PriceSource } from '../../functions/impact/price/priceSheet.ts';
import { NO_PRICES } from '../../functions/impact/price/priceSheet.ts';
import { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';

export const MID_JULY = new Date('2026-07-15T12:00:00Z');

/** A parsed event. It reports cached tokens, because the cost has a range otherwise. */
export const call = (fields: Record<string, unknown> = {}): InvocationEvent =>
  InvocationEvent.parse({
    event_id: '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11',
    ingestion_layer: 'gateway',
    ingestion_timestamp: MID_JULY.toISOString(),
    provider: 'openai',
    requested_model: 'gpt-4o',
    input_tokens: 1_000,
    cached_input_tokens: 0,
    output_tokens: 300,
    ...fields,
  });

/** A price source that returns the same price for all models. */
export const onePrice = (prices: Partial<PriceSheet>): PriceSource => ({
  find: () => ({
    ...NO_PRICES,
    source: 'catalogue',
    catalogue: 'test-list@1',
    match: 'exact',
    pricedModel: 'test-model',
    otherModalities: false,
    aboveTokens: -1,
    tiers: {},
    ...prices,
  }),
});
