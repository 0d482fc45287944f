import { PathwayCategory } from '../../../schemas/ingest/invocationEvent.ts';
import type { CoverageExpectations, PathwayCoverage } from '../../../schemas/insight/coverage.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { DiscoveryRecord } from './discovery.store.ts';
import type { Observation } from './heartbeat.store.ts';
import { layersOf } from './layers.ts';
import { missingOf, nextState, observedState, type PathwayState } from './pathwayState.ts';

/** Input of {@link assessPathways}: observations, discoveries, expectations and stored states of a tenant. */
export interface CoverageInput {
  readonly observations: readonly Observation[];
  readonly discoveries: readonly DiscoveryRecord[];
  readonly expectations: CoverageExpectations['expectations'];
  readonly states: ReadonlyMap<PathwayCategory, PathwayState>;
}

/** The coverage of a pathway, and the state to store. */
export interface PathwayAssessment {
  readonly coverage: PathwayCoverage;
  readonly next: PathwayState;
}

/** Merges the discoveries of several lanes by source and provider. */
const discoveredOf = (discoveries: readonly DiscoveryRecord[]): PathwayCoverage['discovered'] =>
  [...Map.groupBy(discoveries, ({ source, provider }) => `${source} ${provider}`).values()].flatMap(
    (duplicates) => {
      const [first] = duplicates;
      if (first === undefined) return [];
      return {
        source: first.source,
        provider: first.provider,
        first_seen: toIso(Math.min(...duplicates.map(({ first }) => first))),
        last_seen: toIso(Math.max(...duplicates.map(({ last }) => last))),
      };
    },
  );

/** The coverage of every pathway for which there is any data, at `now` (epoch milliseconds). */
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
