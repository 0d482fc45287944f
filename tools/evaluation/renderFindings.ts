import type { Findings, PredictorFigures } from './findings.ts';

const count = (value: number): string => value.toLocaleString('en-US');
const share = (value: number | null): string => (value === null ? 'none' : value.toFixed(4));
const time = (value: number | null): string => (value === null ? 'none' : value.toFixed(0));

const ROWS: readonly (readonly [string, (figures: PredictorFigures) => string])[] = [
  ['predictions', ({ n }) => count(n)],
  ['accuracy', ({ accuracy }) => share(accuracy)],
  ['calibration error (ECE)', ({ calibration_error }) => share(calibration_error)],
  ['  after the ceiling', ({ capped_calibration_error }) => share(capped_calibration_error)],
  ['over-confidence after it', ({ capped_over_confidence }) => share(capped_over_confidence)],
  ['Brier score', ({ brier }) => share(brier)],
  ['precision at .80', ({ precision }) => share(precision)],
  ['coverage at .80', ({ coverage }) => share(coverage)],
  ['p50 of one prediction, µs', ({ p50_us }) => time(p50_us)],
  ['p99 of one prediction, µs', ({ p99_us }) => time(p99_us)],
];

/** The results of a protocol as plain text for a terminal. Each line ends with a line feed. */
export const renderFindings = (findings: Findings): string => {
  const { title, trainings, published, heuristic, model, goals } = findings;
  const rows = [['', 'heuristic', 'model'], ...ROWS.map(([name, of]) => [name, of(heuristic), of(model)])];
  return [
    title,
    ...rows.map(
      ([name = '', ...cells]) => `  ${name.padEnd(26)}${cells.map((cell) => cell.padStart(12)).join('')}`,
    ),
    `  trained ${trainings} times, ${published} models passed the publication gate`,
    ...goals.map(({ goal, value, bound, met }) => {
      const shown = value !== null && value > 2 ? value.toFixed(0) : share(value);
      return `  ${met ? 'met   ' : 'MISSED'}  ${goal}: ${shown}, ${bound}`;
    }),
    '',
    '',
  ].join('\n');
};
