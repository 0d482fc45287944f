import { sankey, sankeyJustify, sankeyLinkHorizontal } from 'd3-sankey';

export interface Flow {
  readonly from: string;
  readonly to: string;
  readonly value: number;
}

export interface FlowNode {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isSource: boolean;
  /** The middle of its label: that of the node, or as near as the labels above and below allow. */
  readonly labelY: number;
}

export interface FlowBand {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly thickness: number;
}

const NODE_WIDTH = 10;
const NODE_GAP = 14;
/** Two lines of text with a gap. */
const LABEL_HEIGHT = 32;

/** The height at which the labels of both sides fit. */
export const flowHeight = (flows: readonly Flow[], minimum: number): number => {
  const visible = flows.filter(({ value }) => value > 0);
  const count = (ends: readonly string[]): number => new Set(ends).size;
  const most = Math.max(count(visible.map(({ from }) => from)), count(visible.map(({ to }) => to)));
  return Math.max(minimum, most * LABEL_HEIGHT);
};

/**
 * Moves positions apart, so that each is at least `gap` from the next and half a gap from both ends. They stay in order, and
 * near where they were.
 */
const spread = (positions: readonly number[], gap: number, length: number): number[] => {
  const placed: number[] = [];
  const order = positions.map((_, index) => index).sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
  let lowest = gap / 2;
  for (const index of order) {
    placed[index] = Math.max(positions[index] ?? 0, lowest);
    lowest = placed[index] + gap;
  }
  let highest = length - gap / 2;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, highest);
    highest = placed[index] - gap;
  }
  return placed;
};

/** Places flows from sources on the left to targets on the right. A name may be on both sides without being one node. */
export const layoutFlows = (
  flows: readonly Flow[],
  width: number,
  height: number,
): { readonly nodes: readonly FlowNode[]; readonly bands: readonly FlowBand[] } => {
  const visible = flows.filter(({ value }) => value > 0);
  if (visible.length === 0) return { nodes: [], bands: [] };
  const keys = new Set(visible.flatMap(({ from, to }) => [`<${from}`, `>${to}`]));
  const { nodes, links } = sankey<{ key: string }, object>()
    .nodeId(({ key }) => key)
    .nodeAlign(sankeyJustify)
    .nodeWidth(NODE_WIDTH)
    .nodePadding(NODE_GAP)
    .extent([
      [0, 0],
      [width, height],
    ])({
    nodes: [...keys].map((key) => ({ key })),
    links: visible.map(({ from, to, value }) => ({ source: `<${from}`, target: `>${to}`, value })),
  });
  const path = sankeyLinkHorizontal();
  const placed = nodes.map(({ key, x0 = 0, x1 = 0, y0 = 0, y1 = 0 }) => ({
    key: key.slice(1),
    x: x0,
    y: y0,
    width: x1 - x0,
    height: y1 - y0,
    isSource: key.startsWith('<'),
  }));
  const labelled = (side: typeof placed): FlowNode[] => {
    const middles = spread(
      side.map(({ y, height: tall }) => y + tall / 2),
      LABEL_HEIGHT,
      height,
    );
    return side.map((node, index) => ({ ...node, labelY: middles[index] ?? node.y }));
  };
  return {
    nodes: [true, false].flatMap((isSource) => labelled(placed.filter((node) => node.isSource === isSource))),
    bands: links.map((link, index) => ({
      from: visible[index]?.from ?? '',
      to: visible[index]?.to ?? '',
      path: path(link) ?? '',
      thickness: Math.max(1, link.width ?? 0),
    })),
  };
};
