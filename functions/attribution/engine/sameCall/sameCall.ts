import type { SAME_CALL_BASES } from '../../../../schemas/attribution/attributionRecord.ts';
import type { ObservedUse, ObserverKind } from '../../../ledger/records/sameCall/observedUse.ts';

/** Records that are of one call, or that may be, without that it can be told which. */
export interface CallGroup {
  readonly records: readonly string[];
  /** What shows it. */
  readonly basis: (typeof SAME_CALL_BASES)[number];
  readonly isAmbiguous: boolean;
}

/** Difference of clocks that are synchronised, and of two reports of one instant, in milliseconds. */
export const CLOSE_MS = 250;
/** Difference of the clocks of a laptop and a server. */
export const NEAR_MS = 2_000;
/** Times of one process differ by the rounding of a begin and of a duration. */
export const ROUNDING_MS = 2;

/** Records that count as one call so far, with all that was observed of it. */
interface Node {
  readonly records: readonly string[];
  readonly uses: readonly ObservedUse[];
  readonly basis?: CallGroup['basis'];
}

const shares = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
  one.some((item) => other.includes(item));

/** A gateway sees a part of the time that its caller sees. */
const isWithin = (inner: ObservedUse, outer: ObservedUse, tolerance: number): boolean =>
  inner.from >= outer.from - tolerance && inner.to <= outer.to + tolerance;

const differs = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** Two records of one observer are of two calls. So are two ids of one form, two keys, and two persons. */
export const contradicts = (one: ObservedUse, other: ObservedUse): boolean =>
  one.kind === other.kind ||
  shares(one.idStyles, other.idStyles) ||
  differs(one.key, other.key) ||
  differs(one.person, other.person);

export const coincides = (one: ObservedUse, other: ObservedUse, tolerance: number): boolean =>
  shares(one.models, other.models) && (isWithin(one, other, tolerance) || isWithin(other, one, tolerance));

/** Of one process, whose clock they share: one ran while the other did. A time alone shows no such thing. */
const ranInside = (one: ObservedUse, other: ObservedUse): boolean =>
  one.service !== undefined &&
  one.service === other.service &&
  [one, other].every(({ from, to }) => to > from) &&
  coincides(one, other, ROUNDING_MS);

/** What connects two observations, from the strongest evidence to the weakest. */
const PASSES: readonly {
  readonly basis: CallGroup['basis'];
  readonly connects: (one: ObservedUse, other: ObservedUse) => boolean;
}[] = [
  {
    basis: 'trace',
    connects: (one, other) =>
      one.trace !== undefined && one.trace === other.trace && coincides(one, other, NEAR_MS),
  },
  {
    basis: 'time',
    // Instrumentations beside each other share a trace as a rule, but some begin one for each of their spans: OpenInference for
    // LangChain and for OpenAI do in JavaScript.
    connects: (one, other) => one.nearness === other.nearness && ranInside(one, other),
  },
  ...[CLOSE_MS, NEAR_MS].map((tolerance) => ({
    basis: 'time' as const,
    connects: (one: ObservedUse, other: ObservedUse) =>
      one.nearness !== other.nearness && coincides(one, other, tolerance),
  })),
];

const canBeBeside = (one: Omit<ObserverKind, 'since'>, other: ObserverKind): boolean =>
  one.kind !== other.kind && (one.isWeak || other.isWeak);

/** Whether two observers can see one call, by the passes above, and do not know it by one id. */
const canSeeCallsOf = (one: Omit<ObserverKind, 'since'>, other: ObserverKind): boolean =>
  canBeBeside(one, other) &&
  ![one, other].some(({ isUncounted }) => isUncounted) &&
  (one.nearness !== other.nearness || (one.isTraced && other.isTraced));

/** Observers of calls that can be one with a call of this observer, with the same token counts. */
export const kindsOfUsage = (
  observer: Omit<ObserverKind, 'since'>,
  kinds: readonly ObserverKind[],
): ObserverKind[] => kinds.filter((other) => canSeeCallsOf(observer, other));

