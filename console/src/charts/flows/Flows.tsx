import { useId } from 'react';
import { Empty } from '../../components/reading/Empty.tsx';
import { formatAmount, type Measure } from '../../format/amount.ts';
import { HIDDEN } from '../../format/words.ts';
import { REST, type Style } from '../palette.ts';
import { fillOf, Textures } from '../Textures.tsx';
import { usePalette } from '../usePalette.ts';
import { useWidth } from '../useWidth.ts';
import { type Flow, flowHeight, layoutFlows } from './sankey.ts';

const MINIMUM_HEIGHT = 420;
/** A label that is further from its node has a line to it. */
const NEAR = 4;
const unnamed: readonly string[] = [HIDDEN, 'Nobody named', 'All others'];

/** Flows with the same ends are one. */
const merged = (flows: readonly Flow[]): Flow[] =>
  [...Map.groupBy(flows, ({ from, to }) => `${from}\n${to}`).values()].flatMap((own) => {
    const [first] = own;
    return first === undefined
      ? []
      : [{ ...first, value: own.reduce((total, { value }) => total + value, 0) }];
  });

/** Amounts from one dimension to another. The table below holds the same figures. */
export const Flows = ({ flows, measure }: { flows: readonly Flow[]; measure: Measure }) => {
  const id = useId();
  const [box, width] = useWidth(900);
  const isNarrow = width < 520;
  const margin = isNarrow ? 96 : 170;
  const own = merged(flows);
  const height = flowHeight(own, MINIMUM_HEIGHT);
  const { nodes, bands } = layoutFlows(own, Math.max(width - 2 * margin, 80), height);
  const names = [...new Set(own.map(({ from }) => from))].filter((name) => !unnamed.includes(name));
  const amountOf = (name: string): number =>
    own.filter(({ from }) => from === name).reduce((total, { value }) => total + value, 0);
  const styles = usePalette(['owner'])(names.toSorted((one, other) => amountOf(other) - amountOf(one)));
  const styleOf = (name: string): Style => styles.get(name) ?? REST;
  const totalOf = (name: string, isSource: boolean): string =>
    formatAmount(
      own
        .filter(({ from, to }) => (isSource ? from : to) === name)
        .reduce((total, { value }) => total + value, 0)
        .toFixed(12),
      measure,
    );
  return (
    <div className="chart" ref={box}>
      {nodes.length === 0 ? (
        <Empty title="No amounts in this period">Choose other days, or remove a filter.</Empty>
      ) : (
        <svg
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={own
            .map(({ from, to, value }) => `${from} to ${to}: ${formatAmount(value.toFixed(12), measure)}`)
            .join('; ')}
        >
          <Textures id={id} of={[...styles.values()].map((style) => ({ kind: 'named', ...style }))} />
          <g transform={`translate(${margin},0)`}>
            {bands.map(({ from, to, path, thickness }) => (
              <path
                key={`${from}\n${to}`}
                d={path}
                fill="none"
                stroke={styleOf(from).color}
                strokeOpacity="0.35"
                strokeWidth={thickness}
              />
            ))}
            {nodes.map(({ key, x, y, width: wide, height: tall, isSource, labelY }) => (
              <g key={`${key}${isSource}`} className="axis">
                <rect
                  x={x}
                  y={y}
                  width={wide}
                  height={Math.max(tall, 1)}
                  rx="2"
                  fill={isSource ? fillOf({ kind: 'named', ...styleOf(key) }, id) : 'var(--ink-3)'}
                />
                {Math.abs(labelY - y - tall / 2) > NEAR && (
                  <path
                    className="leader"
                    d={
                      isSource
                        ? `M${x - 2},${y + tall / 2}L${x - 9},${labelY}`
                        : `M${x + wide + 2},${y + tall / 2}L${x + wide + 9},${labelY}`
                    }
                  />
                )}
                <text
                  className="strong"
                  x={isSource ? x - 12 : x + wide + 12}
                  y={labelY}
                  dy="-0.1em"
                  textAnchor={isSource ? 'end' : 'start'}
                >
                  {isNarrow && key.length > 13 ? `${key.slice(0, 12)}…` : key}
                </text>
                <text
                  x={isSource ? x - 12 : x + wide + 12}
                  y={labelY}
                  dy="1.1em"
                  textAnchor={isSource ? 'end' : 'start'}
                >
                  {totalOf(key, isSource)}
                </text>
              </g>
            ))}
          </g>
        </svg>
      )}
    </div>
  );
};
