import * as z from 'zod';
import { HOUR_MS } from '../../../schemas/durations.ts';
import { PathwayCategory } from '../../../schemas/ingest/invocationEvent.ts';
import { type CaptureLayer, CoverageState } from '../../../schemas/insight/coverage.ts';
import { isHeld } from '../../platform/shared/time/lease.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

/** Minimum time between changes from active to degraded or lost and back. It prevents repeated notifications. */
const MIN_DWELL_MS = HOUR_MS;

/** The stored state of a pathway. */
export const PathwayState = z.object({
  pathway_category: PathwayCategory,
  state: CoverageState,
  since: z.iso.datetime(),
  /** When coverage.degraded was raised for the current degradation. Null without one. */
  degraded_at: z.iso.datetime().nullable(),
});
export type PathwayState = z.infer<typeof PathwayState>;

/** The expected layers that are not live. */
export const missingOf = (layers: readonly CaptureLayer[], expected: readonly string[]): string[] => {
  const live = new Set(layers.flatMap((layer) => (layer.status === 'live' ? [layer.ingestion_layer] : [])));
  return expected.filter((name) => !live.has(name));
};

/** The state that follows from the observations alone, without the previous state. */
export const observedState = (
  layers: readonly CaptureLayer[],
  expected: readonly string[],
  isDiscovered: boolean,
): CoverageState => {
  if (layers.length === 0) return isDiscovered ? 'discovery_only' : 'not_seen';
  if (layers.every(({ status }) => status === 'lost')) return 'lost';
  if (!layers.some(({ status }) => status === 'live')) return 'degraded';
  return missingOf(layers, expected).length > 0 ? 'degraded' : 'active';
};

const FAILING: ReadonlySet<CoverageState> = new Set(['degraded', 'lost']);

/**
 * The next state of a pathway at `now` (epoch milliseconds). Returns `previous` itself when nothing changes. A degraded
 * or lost pathway becomes lost, not not_seen, when its last observation expires.
 */
export const nextState = (
  pathway: PathwayCategory,
  previous: PathwayState | null,
  observed: CoverageState,
  now: number,
): PathwayState => {
  const at = toIso(now);
  if (previous === null) return { pathway_category: pathway, state: observed, since: at, degraded_at: null };
  const state = observed === 'not_seen' && FAILING.has(previous.state) ? 'lost' : observed;
  if (state === previous.state) return previous;
  const isDegrading = previous.state === 'active';
  const isRestoring = state === 'active' && FAILING.has(previous.state);
  const dwell = { until: Date.parse(previous.since) + MIN_DWELL_MS };
  if ((isDegrading || isRestoring) && isHeld(dwell, MIN_DWELL_MS, now)) return previous;
  const degradedAt = state === 'active' ? null : isDegrading ? at : previous.degraded_at;
  return { pathway_category: pathway, state, since: at, degraded_at: degradedAt };
};

/** The event type of a state change: once on leaving active, once on returning to it. Null for any other change. */
export const transitionEventType = (
  previous: PathwayState | null,
  next: PathwayState,
): 'coverage.degraded' | 'coverage.restored' | null => {
  if (previous === null || previous.degraded_at === next.degraded_at) return null;
  return next.degraded_at === null ? 'coverage.restored' : 'coverage.degraded';
};