/** Whether two observers can see one call of a trace, of which one of them states no token counts. */
const canLackCounts = (one: Omit<ObserverKind, 'since'>, other: ObserverKind): boolean =>
  canBeBeside(one, other) && one.isTraced && other.isTraced && (one.isUncounted || other.isUncounted);

/**
 * Observers of calls of a trace that can be one with a call of this observer, and of which one states no token counts. Those of
 * its own calls without counts too: a call with counts shows that another one of the observer is not the one above both.
 */
export const kindsOfTrace = (
  observer: Omit<ObserverKind, 'since'>,
  kinds: readonly ObserverKind[],
): ObserverKind[] => {
  const own = kinds.filter(({ kind, isUncounted }) => kind === observer.kind && isUncounted);
  return kinds.filter((other) => [observer, ...own].some((one) => canLackCounts(one, other)));
};

const anyPair = (
  one: Node,
  other: Node,
  test: (first: ObservedUse, second: ObservedUse) => boolean,
): boolean => one.uses.some((first) => other.uses.some((second) => test(first, second)));

/** What is connected, directly or through others. */
export const componentsOf = <Item>(
  nodes: readonly Item[],
  areConnected: (one: Item, other: Item) => boolean,
): Item[][] => {
  const open = new Set(nodes);
  return nodes.flatMap((node) => {
    if (!open.delete(node)) return [];
    const component = [node];
    for (const member of component) {
      for (const other of open) {
        if (!areConnected(member, other)) continue;
        open.delete(other);
        component.push(other);
      }
    }
    return [component];
  });
};

const isConsistent = (component: readonly Node[]): boolean =>
  component.every((one, index) =>
    component.slice(index + 1).every((other) => !anyPair(one, other, contradicts)),
  );

const isConnected = (one: Node, other: Node, connects: (typeof PASSES)[number]['connects']): boolean =>
  anyPair(one, other, connects) && !anyPair(one, other, contradicts);

const nodesOf = (uses: readonly ObservedUse[]): Node[] =>
  [...Map.groupBy(uses, ({ record }) => record)]
    .map(([record, own]) => ({ records: [record], uses: own }))
    .toSorted((one, other) => ((one.records[0] ?? '') < (other.records[0] ?? '') ? -1 : 1));

/** The records whose groups depend on the observations of a record, itself included. */
export const neighboursOf = (record: string, uses: readonly ObservedUse[]): readonly string[] =>
  componentsOf(nodesOf(uses), (one, other) =>
    PASSES.some(({ connects }) => isConnected(one, other, connects)),
  )
    .map((component) => component.flatMap(({ records }) => records))
    .find((records) => records.includes(record)) ?? [];

/**
 * The calls of which several records were made, among observations with equal token counts. Records are of one call if
 * observers of different kinds made them at the same time, with the same model, and if each kind made only one. If a kind made
 * several, nobody can tell which belongs to which, and all of them count. A function of the set of observations, so the order
 * of their arrival does not matter.
 */
export const callGroups = (uses: readonly ObservedUse[]): CallGroup[] => {
  let nodes = nodesOf(uses);
  const ambiguous: CallGroup[] = [];
  for (const { basis, connects } of PASSES) {
    const components = componentsOf(nodes, (one, other) => isConnected(one, other, connects));
    nodes = components.flatMap((component) => {
      if (component.length === 1) return component;
      const records = component.flatMap((node) => node.records);
      if (isConsistent(component)) {
        return [{ records, uses: component.flatMap((node) => node.uses), basis }];
      }
      ambiguous.push({ records, basis, isAmbiguous: true });
      return [];
    });
  }
  const joined = nodes.flatMap(({ records, basis }) =>
    basis === undefined ? [] : [{ records, basis, isAmbiguous: false }],
  );
  return [...joined, ...ambiguous];
};
