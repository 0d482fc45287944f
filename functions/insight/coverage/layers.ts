import type { CaptureLayer } from '../../../schemas/insight/coverage.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Observation } from './heartbeat.store.ts';
import { silenceThreshold } from './silenceThreshold.ts';

/** A layer that is silent for this many times its silence threshold is lost. */
const LOST_AFTER_THRESHOLDS = 3;

const lastOf = ({ slots }: Observation): number => slots.at(-1) ?? 0;

/** When something was captured, and whether its silence is longer than usual. Times are epoch milliseconds. */
export interface CaptureActivity {
  readonly status: CaptureLayer['status'];
  readonly first: number;
  readonly last: number;
  /** Milliseconds. */
  readonly threshold: number;
}

/** The activity of all observations together, of which there must be at least one. */
export const activityOf = (observations: readonly Observation[], now: number): CaptureActivity => {
  const slots = [...new Set(observations.flatMap((one) => one.slots))].sort((one, other) => one - other);
  const [first = now, last = now] = [slots[0], slots.at(-1)];
  const threshold = silenceThreshold(slots, now);
  const silence = now - last;
  const status =
    silence <= threshold ? 'live' : silence <= LOST_AFTER_THRESHOLDS * threshold ? 'silent' : 'lost';
  return { status, first, last, threshold };
};

const layerOf = (name: string, observations: readonly Observation[], now: number): CaptureLayer => {
  const { status, first, last, threshold } = activityOf(observations, now);
  const systems = [...Map.groupBy(observations, ({ capture }) => capture.source_system)].map(
    ([system, group]) => ({
      source_system: system,
      last: Math.max(...group.map(lastOf)),
    }),
  );
  return {
    ingestion_layer: name,
    status,
    first_seen: toIso(first),
    last_seen: toIso(last),
    silence_allowed_seconds: threshold / 1_000,
    source_systems: systems
      .sort((one, other) => other.last - one.last)
      .map(({ source_system, last: at }) => ({ source_system, last_seen: toIso(at) })),
  };
};

/** The layers of one pathway, by name. A layer has one silence threshold over all its source systems and lanes. */
export const layersOf = (observations: readonly Observation[], now: number): CaptureLayer[] =>
  [...Map.groupBy(observations, ({ capture }) => capture.ingestion_layer)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, group]) => layerOf(name, group, now));
