import {
  BINS,
  type Bin,
  binsOf,
} from '../../functions/attribution/training/prediction/calibration/metrics.ts';
import type { PredictionOutcome } from '../../functions/attribution/training/prediction/calibration/predictionOutcome.ts';

/** Sizes in SVG user units. The lower plot shows the number of predictions in each bin of the upper plot. */
const WIDTH = 640;
const HEIGHT = 720;
const LEFT = 76;
const SIDE = 500;
const TOP = 92;
const COUNTS_TOP = TOP + SIDE + 20;
const COUNTS_HEIGHT = 64;

interface Series {
  readonly name: string;
  readonly colour: string;
  readonly shape: 'circle' | 'square' | 'diamond';
  readonly bins: readonly Bin[];
}

const x = (share: number): number => LEFT + share * SIDE;
const y = (share: number): number => TOP + (1 - share) * SIDE;
const at = (value: number): string => value.toFixed(1);
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const text = (left: number, top: number, content: string, attributes = ''): string =>
  `<text x="${at(left)}" y="${at(top)}" ${attributes}>${escaped(content)}</text>`;

const line = (from: readonly [number, number], to: readonly [number, number], attributes: string): string =>
  `<line x1="${at(from[0])}" y1="${at(from[1])}" x2="${at(to[0])}" y2="${at(to[1])}" ${attributes}/>`;

const mark = (shape: Series['shape'], left: number, top: number, colour: string, title = ''): string => {
  if (shape === 'circle')
    return `<circle cx="${at(left)}" cy="${at(top)}" r="5" fill="${colour}">${title}</circle>`;
  const turned = shape === 'diamond' ? ` transform="rotate(45 ${at(left)} ${at(top)})"` : '';
  return `<rect x="${at(left - 4.5)}" y="${at(top - 4.5)}" width="9" height="9" fill="${colour}"${turned}>${title}</rect>`;
};

const axes = (): string[] => [
  ...[0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((tick) => [
    line([x(tick), TOP], [x(tick), TOP + SIDE], 'stroke="#e3e6ea"'),
    line([LEFT, y(tick)], [LEFT + SIDE, y(tick)], 'stroke="#e3e6ea"'),
    text(LEFT - 10, y(tick) + 4, tick.toFixed(1), 'text-anchor="end"'),
    text(x(tick), COUNTS_TOP + COUNTS_HEIGHT + 18, tick.toFixed(1), 'text-anchor="middle"'),
  ]),
  line([x(0), y(0)], [x(1), y(1)], 'stroke="#6b7280" stroke-dasharray="6 5"'),
  text(
    x(0.3) - 6,
    y(0.3) - 12,
    'perfectly calibrated',
    `fill="#4b5563" transform="rotate(-45 ${at(x(0.3))} ${at(y(0.3))})"`,
  ),
  text(x(0.5), HEIGHT - 12, 'Confidence, before the ceiling', 'text-anchor="middle" font-weight="600"'),
  text(
    22,
    y(0.5),
    'Share of correct predictions',
    `text-anchor="middle" font-weight="600" transform="rotate(-90 22 ${at(y(0.5))})"`,
  ),
];

const points = ({ name, colour, shape, bins }: Series): string[] => {
  const filled = bins.filter(({ weight }) => weight > 0);
  const path = filled.map(({ confidence, accuracy }) => `${at(x(confidence))},${at(y(accuracy))}`).join(' ');
  return [
    `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-opacity=".7"/>`,
    ...filled.map(({ confidence, accuracy, weight }) => {
      const title = `${name}: confidence ${confidence.toFixed(3)}, correct ${accuracy.toFixed(3)}, ${weight.toLocaleString('en-US')} predictions`;
      return mark(shape, x(confidence), y(accuracy), colour, `<title>${title}</title>`);
    }),
  ];
};

const counts = (series: readonly Series[]): string[] => {
  const most = Math.max(1, ...series.flatMap(({ bins }) => bins.map(({ weight }) => weight)));
  const width = SIDE / BINS / series.length - 2;
  return [
    text(LEFT - 10, COUNTS_TOP + 9, most.toLocaleString('en-US'), 'text-anchor="end"'),
    text(LEFT - 10, COUNTS_TOP + COUNTS_HEIGHT, '0', 'text-anchor="end"'),
    ...series.flatMap(({ colour, bins }, order) =>
      bins.map(({ weight }, bin) => {
        const height = (weight / most) * COUNTS_HEIGHT;
        const left = x(bin / BINS) + 1 + order * (width + 2);
        return `<rect x="${at(left)}" y="${at(COUNTS_TOP + COUNTS_HEIGHT - height)}" width="${at(width)}" height="${at(height)}" fill="${colour}"/>`;
      }),
    ),
    line([LEFT, COUNTS_TOP + COUNTS_HEIGHT], [LEFT + SIDE, COUNTS_TOP + COUNTS_HEIGHT], 'stroke="#6b7280"'),
  ];
};

const legend = (series: readonly Series[]): string[] =>
  series.flatMap(({ name, colour, shape }, order) => [
    mark(shape, LEFT + 6 + order * 130, 66, colour),
    text(LEFT + 18 + order * 130, 70, name),
  ]);

/** Prediction outcomes by predictor. */
export interface OutcomesByPredictor {
  readonly heuristic: readonly PredictionOutcome[];
  /** As trained. */
  readonly model: readonly PredictionOutcome[];
  readonly served: readonly PredictionOutcome[];
}

/** An SVG document: confidence against the share of correct predictions, with the number of predictions per bin. */
export const reliabilityDiagram = (
  title: string,
  { heuristic, model, served }: OutcomesByPredictor,
): string => {
  const series: Series[] = [
    { name: 'As served', colour: '#15803d', shape: 'diamond', bins: binsOf(served) },
    { name: 'As trained', colour: '#1d5fa8', shape: 'circle', bins: binsOf(model) },
    { name: 'Heuristic', colour: '#b45309', shape: 'square', bins: binsOf(heuristic) },
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13" fill="#1f2937">`,
    `<title id="title">${escaped(`Reliability: ${title}`)}</title>`,
    '<desc id="description">For each interval of confidence, the share of correct predictions, for the heuristic, the model as trained and as served, with the number of predictions below. Points on the diagonal are perfectly calibrated; below it confidence is too high.</desc>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(LEFT, 36, title, 'font-size="18" font-weight="600"'),
    ...legend(series),
    ...axes(),
    ...series.toReversed().flatMap(points),
    ...counts(series),
    '</svg>',
    '',
  ].join('\n');
};
