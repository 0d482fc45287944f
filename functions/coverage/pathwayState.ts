import * as z from 'zod';
import { type CaptureLayer, CoverageState } from '../../schemas/coverage.ts';
import { PathwayCategory } from '../../schemas/ingestion/invocationEvent.ts';

/** A state between active and degraded or lost lasts this long at least, in milliseconds. */
const MIN_DWELL_MS = 60 * 60 * 1_000;

/** Where a pathway stands, as it is kept. */
export const PathwayState = z.object({
  pathway_category: PathwayCategory,
  state: CoverageState,
  since: z.iso.datetime(),
  /** When coverage.degraded was raised for what is wrong now; null while nothing is. */
  degraded_at: z.iso.datetime().nullable(),
});
export type PathwayState = z.infer<typeof PathwayState>;

/** Expected layers that are not live. */
export const missingOf = (layers: readonly CaptureLayer[], expected: readonly string[]): string[] => {
  const live = new Set(layers.flatMap((layer) => (layer.status === 'live' ? [layer.ingestion_layer] : [])));
  return expected.filter((name) => !live.has(name));
};

/** What the sightings of a pathway amount to, whatever was before. */
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
 * Where a pathway stands next, at `now` (epoch milliseconds); the same object where nothing changes. What was lost
 * stays lost when its last sighting is forgotten.
 */
export const nextState = (
  pathway: PathwayCategory,
  previous: PathwayState | null,
  observed: CoverageState,
  now: number,
): PathwayState => {
  const at = new Date(now).toISOString();
  if (previous === null) return { pathway_category: pathway, state: observed, since: at, degraded_at: null };
  const state = observed === 'not_seen' && FAILING.has(previous.state) ? 'lost' : observed;
  if (state === previous.state) return previous;
  const isFalling = previous.state === 'active';
  const isRising = state === 'active' && FAILING.has(previous.state);
  if ((isFalling || isRising) && now - Date.parse(previous.since) < MIN_DWELL_MS) return previous;
  const degradedAt = state === 'active' ? null : isFalling ? at : previous.degraded_at;
  return { pathway_category: pathway, state, since: at, degraded_at: degradedAt };
};

/** What a move is told as, if at all: leaving active, and coming back to it, once each. */
export const transitionEventType = (
  previous: PathwayState | null,
  next: PathwayState,
): 'coverage.degraded' | 'coverage.restored' | null => {
  if (previous === null || previous.degraded_at === next.degraded_at) return null;
  return next.degraded_at === null ? 'coverage.restored' : 'coverage.degraded';
};
