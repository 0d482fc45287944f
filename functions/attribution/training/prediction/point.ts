import type { Point } from './densityRatioTree.ts';
import type { Observation } from './observation.ts';

const octaves = (tokens: number | undefined): number => Math.log2((tokens ?? 0) + 1);

/**
 * The position of a call among the calls of a label: its typicality (natural logarithm of the likelihood ratio of its
 * features) and the octaves of its input and output size.
 */
export const pointOf = (typicality: number, observation: Observation): Point => [
  typicality,
  octaves(observation.input_tokens),
  octaves(observation.output_tokens),
];

/** How typical the call at a point is for the label. */
export const typicalityAt = ([typicality = 0]: Point): number => typicality;

/** An output token costs about as much as this many input tokens. */
const OUTPUT_PRICE = 4;

/** The size of the call at a point, in input tokens. It stands for its cost, which a training does not know. */
export const sizeAt = ([, input = 0, output = 0]: Point): number => 2 ** input + OUTPUT_PRICE * 2 ** output;
