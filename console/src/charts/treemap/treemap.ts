import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';

export interface TreeNode {
  readonly key: string;
  /** For leaves: the area. */
  readonly value?: number;
  readonly children?: readonly TreeNode[];
}

export interface Tile {
  readonly key: string;
  /** The keys from the top level down to this tile. */
  readonly path: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isLeaf: boolean;
}

/** Height of the name above the tiles of a branch. It is a button, so it has the least size of a target. */
export const HEADER = 24;

/** Divides a box into tiles whose areas are proportional to the values. Branches keep a strip for their name. */
export const layoutTreemap = (children: readonly TreeNode[], width: number, height: number): Tile[] => {
  const root = hierarchy<TreeNode>({ key: '', children }, (node) => node.children)
    .sum((node) => Math.max(0, node.value ?? 0))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const placed = treemap<TreeNode>()
    .size([width, height])
    .tile(treemapSquarify.ratio(1.4))
    .paddingInner(2)
    .paddingTop(({ depth, height: levels }) => (depth > 0 && levels > 0 ? HEADER : 0))
    .round(true)(root);
  return placed
    .descendants()
    .filter(({ depth, x0, x1, y0, y1 }) => depth > 0 && x1 > x0 && y1 > y0)
    .map((node) => ({
      key: node.data.key,
      path: node
        .ancestors()
        .toReversed()
        .slice(1)
        .map(({ data }) => data.key),
      x: node.x0,
      y: node.y0,
      width: node.x1 - node.x0,
      height: node.y1 - node.y0,
      isLeaf: node.children === undefined,
    }));
};
