import type { Import } from './imports.ts';

/** A part of `functions/`: the folders that answer one question of a reader. */
export interface Shelf {
  readonly name: string;
  /** What a reader looks for here. */
  readonly holds: string;
  /** Highest first. A folder imports those after it, and the shelves below. Files beside the folders stand above them. */
  readonly folders: readonly string[];
}

/**
 * The shelves of `functions/`, highest first. Imports run downwards only, type imports included: to a lower shelf, or to a
 * lower folder of the same shelf. So any shelf is understood with the shelves below it, and none with those above.
 */
export const shelves: readonly Shelf[] = [
  {
    name: 'entries',
    holds: 'Which Lambda functions exist, and what they are wired to. Only this shelf reads the environment',
    folders: ['api', 'workers', 'wiring', 'stores'],
  },
  {
    name: 'tenants',
    holds: 'What a tenant configures, and how it is doing',
    folders: ['jobs', 'diagnostics', 'sandbox', 'settings'],
  },
  {
    name: 'chargeback',
    holds: 'Files for finance, and bills of providers',
    folders: ['exports', 'reconciliation', 'periods'],
  },
  {
    name: 'insight',
    holds: 'Answers about spend',
    folders: [
      'subscriptions',
      'annotations',
      'savedViews',
      'anomalies',
      'coverage',
      'lookup',
      'budgets',
      'unowned',
      'metrics',
      'savings',
      'reports',
      'periods',
      'trends',
    ],
  },
  {
    name: 'attribution',
    holds: 'Who made a call, and how sure that is',
    folders: ['allocation', 'corrections', 'training', 'engine', 'mappings'],
  },
  {
    name: 'ingest',
    holds: 'How events come in',
    folders: ['callLogs', 'otlp', 'rows', 'spans', 'events', 'formats'],
  },
  {
    name: 'delivery',
    holds: 'What leaves the service by itself',
    folders: ['notifications', 'webhooks'],
  },
  {
    name: 'ledger',
    holds: 'What is stored about calls, and its sums',
    folders: ['cohorts', 'erasure', 'archive', 'freshness', 'rollups', 'records'],
  },
  {
    name: 'identity',
    holds: 'Who may do what, and who did',
    folders: ['oauth', 'users', 'credentials', 'audit', 'access'],
  },
  {
    name: 'impact',
    holds: 'Cost, energy and carbon of one call',
    folders: ['price', 'footprint', 'usage'],
  },
  {
    name: 'platform',
    holds: 'What every feature stands on, and nothing of the product',
    folders: [
      'apiDocs',
      'console',
      'customerBuckets',
      'egress',
      'idempotency',
      'jobs',
      'schedule',
      'limits',
      'http',
      'outbox',
      'queue',
      'tenancy',
      'shared',
    ],
  },
];

/** `functions/stores.ts` has the types of the stores that serve each need: types of every shelf, no values. */
const STORES = 'functions/stores.ts';

interface Place {
  readonly shelf: string;
  /** Undefined for a file beside the folders of its shelf. */
  readonly folder: string | undefined;
}

const placeOf = (path: string): Place | undefined => {
  const [, shelf, folder] = /^functions\/([^/]+)\/(?:([^/]+)\/)?[^/]+$/.exec(path) ?? [];
  return shelf === undefined ? undefined : { shelf, folder };
};

const ruleBrokenBy = (from: Place, target: Place): string | null => {
  const [fromShelf, targetShelf] = [from, target].map(({ shelf }) =>
    shelves.findIndex(({ name }) => name === shelf),
  );
  const shelf = shelves[fromShelf ?? -1];
  if (shelf === undefined || fromShelf === undefined) return `no shelf has the name ${from.shelf}`;
  if (targetShelf === undefined || targetShelf < 0) return `no shelf has the name ${target.shelf}`;
  if (fromShelf !== targetShelf)
    return fromShelf < targetShelf ? null : `the shelf ${from.shelf} is below ${target.shelf}`;
  if (from.folder === target.folder || from.folder === undefined) return null;
  if (target.folder === undefined) return `files beside the folders of ${from.shelf} stand above them`;
  const [fromFolder, targetFolder] = [from.folder, target.folder].map((name) => shelf.folders.indexOf(name));
  return (fromFolder ?? -1) < (targetFolder ?? -1)
    ? null
    : `${from.shelf}/${from.folder} is below ${target.shelf}/${target.folder}`;
};

/** One sentence for each import that runs upwards: both files, and the rule. */
export const upwardImports = (imports: readonly Import[]): string[] =>
  imports.flatMap(({ from, target, typeOnly }) => {
    if (typeOnly && target === STORES) return [];
    const [place, targetPlace] = [placeOf(from), placeOf(target)];
    if (place === undefined || targetPlace === undefined) return [];
    const rule = ruleBrokenBy(place, targetPlace);
    return rule === null ? [] : [`${from} imports ${target}: ${rule}`];
  });

/** Each shelf with the shelves that it imports, in the order of `shelves`. */
export const importedShelves = (imports: readonly Import[]): ReadonlyMap<string, readonly string[]> => {
  const pairs = imports.flatMap(({ from, target }) => {
    const [shelf, targetShelf] = [placeOf(from)?.shelf, placeOf(target)?.shelf];
    return shelf === undefined || targetShelf === undefined ? [] : [`${shelf} ${targetShelf}`];
  });
  const found = new Set(pairs);
  return new Map(
    shelves.map(({ name }) => [
      name,
      shelves.map((other) => other.name).filter((other) => other !== name && found.has(`${name} ${other}`)),
    ]),
  );
};

/** Sets of files that import each other in a circle, type imports included (Tarjan's algorithm). */
export const circles = (imports: readonly Import[]): string[][] => {
  const next = new Map<string, Set<string>>();
  for (const { from, target } of imports) next.set(from, (next.get(from) ?? new Set()).add(target));
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const components: string[][] = [];

  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    lowest.set(file, own);
    stack.push(file);
    for (const target of next.get(file) ?? []) {
      const reached = index.has(target) ? (stack.includes(target) ? index.get(target) : own) : visit(target);
      lowest.set(file, Math.min(lowest.get(file) ?? own, reached ?? own));
    }
    const low = lowest.get(file) ?? own;
    if (low === own) components.push(stack.splice(stack.indexOf(file)));
    return low;
  };
  for (const file of next.keys()) if (!index.has(file)) visit(file);
  return components.filter((component) => component.length > 1);
};
