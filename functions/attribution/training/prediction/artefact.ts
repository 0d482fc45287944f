import { deflateSync, inflateSync } from 'node:zlib';
import * as z from 'zod';
import { Calibration } from './calibration/isotonic.ts';
import { Admission } from './chargeRule.ts';
import { RegionTree } from './densityRatioTree.ts';
import { type Counts, emptyCounts, type LabelCounts } from './likelihood/naiveBayesCounts.ts';

const StoredCells = z.tuple([z.array(z.int().min(0)), z.array(z.number().min(0))]);

/** The stored form of counts. */
export const StoredCounts = z.object({
  labels: z.array(z.string()),
  all: StoredCells,
  /** By ascending bucket number. */
  buckets: z.array(z.tuple([z.int().min(0), StoredCells])),
});

/** The stored form of a trained model. */
export const Artefact = z.object({
  version: z.literal(1),
  counts: StoredCounts,
  temperature: z.number().positive(),
  /** Share of each label in traffic without labels, by label number. */
  shares: z.array(z.number().min(0).max(1)),
  calibration: Calibration,
  /** By label number and region: the share of unlabelled calls predicted as the label that labelled calls explain. */
  knownShares: z.array(RegionTree),
  /** Which predictions may be charged. */
  chargeRule: Admission.extend({
    /** By label number and region: 1 where labelled calls support the label, otherwise 0. */
    supported: z.array(RegionTree),
    /** For records that an earlier model left open. Absent in older artefacts, which may not be applied to them. */
    again: Admission.prefault({ threshold: 1 }),
  }),
  /** Hashes of the identity values of labelled calls, by field, ascending. */
  identities: z.record(z.string(), z.array(z.int())),
  /**
   * By the confidence of the rule that reads a trace: which of its names may be charged, and how many are right. Null before
   * enough outcomes, and in older artefacts.
   */
  traces: Admission.nullable().default(null),
});
export type Artefact = z.infer<typeof Artefact>;

/** Sorts the buckets, so that equal counts give equal bytes. */
export const serializeCounts = (counts: Counts): Artefact['counts'] => {
  const stored = ({ labels, weights }: LabelCounts): [number[], number[]] => [[...labels], [...weights]];
  return {
    labels: [...counts.labels],
    all: stored(counts.all),
    buckets: [...counts.buckets]
      .sort(([a], [b]) => a - b)
      .map(([bucket, cells]): [number, [number[], number[]]] => [bucket, stored(cells)]),
  };
};

/** Restores counts from their stored form. */
export const deserializeCounts = ({ labels, all, buckets }: Artefact['counts']): Counts => {
  const cells = ([numbers, weights]: [number[], number[]]): LabelCounts => ({
    total: weights.reduce((sum, weight) => sum + weight, 0),
    labels: numbers,
    weights,
  });
  return {
    ...emptyCounts(),
    labels,
    labelNumbers: new Map(labels.map((label, number) => [label, number])),
    all: cells(all),
    buckets: new Map(buckets.map(([bucket, stored]) => [bucket, cells(stored)])),
  };
};

/** Encodes as deflated JSON. */
export const encodeArtefact = (artefact: Artefact): Buffer => deflateSync(JSON.stringify(artefact));

/** Throws when the bytes are no artefact of this format version. */
export const decodeArtefact = (bytes: Uint8Array): Artefact =>
  Artefact.parse(JSON.parse(inflateSync(bytes).toString()));
