import type { PathwayCoverage } from '../../../../sdk/typescript/src/types.ts';
import { Pill } from '../../components/Pill.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatAgo, formatDayOfYear, formatDuration } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import { layerTone, pathwayStatus } from './coverageState.ts';

interface CoverageMatrixProps {
  readonly pathways: readonly PathwayCoverage[];
  readonly asOf: number;
}

/** One row for each pathway, one column for each layer that captures or should capture anything. */
export const CoverageMatrix = ({ pathways, asOf }: CoverageMatrixProps) => {
  const layers = [
    ...new Set(
      pathways.flatMap((pathway) => [
        ...pathway.layers.map(({ ingestion_layer: layer }) => layer),
        ...pathway.expected,
      ]),
    ),
  ].sort();
  const columns: readonly Column<PathwayCoverage>[] = [
    {
      title: wordFor('pathway_category'),
      cell: ({ pathway_category: category, discovered }) => (
        <>
          {wordFor(category)}
          {discovered.length > 0 && (
            <span className="sub">
              Seen by{' '}
              {discovered.map(({ source, provider }) => `${wordFor(source)} (${provider})`).join(', ')}
            </span>
          )}
        </>
      ),
    },
    {
      title: 'State',
      cell: ({ state, since }) => (
        <>
          <Pill tone={pathwayStatus[state].tone}>{pathwayStatus[state].text}</Pill>
          {since !== null && <span className="sub">since {formatDayOfYear(since)}</span>}
        </>
      ),
    },
    ...layers.map(
      (layer): Column<PathwayCoverage> => ({
        title: wordFor(layer),
        cell: (pathway) => <Cell pathway={pathway} layer={layer} asOf={asOf} />,
      }),
    ),
  ];
  return (
    <Table
      label="Coverage"
      columns={columns}
      rows={pathways}
      keyOf={({ pathway_category: category }) => category}
    />
  );
};

const Cell = ({ pathway, layer, asOf }: { pathway: PathwayCoverage; layer: string; asOf: number }) => {
  const found = pathway.layers.find(({ ingestion_layer: own }) => own === layer);
  if (found === undefined)
    return pathway.expected.includes(layer) ? (
      <Pill tone="warn">expected, missing</Pill>
    ) : (
      <span className="quiet">not used</span>
    );
  return (
    <>
      <Pill tone={layerTone[found.status]}>{found.status}</Pill>
      <span className="sub">
        {formatAgo(found.last_seen, asOf)}, silence allowed {formatDuration(found.silence_allowed_seconds)}
      </span>
    </>
  );
};
