import type { Model } from '../../../../sdk/typescript/src/types.ts';
import { Card } from '../../components/Card.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatCount, formatShare } from '../../format/amount.ts';

type Bin = Model['gate']['reliability'][number];

const SIZE = 280;
const MARGIN = { left: 44, bottom: 36, top: 28, right: 22 };
const TICKS = [0, 0.25, 0.5, 0.75, 1];
/** Radius of the point of all calls, and the least radius, in pixels. The area of a point grows with its calls. */
const RADIUS = { largest: 12, least: 3 };

const x = (share: number): number => MARGIN.left + share * (SIZE - MARGIN.left - MARGIN.right);
const y = (share: number): number => SIZE - MARGIN.bottom - share * (SIZE - MARGIN.top - MARGIN.bottom);

const columns: readonly Column<Bin>[] = [
  { title: 'Mean confidence', cell: ({ confidence }) => formatShare(confidence) },
  { title: 'Right predictions', right: true, cell: ({ accuracy }) => formatShare(accuracy) },
  { title: 'Calls', right: true, cell: ({ calls }) => formatCount(calls) },
];

const Diagram = ({ bins, tested }: { bins: readonly Bin[]; tested: number }) => (
  <svg
    className="reliability"
    viewBox={`0 0 ${SIZE} ${SIZE}`}
    role="img"
    aria-label="Share of right predictions by confidence. The table has the same figures."
  >
    <g className="axis">
      {TICKS.map((tick) => (
        <g key={tick}>
          <line className="gridline" x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} />
          <text x={MARGIN.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {formatShare(tick)}
          </text>
          <text x={x(tick)} y={SIZE - MARGIN.bottom + 16} textAnchor="middle">
            {formatShare(tick)}
          </text>
        </g>
      ))}
      <text x={x(0.5)} y={SIZE - 3} textAnchor="middle">
        Confidence
      </text>
      <text x={0} y={10}>
        Right predictions
      </text>
    </g>
    <line className="calibrated" x1={x(0)} x2={x(1)} y1={y(0)} y2={y(1)} />
    {bins.map(({ confidence, accuracy, calls }) => (
      <circle
        key={confidence}
        cx={x(confidence)}
        cy={y(accuracy)}
        r={Math.max(RADIUS.least, RADIUS.largest * Math.sqrt(calls / tested))}
        fill="var(--accent)"
        fillOpacity="0.7"
      />
    ))}
  </svg>
);

/** Whether predictions are right as often as their confidence says. */
export const Reliability = ({ model: { gate } }: { model: Model }) => (
  <Card
    title="Confidence and reality"
    aside={<p>A calibrated model lies on the line. Below it, the model is over-confident.</p>}
  >
    {gate.reliability.length === 0 ? (
      <Empty title="No diagram for this model">The next training measures it.</Empty>
    ) : (
      <div className="beside">
        <Diagram bins={gate.reliability} tested={gate.tested} />
        <div>
          <Table
            label="Reliability"
            columns={columns}
            rows={gate.reliability}
            keyOf={({ confidence }) => String(confidence)}
          />
        </div>
      </div>
    )}
  </Card>
);
