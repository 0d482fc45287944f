import { MINUTE_MS } from '../../../../schemas/durations.ts';
import { setBounded } from '../../../platform/shared/caches/boundedMap.ts';
import { isHeld } from '../../../platform/shared/time/lease.ts';
import { partitionOf } from './traceRow.store.ts';
import type { TraceLane } from './traceSpan.ts';

/** How the spans of a trace are stored. */
type TraceState = 'packed' | 'indexed';

/** Traces that a process remembers. */
const CAPACITY = 10_000;
/**
 * How long a process trusts what it remembers of a trace. The reset of a sandbox deletes its rows, and so does an erasure, after which
 * the id of the tenant may be given again. A reset deletes twice, and waits longer than this in between.
 */
const LIFETIME_MS = MINUTE_MS;

/** What a process knows about the rows of traces. `at`: the current time. */
export const knownTraces = () => {
  const known = new Map<string, { readonly state: TraceState; readonly until: number }>();
  return {
    stateOf: (trace: TraceLane, at: number): TraceState | null => {
      const found = known.get(partitionOf(trace));
      return found !== undefined && isHeld(found, LIFETIME_MS, at) ? found.state : null;
    },
    remember: (trace: TraceLane, state: TraceState, at: number): void =>
      setBounded(known, partitionOf(trace), { state, until: at + LIFETIME_MS }, CAPACITY),
  };
};
