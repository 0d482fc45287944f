import { loadFactors } from '../../functions/impact/factors.ts';
import { assessImpact } from '../../functions/impact/impact.ts';
import { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { type EnergyAnchor, energyAnchors } from './energyAnchors.ts';

/** An anchor with the estimate of this service. */
export interface ComparedAnchor extends EnergyAnchor {
  readonly low: number;
  readonly central: number;
  readonly high: number;
  /** Our centre over the middle of the published figures (geometric). */
  readonly ratio: number;
  /** Whether a published figure lies inside the range. */
  readonly isInside: boolean;
}

const DAY = new Date('2026-11-01T12:00:00.000Z');

/** Compares the estimates of this service with the published energies. */
export const compareAnchors = async (): Promise<ComparedAnchor[]> => {
  const factors = await loadFactors();
  return energyAnchors.map((anchor) => {
    const event = InvocationEvent.parse({
      event_id: '00000000-0000-4000-8000-000000000001',
      ingestion_layer: 'gateway',
      ingestion_timestamp: DAY.toISOString(),
      provider: anchor.provider,
      requested_model: anchor.model,
      input_tokens: anchor.input,
      cached_input_tokens: 0,
      output_tokens: anchor.output,
    });
    const { energy } = assessImpact(event, DAY, factors);
    if (energy === null) throw new Error(`${anchor.model} has no energy`);
    const [low, central, high] = [Number(energy.low), Number(energy.central), Number(energy.high)];
    return {
      ...anchor,
      low,
      central,
      high,
      ratio: central / Math.sqrt(anchor.least * anchor.most),
      isInside: anchor.most >= low && anchor.least <= high,
    };
  });
};
