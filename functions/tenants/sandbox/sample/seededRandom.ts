import { createHash } from 'node:crypto';
import { mulberry32 } from '../../../platform/shared/mulberry32.ts';

/** A stream of pseudo-random draws, determined by a name. */
export interface Draws {
  /** Uniform in [0, 1). */
  readonly uniform: () => number;
  /** Normal with mean 0 and deviation 1 (Box and Muller 1958, doi:10.1214/aoms/1177706645). */
  readonly normal: () => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
}

export const digestOf = (name: string): Buffer => createHash('sha256').update(name).digest();

export const seededDraws = (name: string): Draws => {
  const uniform = mulberry32(digestOf(name).readInt32LE(0));
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    chance: (probability) => uniform() < probability,
    pick: (items) => items[Math.floor(uniform() * items.length)] ?? items[0],
  };
};

/** Selects an item by weight. `position` is a point in [0, 1) on the cumulative weights. */
export const pickWeighted = <Item extends { readonly share: number }>(
  items: readonly [Item, ...Item[]],
  position: number,
): Item => {
  let remaining = position * items.reduce((sum, { share }) => sum + share, 0);
  for (const item of items) {
    remaining -= item.share;
    if (remaining < 0) return item;
  }
  return items[0];
};
