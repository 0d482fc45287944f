import type { CaptureLayer } from '../../schemas/coverage.ts';
import type { Observation } from './heartbeat.store.ts';
import { silenceThreshold } from './silenceThreshold.ts';

/** Beyond this many times its allowed silence a layer is lost. */
const LOST_AFTER = 3;

const instant = (at: number): string => new Date(at).toISOString();
const lastOf = ({ slots }: Observation): number => slots.at(-1) ?? 0;

const layerOf = (name: string, seen: readonly Observation[], now: number): CaptureLayer => {
  const slots = [...new Set(seen.flatMap((one) => one.slots))].sort((one, other) => one - other);
  const [first = now, last = now] = [slots[0], slots.at(-1)];
  const allowed = silenceThreshold(slots, now);
  const silence = now - last;
  const systems = [...Map.groupBy(seen, ({ capture }) => capture.source_system)].map(([system, of]) => ({
    source_system: system,
    last: Math.max(...of.map(lastOf)),
  }));
  return {
    ingestion_layer: name,
    status: silence <= allowed ? 'live' : silence <= LOST_AFTER * allowed ? 'silent' : 'lost',
    first_seen: instant(first),
    last_seen: instant(last),
    silence_allowed_seconds: allowed / 1_000,
    source_systems: systems
      .sort((one, other) => other.last - one.last)
      .map(({ source_system, last: at }) => ({ source_system, last_seen: instant(at) })),
  };
};

/** The layers of one pathway, by name. Source systems and lanes of a layer make one rhythm. */
export const layersOf = (seen: readonly Observation[], now: number): CaptureLayer[] =>
  [...Map.groupBy(seen, ({ capture }) => capture.ingestion_layer)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, of]) => layerOf(name, of, now));
