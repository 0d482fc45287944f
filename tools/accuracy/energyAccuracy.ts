import { ENERGY_UNCERTAINTY, type EstimateClass } from '../../functions/impact/footprint/uncertainty.ts';

const MEANING: Readonly<Record<EstimateClass, string>> = {
  A: 'A: metered by the producer',
  B: 'B: open weights, known size',
  C: 'C: closed model, published estimate of its size',
  prefill: 'B or C, mostly for reading input',
  D: 'D: unknown model, size class only',
};

const rows = (Object.keys(MEANING) as EstimateClass[]).map((name) => {
  const { gsd, down, up } = ENERGY_UNCERTAINTY[name];
  return `| ${MEANING[name]} | ${gsd} | × ${down.round(2).toFixed()} to × ${up.round(2).toFixed()} |`;
});

/** The section about energy: the published uncertainty by class, and the known differences to other estimates. */
export const energyAccuracy = async (): Promise<string> =>
  [
    '## Energy and carbon',
    '',
    'Nobody outside a provider can meter a single call, so each figure is an estimate with a 90 % range:',
    '',
    '| evidence | geometric standard deviation | 90 % range around the centre |',
    '|---|---|---|',
    ...rows,
    '',
    '- The deviation of class B follows from measurements of ML.ENERGY (v3) on H100: 1.84 over 26 models at one batch size, 2.35 over',
    '  350 configurations.',
    '- **Speeds.** The time of a token follows from the size of a model, as in EcoLogits without measured speeds. EcoLogits uses',
    '  speeds of OpenRouter where it has them: 300 tokens of gpt-4o are then .63 Wh instead of .89 Wh. Speeds of a router change',
    '  daily, so the same call would get another figure on another day. The range contains both.',
    '- **Input tokens** are our own term. No published measurement covers it, so the range widens where it is most of the energy.',
    '- **Grid.** The range of carbon adds the uncertainty of the location: a factor of 1.15 for a known region, 1.3 for a country,',
    '  1.6 for a default of the provider.',
    '- **Totals** state joint ranges: see [reports](guides/reports.md#how-certain-is-a-total).',
    '',
  ].join('\n');
