import type { Import } from './imports.ts';
import { importedShelves, shelves } from './shelves.ts';

/** The part of `docs/architecture.md` between these lines follows from the imports. */
const BEGIN = '<!-- Generated from test/architecture/shelves.ts and the imports. -->';
const END = '<!-- End of the generated part. -->';

/** An arrow that follows from two others is left out: what a shelf imports may import the target itself. */
const drawnArrows = (graph: ReadonlyMap<string, readonly string[]>): string[] => {
  // Without a path back, so that an upward import fails the test of shelves and not this one.
  const reaches = (from: string, target: string, passed: readonly string[] = []): boolean =>
    (graph.get(from) ?? []).some(
      (next) => next === target || (!passed.includes(next) && reaches(next, target, [...passed, next])),
    );
  return [...graph].flatMap(([from, targets]) =>
    targets
      .filter((target) => !targets.some((other) => other !== target && reaches(other, target)))
      .map((target) => `  ${from} --> ${target}`),
  );
};

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** A table of the shelves with what each imports, and the graph of these imports. */
export const renderShelves = (imports: readonly Import[]): string => {
  const graph = importedShelves(imports);
  const rows = shelves.map(({ name, folders, holds }) => `| \`${name}\` | ${list(folders)} | ${holds} |`);
  return [
    '| Shelf | Folders, highest first | What a reader looks for here |',
    '|---|---|---|',
    ...rows,
    '',
    '```mermaid',
    'flowchart TD',
    ...drawnArrows(graph),
    '```',
  ].join('\n');
};

/** The page with its generated part rendered again. Throws if a marker is missing. */
export const withShelves = (page: string, rendered: string): string => {
  const [before, rest] = page.split(`${BEGIN}\n`);
  const after = rest?.split(`\n${END}`)[1];
  if (before === undefined || after === undefined)
    throw new Error(`the page needs the lines ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n${rendered}\n${END}${after}`;
};
