import type { Import } from './imports.ts';

/**
 * The domains of `functions/`, lowest layer first. A domain imports its own files and those of lower layers: never a
 * higher layer, and never another domain of its own layer. This keeps the graph of domains free of cycles.
 */
export const layers: readonly (readonly string[])[] = [
  // No knowledge of the product: AWS clients, time, ids, decimals; the mathematics of predictions; guarded outbound calls.
  ['shared', 'prediction', 'egress'],
  // The tenant and its caller, price and footprint of one call, the outbox, SQS batches, the progress of calls.
  ['tenancy', 'impact', 'events', 'queue', 'freshness'],
  // What every HTTP operation and every background job is made of.
  ['http', 'jobs'],
  // Middleware domains of the request pipeline, the ledger, and the intake of events.
  ['access', 'console', 'contract', 'idempotency', 'ingestion', 'ledger', 'limits'],
  ['audit', 'rollups'],
  // Closed days of the ledger as files. The groups of calls that k-anonymity shows together, for every feature that shows sums.
  ['archive', 'cohorts'],
  // Features that need only the layers above.
  [
    'anomalies',
    'attribution',
    'budgets',
    'credentials',
    'erasure',
    'exports',
    'oauth',
    'reference',
    'reports',
    'webhooks',
  ],
  // Features on top of other features.
  [
    'allocation',
    'corrections',
    'coverage',
    'identity',
    'lookup',
    'models',
    'notifications',
    'reconciliation',
    'users',
  ],
  ['callLogs', 'diagnostics', 'otlp', 'partner', 'sandbox', 'signals', 'tenantSettings'],
  // Lambda entry points and wiring: the only place that joins domains and reads the environment.
  ['entries'],
];

/** `functions/stores.ts` maps each need of a route to the store that serves it: types of every domain, no values. */
const STORES = 'functions/stores.ts';

const domainOf = (path: string): string | undefined => /^functions\/([^/]+)\//.exec(path)?.[1];

const layerOf = (domain: string): number => layers.findIndex((layer) => layer.includes(domain));

const ruleBrokenBy = (from: string, target: string): string | null => {
  const [fromLayer, targetLayer] = [layerOf(from), layerOf(target)];
  if (fromLayer < 0) return `functions/${from} has no layer; add it to test/architecture/layers.ts`;
  if (targetLayer < 0) return `functions/${target} has no layer; add it to test/architecture/layers.ts`;
  if (fromLayer < targetLayer)
    return `${from} (layer ${fromLayer}) is below ${target} (layer ${targetLayer})`;
  return fromLayer === targetLayer ? `${from} and ${target} share layer ${fromLayer}` : null;
};

/** One sentence for each import that breaks the order of layers: both files, and the rule. */
export const layerViolations = (imports: readonly Import[]): string[] =>
  imports.flatMap(({ from, target, typeOnly }) => {
    if (typeOnly && target === STORES) return [];
    const [domain, targetDomain] = [domainOf(from), domainOf(target)];
    if (domain === undefined || targetDomain === undefined || domain === targetDomain) return [];
    const rule = ruleBrokenBy(domain, targetDomain);
    return rule === null ? [] : [`${from} imports ${target}: ${rule}`];
  });

/** Sets of more than one folder of `functions/` that import values of each other in a cycle (Tarjan's algorithm). */
export const domainCycles = (imports: readonly Import[]): string[][] => {
  const next = new Map<string, Set<string>>();
  for (const { from, target, typeOnly } of imports) {
    const [domain, targetDomain] = [domainOf(from), domainOf(target)];
    if (typeOnly || domain === undefined || targetDomain === undefined) continue;
    next.set(domain, (next.get(domain) ?? new Set()).add(targetDomain));
  }
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const components: string[][] = [];

  const visit = (domain: string): number => {
    const own = index.size;
    index.set(domain, own);
    lowest.set(domain, own);
    stack.push(domain);
    for (const target of next.get(domain) ?? []) {
      const reached = index.has(target) ? (stack.includes(target) ? index.get(target) : own) : visit(target);
      lowest.set(domain, Math.min(lowest.get(domain) ?? own, reached ?? own));
    }
    const low = lowest.get(domain) ?? own;
    if (low === own) components.push(stack.splice(stack.indexOf(domain)));
    return low;
  };
  for (const domain of next.keys()) if (!index.has(domain)) visit(domain);
  return components.filter((component) => component.length > 1);
};
