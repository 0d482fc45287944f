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
}

export interface FlowBand {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly thickness: number;
}

const NODE_WIDTH = 10;
const NODE_GAP = 14;

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
  return {
    nodes: nodes.map(({ key, x0 = 0, x1 = 0, y0 = 0, y1 = 0 }) => ({
      key: key.slice(1),
      x: x0,
      y: y0,
      width: x1 - x0,
      height: y1 - y0,
      isSource: key.startsWith('<'),
    })),
    bands: links.map((link, index) => ({
      from: visible[index]?.from ?? '',
      to: visible[index]?.to ?? '',
      path: path(link) ?? '',
      thickness: Math.max(1, link.width ?? 0),
    })),
  };
};
