export interface RouteMatch<T> {
  routeKey: string;
  target: T;
  /** Path parameters, percent-decoded. */
  parameters: Record<string, string>;
}

export type Router<T> = (method: string, rawPath: string) => RouteMatch<T> | undefined;

interface Leaf<T> {
  routeKey: string;
  target: T;
  names: string[];
}

interface Node<T> {
  fixed: Map<string, Node<T>>;
  parameter?: Node<T>;
  /** `{name+}`, which matches the rest of the path. */
  greedy?: Map<string, Leaf<T>>;
  methods: Map<string, Leaf<T>>;
}

const emptyNode = <T>(): Node<T> => ({ fixed: new Map(), methods: new Map() });

const DEFAULT = '$default';

/**
 * Selects routes as an HTTP API does: full match, then greedy match, then `$default`. A fixed segment wins over a
 * parameter, and a method over ANY. Paths are split before decoding, so an encoded slash stays in its segment.
 */
export function createRouter<T>(routes: { routeKey: string; target: T }[]): Router<T> {
  const root = emptyNode<T>();
  let fallback: Leaf<T> | undefined;
  for (const { routeKey, target } of routes) {
    if (routeKey === DEFAULT) fallback = { routeKey, target, names: [] };
    else insert(root, routeKey, target);
  }
  return (method, rawPath) => {
    const segments = rawPath.split('/').slice(1);
    const match = findLeaf(root, segments, method, false) ?? findLeaf(root, segments, method, true);
    if (match) return toRouteMatch(match.leaf, match.values);
    return fallback && toRouteMatch(fallback, []);
  };
}

function insert<T>(root: Node<T>, routeKey: string, target: T): void {
  const [method = '', path = ''] = routeKey.split(' ');
  const leaf: Leaf<T> = { routeKey, target, names: [] };
  let node = root;
  for (const segment of path.split('/').slice(1)) {
    const [, name, greedy] = /^\{([^}+]+)(\+?)\}$/.exec(segment) ?? [];
    if (name) leaf.names.push(name);
    if (greedy) {
      node.greedy ??= new Map();
      node.greedy.set(method, leaf);
      return;
    }
    node = name ? ensureParameterNode(node) : ensureFixedNode(node, segment);
  }
  node.methods.set(method, leaf);
}

function ensureParameterNode<T>(node: Node<T>): Node<T> {
  node.parameter ??= emptyNode();
  return node.parameter;
}

function ensureFixedNode<T>(node: Node<T>, segment: string): Node<T> {
  const existing = node.fixed.get(segment);
  if (existing) return existing;
  const created = emptyNode<T>();
  node.fixed.set(segment, created);
  return created;
}

interface LeafMatch<T> {
  leaf: Leaf<T>;
  values: string[];
}

function findLeaf<T>(
  node: Node<T>,
  segments: string[],
  method: string,
  greedy: boolean,
): LeafMatch<T> | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return leafFor(node.methods, method, []);
  const fixed = node.fixed.get(segment);
  const exact = fixed && findLeaf(fixed, rest, method, greedy);
  if (exact) return exact;
  // A parameter needs a value: /a/ does not match /a/{id}.
  if (segment === '' && rest.length === 0) return undefined;
  const deeper =
    node.parameter && segment !== '' ? findLeaf(node.parameter, rest, method, greedy) : undefined;
  if (deeper) return { leaf: deeper.leaf, values: [segment, ...deeper.values] };
  return greedy && node.greedy ? leafFor(node.greedy, method, [segments.join('/')]) : undefined;
}

function leafFor<T>(
  leaves: Map<string, Leaf<T>>,
  method: string,
  values: string[],
): LeafMatch<T> | undefined {
  const leaf = leaves.get(method) ?? leaves.get('ANY');
  return leaf && { leaf, values };
}

const toRouteMatch = <T>({ routeKey, target, names }: Leaf<T>, values: string[]): RouteMatch<T> => ({
  routeKey,
  target,
  parameters: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')])),
});
