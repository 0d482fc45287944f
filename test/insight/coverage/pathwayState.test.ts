import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  nextState,
  observedState,
  type PathwayState,
  transitionEventType,
} from '../../../functions/insight/coverage/pathwayState.ts';
import { type CaptureLayer, CoverageState } from '../../../schemas/insight/coverage.ts';

const HOUR = 60 * 60 * 1_000;
const NOW = Date.parse('2026-05-01T12:00:00Z');

const layer = (ingestion_layer: string, status: CaptureLayer['status']): CaptureLayer => ({
  ingestion_layer,
  status,
  first_seen: '2026-04-01T00:00:00.000Z',
  last_seen: '2026-05-01T00:00:00.000Z',
  silence_allowed_seconds: 3_600,
  source_systems: [],
});

describe('observedState', () => {
  it.each([
    ['active', [layer('gateway', 'live')], [], false],
    ['active', [layer('gateway', 'live'), layer('proxy', 'lost')], [], false],
    ['active', [layer('gateway', 'live'), layer('proxy', 'lost')], ['gateway'], true],
    ['degraded', [layer('gateway', 'live'), layer('proxy', 'silent')], ['gateway', 'proxy'], false],
    ['degraded', [layer('gateway', 'live')], ['proxy'], false],
    ['degraded', [layer('gateway', 'silent'), layer('proxy', 'lost')], [], true],
    ['lost', [layer('gateway', 'lost')], [], true],
    ['discovery_only', [], ['gateway'], true],
    ['not_seen', [], ['gateway'], false],
  ] as const)(
    'is %s for the layers %o when the layers %o are expected',
    (state, layers, expected, isDiscovered) => {
      expect(observedState(layers, expected, isDiscovered)).toBe(state);
    },
  );
});

/** Applies observed states with the given pauses. Returns the last state and the event types in order. */
const applyObservations = (observations: readonly (readonly [CoverageState, number])[]) => {
  let state: PathwayState | null = null;
  let now = NOW;
  const eventTypes: string[] = [];
  for (const [observed, pause] of observations) {
    now += pause;
    const next = nextState('gateway_mediated', state, observed, now);
    const move = transitionEventType(state, next);
    if (move !== null) eventTypes.push(move);
    state = next;
  }
  return { state, eventTypes };
};

describe('events of state changes', () => {
  it('contain one degraded and one restored event for a degradation', () => {
    const { state, eventTypes } = applyObservations([
      ['active', 0],
      ['degraded', 2 * HOUR],
      ['degraded', 2 * HOUR],
      ['lost', 2 * HOUR],
      ['active', 2 * HOUR],
      ['active', 2 * HOUR],
    ]);

    expect(eventTypes).toEqual(['coverage.degraded', 'coverage.restored']);
    expect(state).toMatchObject({ state: 'active', degraded_at: null });
  });

  it('are empty for a pathway that was never active', () => {
    expect(
      applyObservations([
        ['not_seen', 0],
        ['discovery_only', 2 * HOUR],
        ['degraded', 2 * HOUR],
        ['active', 2 * HOUR],
      ]).eventTypes,
    ).toEqual([]);
  });

  it('ignore changes within one hour', () => {
    const minutes = 10 * 60 * 1_000;

    const { eventTypes } = applyObservations([
      ['active', 0],
      ['degraded', 2 * HOUR],
      ['active', minutes],
      ['degraded', minutes],
      ['active', minutes],
      ['degraded', minutes],
    ]);

    expect(eventTypes).toEqual(['coverage.degraded']);
  });

  it('keep a pathway lost when its last observation expires, and restore it after any other state', () => {
    const forgotten = applyObservations([
      ['active', 0],
      ['lost', 2 * HOUR],
      ['not_seen', 2 * HOUR],
    ]);
    const back = applyObservations([
      ['active', 0],
      ['lost', 2 * HOUR],
      ['discovery_only', 2 * HOUR],
      ['active', 2 * HOUR],
    ]);

    expect(forgotten.state).toMatchObject({ state: 'lost' });
    expect(back.eventTypes).toEqual(['coverage.degraded', 'coverage.restored']);
  });

  it('alternate between degraded and restored, and match degraded_at', () => {
    const observations = fc.array(
      fc.tuple(fc.constantFrom(...CoverageState.options), fc.nat({ max: 3 * HOUR })),
      { minLength: 1, maxLength: 40 },
    );

    fc.assert(
      fc.property(observations, (observed) => {
        const { state, eventTypes } = applyObservations(observed);

        expect(eventTypes).toEqual(
          eventTypes.map((_, index) => (index % 2 === 0 ? 'coverage.degraded' : 'coverage.restored')),
        );
        expect(state?.degraded_at !== null).toBe(eventTypes.length % 2 === 1);
        if (state?.state === 'active') expect(state.degraded_at).toBeNull();
      }),
    );
  });
});
