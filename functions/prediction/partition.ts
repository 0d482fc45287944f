import * as z from 'zod';
import type { Shape } from './shapes.ts';

/** Values by region of shapes: a region, or a cut along one axis and the partitions on its two sides. */
export const Partition = z.union([
  z.number(),
  z.object({
    axis: z.int().min(0),
    at: z.number(),
    get below() {
      return Partition;
    },
    get above() {
      return Partition;
    },
  }),
]);
export type Partition = number | Cut;
interface Cut {
  readonly axis: number;
  readonly at: number;
  readonly below: Partition;
  readonly above: Partition;
}
