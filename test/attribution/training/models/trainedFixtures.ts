import { encodeArtefact } from '../../../../functions/attribution/training/prediction/artefact.ts';
import { encodeHeuristic } from '../../../../functions/attribution/training/prediction/heuristicTable.ts';
import { labelInLane } from '../../../../functions/attribution/training/prediction/likelihood/labelLane.ts';
import {
  type Example,
  observationOf,
} from '../../../../functions/attribution/training/prediction/observation.ts';
import { train } from '../../../../functions/attribution/training/prediction/training/train.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { anEvent } from '../../engine/events.ts';

const NOON = Date.parse('2026-05-01T12:00:00Z');
/** Enough examples for the gate, and few enough for a fast training. */
const CALLS = 600;

/** A call whose tag identifies its owner. */
export const callOf = (owner: string, members: Record<string, unknown> = {}): InvocationEvent =>
  anEvent({ tags: [`tag-${owner}`], ...members });

/** Calls of owners in turn, a second apart, each labelled with its owner. */
export const examplesOf = (owners: readonly string[], count = CALLS): Example[] =>
  Array.from({ length: count }, (_, index) => {
    const owner = owners[index % owners.length] ?? '';
    return {
      observation: observationOf(callOf(owner), NOON + index * 1_000),
      label: JSON.stringify([owner, null]),
    };
  });

/** The same calls, recorded in a lane that is not the home lane. */
export const inLane = (lane: string, examples: readonly Example[]): Example[] =>
  examples.map(({ observation, label }) => ({
    observation: { ...observation, lane },
    label: label === null ? null : labelInLane(label, lane),
  }));

/** The encoded artefact and heuristic of a training on such calls. */
export const trainedOn = (owners: readonly string[]) => encodedOn(examplesOf(owners));

export const encodedOn = (examples: readonly Example[]) => {
  const { artefact, heuristic } = train(examples);
  return { artefact: encodeArtefact(artefact), heuristic: encodeHeuristic(heuristic) };
};
