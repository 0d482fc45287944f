import type { CoverageExpectations, PathwayCoverage } from '../../schemas/coverage.ts';
import { PathwayCategory } from '../../schemas/ingestion/invocationEvent.ts';
import type { DiscoveryRecord } from './discovery.store.ts';
import type { Observation } from './heartbeat.store.ts';
import { layersOf } from './layers.ts';
import { missingOf, nextState, observedState, type PathwayState } from './pathwayState.ts';

/** All that is known of a tenant's coverage. */
export interface CoverageInput {
  readonly observations: readonly Observation[];
  readonly discoveries: readonly DiscoveryRecord[];
  readonly expectations: CoverageExpectations['expectations'];
  readonly states: ReadonlyMap<PathwayCategory, PathwayState>;
}

/** A pathway as it stands, and the state to be kept of it. */
export interface PathwayAssessment {
  readonly coverage: PathwayCoverage;
  readonly next: PathwayState;
}

const instant = (at: number): string => new Date(at).toISOString();

/** Each lane sees for itself; whoever is bound to none is shown one finding. */
const discoveredOf = (found: readonly DiscoveryRecord[]): PathwayCoverage['discovered'] =>
  [...Map.groupBy(found, ({ source, provider }) => `${source} ${provider}`).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    return {
      source: first.source,
      provider: first.provider,
      first_seen: instant(Math.min(...same.map(({ first }) => first))),
      last_seen: instant(Math.max(...same.map(({ last }) => last))),
    };
  });

/** How every pathway stands about which anything is known, at `now` (epoch milliseconds). */
export const assessPathways = (
  { observations, discoveries, expectations, states }: CoverageInput,
  now: number,
): PathwayAssessment[] =>
  PathwayCategory.options.flatMap((pathway) => {
    const ofPathway = <Of extends { pathway_category: PathwayCategory }>(one: Of) =>
      one.pathway_category === pathway;
    const layers = layersOf(
      observations.filter(({ capture }) => ofPathway(capture)),
      now,
    );
    const discovered = discoveredOf(discoveries.filter(ofPathway));
    const expected = expectations.find(ofPathway)?.layers ?? [];
    const previous = states.get(pathway) ?? null;
    const isKnown = layers.length + discovered.length + expected.length > 0;
    const wasActive = previous !== null && (previous.state === 'active' || previous.degraded_at !== null);
    if (!isKnown && !wasActive) return [];
    const observed = observedState(layers, expected, discovered.length > 0);
    const next = nextState(pathway, previous, observed, now);
    return {
      next,
      coverage: {
        pathway_category: pathway,
        state: next.state,
        since: next.since,
        layers,
        expected,
        missing: missingOf(layers, expected),
        discovered,
      },
    };
  });
