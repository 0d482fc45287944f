import { deflateSync, inflateSync } from 'node:zlib';
import * as z from 'zod';
import { Calibration } from './calibration/isotonic.ts';
import { type CountsByKey, supportedKeys } from './heuristic.ts';

/** The stored form of the heuristic. */
export const HeuristicTable = z.object({
  version: z.literal(1),
  labels: z.array(z.string()),
  /** Keys with label numbers and smoothed shares, most supported key first. */
  keys: z.array(z.tuple([z.string(), z.array(z.tuple([z.int().min(0), z.number().min(0).max(1)]))])),
  calibration: Calibration,
});
export type HeuristicTable = z.infer<typeof HeuristicTable>;

/** Size limit of the encoded table. The table is the fallback when the model is not loaded, so it must load fast. */
const BYTES_MAXIMUM = 100_000;
const SHARE_DIGITS = 10_000;

const toHeuristicTable = (
  supported: ReturnType<typeof supportedKeys>,
  calibration: Calibration,
): HeuristicTable => {
  const numbers = new Map<string, number>();
  const numberOf = (label: string): number => {
    const number = numbers.get(label) ?? numbers.size;
    numbers.set(label, number);
    return number;
  };
  const keys = supported.map(([key, { labels }]): HeuristicTable['keys'][number] => [
    key,
    labels.map(({ label, share }) => [numberOf(label), Math.round(share * SHARE_DIGITS) / SHARE_DIGITS]),
  ]);
  return { version: 1, labels: [...numbers.keys()], keys, calibration };
};

/** Builds a table of the most supported keys that fit the size limit. */
export const buildHeuristicTable = (counts: CountsByKey, calibration: Calibration): HeuristicTable => {
  let supported = supportedKeys(counts);
  let table = toHeuristicTable(supported, calibration);
  while (encodeHeuristic(table).length > BYTES_MAXIMUM) {
    supported = supported.slice(0, Math.floor(supported.length * 0.8));
    table = toHeuristicTable(supported, calibration);
  }
  return table;
};

/** Encodes as deflated JSON. */
export const encodeHeuristic = (table: HeuristicTable): Buffer => deflateSync(JSON.stringify(table));

/** Throws when the bytes are no table of this format version. */
export const decodeHeuristic = (bytes: Uint8Array): HeuristicTable =>
  HeuristicTable.parse(JSON.parse(inflateSync(bytes).toString()));
