import type { CaptureLayer, Integration, PathwayCoverage } from '../../../../sdk/typescript/src/types.ts';
import type { Tone } from '../../components/tone.ts';

export const pathwayStatus: Readonly<
  Record<PathwayCoverage['state'], { readonly tone: Tone; readonly text: string }>
> = {
  active: { tone: 'good', text: 'captured' },
  degraded: { tone: 'warn', text: 'degraded' },
  lost: { tone: 'bad', text: 'lost' },
  discovery_only: { tone: 'warn', text: 'seen, not captured' },
  not_seen: { tone: 'warn', text: 'never seen' },
};

export const layerTone: Readonly<Record<CaptureLayer['status'], Tone>> = {
  live: 'good',
  silent: 'warn',
  lost: 'bad',
};

/** An integration that was never used is a choice, not a fault. */
export const integrationTone: Readonly<Record<Integration['status'], Tone>> = {
  ...layerTone,
  not_seen: 'plain',
};
