import { binsOf } from '../../functions/attribution/training/prediction/calibration/metrics.ts';
import { type BacktestResult, backtest } from '../evaluation/backtest.ts';
import { type Findings, findingsOf } from '../evaluation/findings.ts';
import { drawLabelled, PROTOCOLS } from '../evaluation/protocols.ts';
import { syntheticTrace, TRAFFIC_KINDS, type TrafficKind } from './syntheticTrace.ts';

const CALLS = 12_000;
const SEED = 1;
const BAR_LENGTH = 40;

const share = (value: number | null): string => (value === null ? 'none' : value.toFixed(3));

const tableRow = (kind: TrafficKind, { title, heuristic, model, served, trainings }: Findings): string =>
  `| ${kind.name} | ${title} | ${share(heuristic.accuracy)} | ${share(served.accuracy)} | ${share(model.calibration_error)} | ${share(served.calibration_error)} | ${share(served.precision)} | ${share(served.coverage)} | ${trainings.passed} of ${trainings.trained} |`;

/** A reliability diagram as text: a bar for the share of correct predictions, and a mark where it should end. */
const textDiagram = ({ served }: BacktestResult): string[] =>
  binsOf(served.outcomes).flatMap(({ weight, confidence, accuracy }) => {
    if (weight === 0) return [];
    const bar = '#'.repeat(Math.round(accuracy * BAR_LENGTH)).padEnd(BAR_LENGTH + 1);
    const mark = Math.round(confidence * BAR_LENGTH);
    return [
      `${confidence.toFixed(2)} ${bar.slice(0, mark)}|${bar.slice(mark + 1)} ${accuracy.toFixed(2)} ${weight.toLocaleString('en-US').padStart(7)}`,
    ];
  });

const FAILURES = `### Where it fails

- **Services that never label** cannot be named. Their calls are predicted as the most similar service, with a confidence
  that is lowered where unlabelled calls exceed what labels explain. Labels that attract such calls are not charged, which
  costs coverage. On some changing traffic the precision at .80 is still below .95.
- **Label rates that differ by service, on changing traffic.** Few labelled calls stand for many unlabelled ones, so the
  calibration is uncertain, and the gate refuses many models.
- **Changes within minutes** reach the model at the next training, at most 15 minutes later when enough calls are new.
- **Few labels.** With a tenth of the calls labelled the calibration error is several times that of half-labelled traffic,
  and on difficult traffic little is charged.
- **The first 500 labelled calls.** Until then all predictions are advisory.`;

/** The section about attribution: figures as trained and as served on synthetic traffic, and the known limits. */
export const attributionAccuracy = async (): Promise<string> => {
  const rows: string[] = [];
  const diagrams: string[] = [];
  for (const kind of TRAFFIC_KINDS) {
    const calls = syntheticTrace(kind, CALLS, SEED);
    const truths = calls.map(({ truth }) => truth);
    for (const protocol of PROTOCOLS) {
      // Durations are left out, so that the page depends on the code and the seed only.
      const run = await backtest(calls, drawLabelled(protocol, truths, SEED), () => 0);
      rows.push(tableRow(kind, findingsOf(protocol, run)));
      if (protocol.name === 'half')
        diagrams.push(
          `${kind.title}:`,
          '',
          '```',
          'confidence, correct (#), goal (|), calls',
          ...textDiagram(run),
          '```',
          '',
        );
    }
  }
  return [
    '## Attribution',
    '',
    `Synthetic traffic of 40 services, ${CALLS.toLocaleString('en-US')} calls in a day, seed ${SEED}. The model is trained when the service would train, and predicts`,
    'every unlabelled call until the next training. ECE is the calibration error before the ceilings. *Served* is what the',
    'records show. `npm run evaluate -- FILE` prints the same figures, and those by period, for a trace of your own.',
    '',
    '| traffic | labels | heuristic accuracy | served accuracy | trained ECE | served ECE | served precision at .80 | served coverage | gate passed |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '### Reliability as served, half of the calls labelled',
    '',
    ...diagrams,
    '### What was tried',
    '',
    'See the alternatives in [the charge rule](decisions/inference.md#charge-rule),',
    '[continued training](decisions/inference.md#training) and [calibrated inference](decisions/inference.md).',
    '',
    FAILURES,
    '',
  ].join('\n');
};
